internal import AuthKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where a waiting login is found by `authkit callback`: a socket with a name of its own.
///
/// A connection sends a URL and is told the verdict; both ends check the other's user.
actor Rendezvous {
    /// What the waiting side makes of a URL.
    enum Verdict: String, Sendable, Hashable {
        /// It ends the wait.
        case accepted
        /// It belongs to somebody else; the wait goes on.
        case refused
        /// It may be the one, and another is being tried: it is nobody else's either.
        case busy
    }

    /// The largest URL that is taken.
    static let limit = 65_536

    private let executor = BlockingExecutor(label: "authkit.rendezvous")
    private let socket: UnixSocket
    private let path: String
    private let user: UInt32

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private init(owning socket: UnixSocket, at path: String, user: UInt32) {
        self.socket = socket
        self.path = path
        self.user = user
    }

    /// Opens one in the first directory that will have it; `store` is hashed into the name.
    static func open(
        in directories: [String],
        store: String,
        place: PrivatePlace,
        time: any TimeSource
    ) throws -> Rendezvous {
        var failure: (any Error)?
        let name = try name(store: store, at: time.now.wall)
        for directory in directories {
            do {
                try place.makeDirectory(directory)
                let path = directory + "/" + name
                return Rendezvous(owning: try .listening(at: path), at: path, user: place.user)
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? CommandFailure.configuration("There is no directory for sockets; set XDG_RUNTIME_DIR.")
    }

    /// Waits for a URL that is accepted; every other is refused and waiting goes on.
    ///
    /// Cancellation ends the wait.
    func wait(_ judge: @Sendable (String) -> Verdict) throws -> String {
        while true {
            try Task.checkCancellation()
            guard let connection = socket.next(within: 100, user: user) else { continue }
            guard let bytes = connection.collect(limit: Self.limit, within: 5000),
                let url = String(validating: bytes, as: UTF8.self)
            else { continue }
            let verdict = judge(url)
            // A `callback` that has gone away does not undo what it brought.
            _ = connection.deliver(Array(verdict.rawValue.utf8), within: 5000)
            if verdict == .accepted { return url }
        }
    }

    /// Takes the socket away; doing it twice is nothing.
    nonisolated func close() {
        // Where it cannot go, the next `callback` finds that nobody listens there.
        _ = unsafe unlink(path)
    }

    /// Offers a URL to the waiting logins, newest first, until one accepts it; nil when none waits.
    ///
    /// One that took the URL and does not say what it makes of it may use it yet: nobody else is offered it then.
    static func offer(
        _ url: String,
        in directories: [String],
        user: UInt32,
        patience milliseconds: Int32 = 10_000
    ) -> Verdict? {
        var verdict: Verdict?
        for path in waiting(in: directories) {
            do {
                let connection = try UnixSocket.reaching(path, user: user, within: 5000)
                guard connection.deliver(Array(url.utf8), within: 5000) else { continue }
                guard let answer = connection.collect(limit: 64, within: milliseconds) else { return .busy }
                verdict = Verdict(rawValue: String(decoding: answer, as: UTF8.self)) ?? verdict
                if verdict == .accepted || verdict == .busy { return verdict }
            } catch .abandoned {
                // Its login was killed; nobody will listen there again, since names are never used twice.
                // One that cannot go is passed over again the next time.
                _ = unsafe unlink(path)
            } catch {
                continue
            }
        }
        return verdict
    }

    /// The sockets of waiting logins, newest first.
    private static func waiting(in directories: [String]) -> [String] {
        let found = Set(directories).flatMap { directory in
            Directory.names(in: directory).filter { $0.hasPrefix(prefix) && $0.hasSuffix(".sock") }
                .map { (time: $0.dropFirst(prefix.count + 17).prefix(16), path: directory + "/" + $0) }
        }
        return found.sorted { $0.time > $1.time }.prefix(64).map(\.path)
    }

    private static let prefix = "login-"

    /// `login-STORE-TIME-RANDOM.sock`; time in nanoseconds, so that names sort by it.
    private static func name(store: String, at time: WallTime) throws -> String {
        let hash = Hexadecimal.encode(Array(SHA256.digest(Array(store.utf8)).prefix(8)))
        let parts = time.sinceEpoch.components
        let nanoseconds = UInt64(clamping: parts.seconds) &* 1_000_000_000 &+ UInt64(parts.attoseconds / 1_000_000_000)
        let stamp = Hexadecimal.encode((0..<8).map { UInt8(truncatingIfNeeded: nanoseconds >> UInt64(56 - 8 * $0)) })
        return "\(prefix)\(hash)-\(stamp)-\(Hexadecimal.encode(try Random.bytes(4))).sock"
    }
}
