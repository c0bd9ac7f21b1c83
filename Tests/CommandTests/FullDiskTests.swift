import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing

@testable import authkit_cli

/// A disk that fills up under the store.
@Suite struct FullDiskTests {
    typealias Bench = SignInCommandTests.Bench

    /// Whether a small disk can be mounted: only root may, and not everywhere.
    private static let canMount: Bool = {
        guard geteuid() == 0, let harness = try? CommandHarness() else { return false }
        guard (try? mount(on: harness.home)) == 0 else { return false }
        return (try? run("/bin/umount", harness.home)) == 0
    }()

    private static func mount(on path: String) throws -> Int32 {
        try run("/bin/mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", path)
    }

    private static func run(_ program: String, _ arguments: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Writes until there is no room for one byte more.
    private func fill(_ path: String) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        for size in [4096, 1] {
            let block = [UInt8](repeating: 1, count: size)
            while unsafe block.withUnsafeBytes({ unsafe write(file, $0.baseAddress, size) }) > 0 {}
        }
        try #require(errno == ENOSPC)
        close(file)
    }

    @Test(
        .enabled(if: canMount, "only root may mount a small disk, and not everywhere"),
        arguments: ["sqlite", "file"]
    )
    func `a full disk is 74 at refresh and login, prints no token and keeps the old sign-in`(
        _ kind: String
    ) async throws {
        let bench = try await Bench.start()
        let disk = bench.harness.home + "/disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        try #require(try await ProcessTests.blocking { Result { try Self.mount(on: disk) } }.get() == 0)
        let store = ["--store", "\(kind):\(disk)/store"]
        #expect(await bench.login(store).exit == .done)
        let before = await bench.run(["token"] + store).output
        #expect(!before.isEmpty)

        try fill(disk + "/rest")
        let refresh = await bench.run(["refresh", "--json"] + store)
        #expect(refresh.exit == .inputOutput)
        #expect(refresh.errorCode == "full" || refresh.errorCode == "save_failed")
        let token = await bench.run(["token", "--min-ttl", "5000"] + store)
        #expect(token.exit == .inputOutput)
        #expect(token.output.isEmpty)
        let login = await bench.login(store)
        #expect(login.exit == .inputOutput)
        #expect(!login.output.contains("signed_in"))

        try bench.harness.remove("disk/rest")
        #expect(await bench.run(["token"] + store).output == before)
        let again = await bench.run(["refresh"] + store)
        #expect(again.exit == .done, "\(again.messages)")
        #expect(try await ProcessTests.blocking { Result { try Self.run("/bin/umount", "-l", disk) } }.get() == 0)
        await bench.server.stop()
    }
}
