import AuthKitCore
import AuthKitTesting
import Foundation
import Testing

@testable import authkit_cli

/// Who is spoken to at the socket of a waiting login, and in which order.
@Suite(.timeLimit(.minutes(1))) struct HandoverTests {
    private let harness: CommandHarness
    private let time = ManualTime()

    init() throws {
        harness = try CommandHarness()
    }

    private func login(_ store: String) throws -> Rendezvous {
        let place = PrivatePlace(user: geteuid(), insecureFileModes: false)
        return try Rendezvous.open(in: [harness.home], store: store, place: place, time: time)
    }

    @Test func `somebody else's socket is given nothing, and somebody else's connection is not heard`() throws {
        let path = harness.home + "/x.sock"
        let listener = try UnixSocket.listening(at: path)
        let stranger = geteuid() + 1
        #expect(throws: UnixSocket.ConnectFailure.unusable) {
            _ = try UnixSocket.reaching(path, user: stranger, within: 1000)
        }
        // The one that was refused above has left a connection behind.
        _ = listener.next(within: 1000, user: geteuid())
        let there = try UnixSocket.reaching(path, user: geteuid(), within: 1000)
        #expect(listener.next(within: 1000, user: stranger) == nil)
        #expect(there.collect(limit: 1, within: 1000) == [])
    }

    @Test func `one byte more than the limit is refused`() throws {
        let path = harness.home + "/x.sock"
        let listener = try UnixSocket.listening(at: path)
        for (count, isTaken) in [(3, true), (4, false)] {
            let there = try UnixSocket.reaching(path, user: geteuid(), within: 1000)
            let here = try #require(listener.next(within: 1000, user: geteuid()))
            #expect(there.deliver([UInt8](repeating: 7, count: count), within: 1000))
            #expect((here.collect(limit: 3, within: 1000) != nil) == isTaken)
        }
    }

    @Test func `a socket is nobody's but its owner's`() throws {
        _ = try UnixSocket.listening(at: harness.home + "/x.sock")
        #expect(try harness.mode(of: "x.sock") == 0o600)
    }

    @Test(arguments: [["a", "b"], ["b", "a"], ["c", "a"], ["a", "c"]])
    func `of two that wait the newest is asked first`(_ stores: [String]) async throws {
        let old = try login(stores[0])
        time.advance(by: .nanoseconds(1))
        let new = try login(stores[1])
        defer {
            old.close()
            new.close()
        }
        let home = harness.home
        let waitingOld = Task { try await old.wait { _ in .accepted } }
        let waitingNew = Task { try await new.wait { _ in .accepted } }
        let verdict = await ProcessTests.blocking {
            Rendezvous.offer("a:/b", in: [home], user: geteuid())
        }
        #expect(verdict == .accepted)
        waitingOld.cancel()
        #expect(try await waitingNew.value == "a:/b")
        await #expect(throws: CancellationError.self) { try await waitingOld.value }
    }

    @Test func `one that refuses does not keep the others from being asked`() async throws {
        let old = try login("a")
        time.advance(by: .nanoseconds(1))
        let new = try login("b")
        defer {
            old.close()
            new.close()
        }
        let home = harness.home
        let waitingOld = Task { try await old.wait { $0 == "a:/old" ? .accepted : .refused } }
        let waitingNew = Task { try await new.wait { $0 == "a:/new" ? .accepted : .refused } }
        for (url, verdict) in [("a:/none", Rendezvous.Verdict.refused), ("a:/old", .accepted), ("a:/new", .accepted)] {
            let told = await ProcessTests.blocking { Rendezvous.offer(url, in: [home], user: geteuid()) }
            #expect(told == verdict)
        }
        #expect(try await waitingOld.value == "a:/old")
        #expect(try await waitingNew.value == "a:/new")
    }

    @Test func `a pipe that stands where a socket should holds nobody up`() async throws {
        let path = harness.home + "/login-0000000000000000-00000000000000ff-00000000.sock"
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let home = harness.home
        let verdict = await ProcessTests.blocking { Rendezvous.offer("a:/b", in: [home], user: geteuid()) }
        #expect(verdict == nil)
    }

    @Test func `whoever finds a socket finds it listening`() async throws {
        let path = harness.home + "/x.sock"
        for _ in 0..<20 {
            let isOver = Guarded(false)
            async let refusals = ProcessTests.blocking {
                var count = 0
                while !isOver.withLock({ $0 }) {
                    if isRefused(at: path) { count += 1 }
                }
                return count
            }
            // They stay open: who has found one that is closed then would be refused with reason.
            var listeners: [UnixSocket] = []
            for _ in 0..<200 {
                listeners.append(try UnixSocket.listening(at: path))
                try #require(unsafe unlink(path) == 0)
            }
            isOver.withLock { $0 = true }
            #expect(await refusals == 0)
            #expect(listeners.count == 200)
        }
    }
}

/// Whether a socket stands at a path and does not listen.
private func isRefused(at path: String) -> Bool {
    #if canImport(Glibc)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    #else
    let descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, length) }
    }
    return result != 0 && errno == ECONNREFUSED
}
