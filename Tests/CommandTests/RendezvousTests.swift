import AuthKitCore
import AuthKitTesting
import Foundation
import Testing

@testable import authkit_cli

@Suite struct RendezvousTests {
    private func pair(_ harness: CommandHarness) throws -> (here: UnixSocket, there: UnixSocket) {
        let path = harness.home + "/x.sock"
        let listener = try UnixSocket.listening(at: path)
        let there = try UnixSocket.reaching(path, user: geteuid(), within: 5000)
        return (try #require(listener.next(within: 5000, user: geteuid())), there)
    }

    @Test func `what is sent arrives`() throws {
        let (here, there) = try pair(try CommandHarness())
        #expect(there.deliver([1, 2, 3], within: 5000))
        #expect(here.collect(limit: 3, within: 5000) == [1, 2, 3])
        #expect(here.deliver([], within: 5000))
        #expect(there.collect(limit: 3, within: 5000) == [])
    }

    @Test func `a peer that always has one byte more does not stretch the time`() async throws {
        let harness = try CommandHarness()
        let listener = try UnixSocket.listening(at: harness.home + "/x.sock")
        let there = try #require(rawConnection(to: harness.home + "/x.sock"))
        let here = try #require(listener.next(within: 5000, user: geteuid()))
        let isOver = Guarded(false)
        async let dripping: Void = ProcessTests.blocking {
            // A wait that is stretched would end well when this does.
            let end = ContinuousClock.now + .seconds(5)
            var byte: UInt8 = 7
            while ContinuousClock.now < end, !isOver.withLock({ $0 }) {
                let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                if unsafe send(there, &byte, 1, flags) < 0, errno != EAGAIN { break }
            }
            close(there)
        }
        let bytes = await ProcessTests.blocking { here.collect(limit: .max, within: 200) }
        isOver.withLock { $0 = true }
        #expect(bytes == nil)
        await dripping
    }

    @Test func `a peer that reads nothing does not hold the sender`() async throws {
        let (here, there) = try pair(try CommandHarness())
        let bytes = [UInt8](repeating: 1, count: 16 << 20)
        #expect(await ProcessTests.blocking { there.deliver(bytes, within: 100) } == false)
        #expect(await ProcessTests.blocking { here.deliver(bytes, within: 100) } == false)
    }

    @Test func `a socket at which too many wait does not hold one more`() async throws {
        let path = try CommandHarness().home + ".sock"
        let listener = try UnixSocket.listening(at: path)
        defer { _ = unsafe unlink(path) }
        let failure = await ProcessTests.blocking { () -> UnixSocket.ConnectFailure? in
            var waiting: [UnixSocket] = []
            do throws(UnixSocket.ConnectFailure) {
                for _ in 0..<1000 { waiting.append(try UnixSocket.reaching(path, user: geteuid(), within: 100)) }
                return nil
            } catch {
                return waiting.count >= 16 ? error : nil
            }
        }
        #expect(failure == .unusable)
        #expect(FileStatus(path)?.kind == .socket)
        #expect(listener.next(within: 5000, user: geteuid()) != nil)
    }

    @Test func `what a login took and says nothing of is offered to no other`() async throws {
        let home = try CommandHarness().home
        let place = PrivatePlace(user: geteuid(), insecureFileModes: false)
        let time = ManualTime()
        let older = try Rendezvous.open(in: [home], store: "s", place: place, time: time)
        time.advance(by: .seconds(1))
        let silent = try Rendezvous.open(in: [home], store: "s", place: place, time: time)
        let other = Task { try await older.wait { _ in .accepted } }
        let verdict = await ProcessTests.blocking {
            Rendezvous.offer("a:/b", in: [home], user: geteuid(), patience: 100)
        }
        #expect(verdict == .busy)
        silent.close()
        other.cancel()
        await #expect(throws: CancellationError.self) { try await other.value }
        older.close()
    }

    @Test func `a login that opens its socket while others look for one keeps it`() async throws {
        let harness = try CommandHarness()
        let home = harness.home
        let place = PrivatePlace(user: geteuid(), insecureFileModes: false)
        let isOver = Guarded(false)
        async let looking: Void = ProcessTests.blocking {
            while !isOver.withLock({ $0 }) { _ = Rendezvous.offer("a:/b", in: [home], user: geteuid()) }
        }
        var kept = 0
        for _ in 0..<500 {
            let rendezvous = try Rendezvous.open(in: [home], store: "s", place: place, time: SystemTime())
            if Directory.names(in: home).contains(where: { $0.hasSuffix(".sock") }) { kept += 1 }
            rendezvous.close()
        }
        isOver.withLock { $0 = true }
        await looking
        #expect(kept == 500)
        #expect(Directory.names(in: home).isEmpty)
    }
}

/// The other end as a program that is not ours would open it.
private func rawConnection(to path: String) -> Int32? {
    #if canImport(Glibc)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, length) }
    }
    return result == 0 ? descriptor : nil
}
