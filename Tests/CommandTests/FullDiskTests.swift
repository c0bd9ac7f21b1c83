import AuthKitCore
import AuthKitDevServer
import Foundation
import Testing

@testable import authkit_cli

/// A disk that fills up under the store.
@Suite struct FullDiskTests {
    typealias Bench = SignInCommandTests.Bench

    private func run(_ program: String, _ arguments: String...) async throws -> Int32 {
        try await ProcessTests.blocking {
            Result {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: program)
                process.arguments = arguments
                process.standardError = FileHandle.nullDevice
                try process.run()
                process.waitUntilExit()
                return process.terminationStatus
            }
        }.get()
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

    @Test func `a full disk is 74 at refresh and login, prints no token and keeps the old sign-in`() async throws {
        let bench = try await Bench.start()
        let disk = bench.harness.home + "/disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        guard geteuid() == 0, try await run("/bin/mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", disk) == 0
        else {
            print("skipped: only root may mount a small disk, and not everywhere")
            await bench.server.stop()
            return
        }
        let store = ["--store", "sqlite:\(disk)/store.db"]
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
        #expect(try await run("/bin/umount", "-l", disk) == 0)
        await bench.server.stop()
    }
}
