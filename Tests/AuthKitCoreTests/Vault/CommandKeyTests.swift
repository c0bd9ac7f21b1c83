@testable import AuthKitCore
import AuthKitTesting
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1))) struct CommandKeyTests {
    private static let key = VaultTests.key

    private func source(_ command: String, limit: Duration = .seconds(20)) -> CommandKey {
        CommandKey(
            command,
            environment: [
                "PATH": "/usr/bin:/bin", "KEY": Self.key, "AUTHKIT_KEY_SOURCE": "env:KEY", "AUTHKIT_ACCESS_TOKEN": "t",
            ],
            withholding: ["OTHER"],
            limit: limit
        )
    }

    private func isZero(_ command: String) async throws -> Bool {
        let key = try await source(command).wrappingKey(for: [:])
        return key.isEqual(to: SecretBytes(copying: [UInt8](repeating: 0, count: 32)))
    }

    private func detail(_ command: String, limit: Duration = .seconds(20)) async -> String? {
        do {
            _ = try await source(command, limit: limit).wrappingKey(for: [:]).count
            return nil
        } catch {
            return (error as? VaultError)?.code == .keyUnavailable ? "\(error)" : nil
        }
    }

    @Test func `what the command prints is the key, with what a shell does to its words`() async throws {
        #expect(try await isZero("printf %s \"$KEY\""))
        #expect(try await isZero("echo $KEY | cat"))
        #expect(try await isZero("printf '%s\\n' '\(Self.key)'"))
        #expect(try await source("echo $KEY").makeParameters() == [:])
    }

    @Test func `it opens a store`() async throws {
        let store = InMemoryStore()
        let vault = try await Vault.open(store, keySource: source("echo $KEY"))
        try await vault.save(try VaultFixture.credential("work"), replacing: nil)
        #expect(try await Vault.open(store, keySource: source("echo $KEY")).listing().summaries.count == 1)
        #expect(await vaultCode { try await VaultFixture.open(store) } == .otherKeySource)
    }

    @Test func `a command that fails, prints no key, or prints too much is told and nothing of it is shown`()
        async throws
    {
        let failed = await detail("echo $KEY; exit 3")
        #expect(failed?.contains("status 3") == true)
        let killed = await detail("kill -9 $$")
        #expect(killed?.contains("status 137") == true)
        for command in ["true", "echo AAAA", "echo $KEY$KEY", "head -c 4095 /dev/zero"] {
            let text = await detail(command)
            #expect(text?.contains("is not a key") == true, "\(command)")
            #expect(text?.contains("AAAA") == false)
        }
        for command in ["yes", "head -c 5000 /dev/zero"] {
            #expect(await detail(command)?.contains("more than 4096 bytes") == true, "\(command)")
        }
        #expect(await detail("no-such-program-here")?.contains("status 127") == true)
    }

    @Test func `a command that prints another key each time is refused for a new store`() async throws {
        let command = "head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\\n'"
        let source = source(command)
        #expect(try await source.wrappingKey(for: [:]).count == 32)
        #expect(await vaultCode { try await source.makeParameters() } == .keyUnavailable)
    }

    @Test func `the time is bounded, and everything that the command started is killed`() async throws {
        try await withPlace { place in
            let start = ContinuousClock.now
            let command = "(sleep 100; touch \(place)/late) & echo $! > \(place)/child; sleep 100"
            let text = await detail(command, limit: .milliseconds(300))
            #expect(text?.contains("was killed") == true)
            #expect(ContinuousClock.now - start < .seconds(15))
            let line = try String(contentsOfFile: "\(place)/child", encoding: .utf8)
            let child = try #require(Int32(line.trimmingCharacters(in: .whitespacesAndNewlines)))
            // It was in the group; whoever adopts it may take a moment to collect it.
            var isGone = false
            for _ in 0..<500 where !isGone {
                isGone = kill(child, 0) != 0 || Self.isZombie(child)
                if !isGone { usleep(10_000) }
            }
            #expect(isGone)
        }
    }

    @Test func `what goes on in the background after the key was printed is not waited for`() async throws {
        let start = ContinuousClock.now
        #expect(try await isZero("sleep 5 & echo $KEY"))
        #expect(ContinuousClock.now - start < .seconds(4))
    }

    @Test func `nothing is on its standard input`() async throws {
        #expect(try await isZero("read line && echo no; echo $KEY"))
        #expect(try await isZero("test \"$(readlink /proc/self/fd/0)\" = /dev/null && echo $KEY"))
    }

    @Test func `it gets no variable of a key source`() async throws {
        #expect(try await isZero("test -z \"$AUTHKIT_KEY_SOURCE$AUTHKIT_ACCESS_TOKEN\" && echo $KEY"))
        let source = CommandKey("echo x$KEY", environment: ["KEY": "secret"], withholding: ["KEY"])
        #expect(await vaultCode { try await source.makeParameters() } == .keyUnavailable)
        let plain = CommandKey("test -z \"$KEY\" && echo \(Self.key)", environment: ["KEY": "s"], withholding: ["KEY"])
        #expect(try await plain.wrappingKey(for: [:]).count == 32)
    }

    @Test func `it has no descriptor of ours`() async throws {
        try await withPlace { place in
            _ = try await source("ls /proc/self/fd > \(place)/list; echo $KEY").wrappingKey(for: [:]).count
            let list = try String(contentsOfFile: "\(place)/list", encoding: .utf8).split(separator: "\n").map(
                String.init
            )
            // Standard streams, the directory that is being listed, and what whoever started these tests left open.
            let inherited = (3..<1024).filter { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 }.map(String.init)
            #expect(list.count >= 4)
            #expect(Set(list).subtracting(["0", "1", "2", "3"]).subtracting(inherited).isEmpty)
        }
    }

    @Test func `who is cancelled does not wait for the command`() async throws {
        let source = source("sleep 100")
        let call = Task { try await source.makeParameters() }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    private static func isZombie(_ process: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return text.contains(") Z ")
    }
}
