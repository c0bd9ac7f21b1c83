#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How long a call on a socket may take, by the clock: a peer that moves now and then does not stretch it.
private struct Patience {
    private let end: ContinuousClock.Instant

    init(_ milliseconds: Int32) {
        end = .now + .milliseconds(milliseconds)
    }

    /// What is left in whole milliseconds, rounded up; none when time is up.
    var left: Int32 {
        let rest = ContinuousClock.now.duration(to: end)
        return rest > .zero
            ? Int32(clamping: rest.components.seconds * 1000 + rest.components.attoseconds / 1_000_000_000_000_000 + 1)
            : 0
    }

    /// Waits a moment before another try; false when time is up.
    func pause() -> Bool {
        let most = min(left, 50)
        // poll without descriptors only waits; a signal that ends it early does no harm.
        return most > 0 && poll(nil, 0, most) <= 0
    }
}

/// One stream socket between processes of the same user; closed when the last reference goes.
final class UnixSocket: Sendable {
    private let descriptor: Int32

    private init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        Descriptor.release(descriptor)
    }

    /// Why a connection is not made.
    enum ConnectFailure: Error, Sendable, Hashable {
        /// Nobody listens there any more.
        case abandoned
        /// The other side is somebody else, or cannot be reached.
        case unusable
    }

    /// Listens at a path that does not exist yet; the umask of the process makes it 0600.
    ///
    /// The path leads to the socket only once it listens: whoever finds it is never refused.
    static func listening(at path: String) throws(CommandFailure) -> UnixSocket {
        guard let socket = make() else { throw .inputOutput("No socket can be made (\(SystemError.last)); try again.") }
        // No longer than the path itself, and a name that nobody looks for.
        let early = String(path.dropLast(4)) + "new"
        let bound = unsafe withAddress(early) { address, length in unsafe bind(socket.descriptor, address, length) }
        guard bound == 0 else {
            let reason = bound == nil ? "its path is too long" : SystemError.last
            throw CommandFailure(
                .cannotCreate,
                "cannot_create",
                "The socket \(path) cannot be made (\(reason)); set XDG_RUNTIME_DIR to a directory of your own."
            )
        }
        guard unsafe chmod(early, 0o600) == 0, listen(socket.descriptor, 16) == 0, unsafe rename(early, path) == 0
        else {
            let reason = SystemError.last
            // The first failure is the one to tell; nobody connects to that name.
            _ = unsafe unlink(early)
            throw .inputOutput("The socket \(path) cannot listen (\(reason)); try again.")
        }
        return socket
    }

    /// Connects to a path within a time, and makes sure that the other side is the same user.
    static func reaching(
        _ path: String,
        user: UInt32,
        within milliseconds: Int32
    ) throws(ConnectFailure) -> UnixSocket {
        let patience = Patience(milliseconds)
        while true {
            guard let socket = make() else { throw .unusable }
            let result = unsafe withAddress(path) { address, length in
                unsafe connect(socket.descriptor, address, length)
            }
            let number = errno
            // A path that fits into no address was never asked.
            guard result != nil else { throw .unusable }
            if result == 0 {
                guard socket.peer == user else { throw .unusable }
                return socket
            }
            // A name leads to its socket only while that listens, so one that refuses has lost its login.
            if number == ENOENT || number == ECONNREFUSED { throw .abandoned }
            // EAGAIN, unix(7): as many wait there already as may.
            guard number == EAGAIN || number == EINTR, patience.pause() else { throw .unusable }
        }
    }

    /// Waits so long at most for a connection of the same user; nil when none came.
    func next(within milliseconds: Int32, user: UInt32) -> UnixSocket? {
        guard wait(for: POLLIN, Patience(milliseconds)) else { return nil }
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else { return nil }
        let socket = UnixSocket(owning: accepted)
        guard fcntl(accepted, F_SETFD, FD_CLOEXEC) == 0, fcntl(accepted, F_SETFL, O_NONBLOCK) == 0 else { return nil }
        return socket.peer == user ? socket : nil
    }

    /// The user at the other end; nil where the system does not say.
    private var peer: UInt32? {
        #if os(Linux)
        // unix(7): struct ucred is process, user and group, 32 bits each.
        var credentials: (process: Int32, user: UInt32, group: UInt32) = (0, .max, .max)
        var length = socklen_t(12)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, length == 12 else {
            return nil
        }
        return credentials.user
        #else
        var user = uid_t()
        var group = gid_t()
        return unsafe getpeereid(descriptor, &user, &group) == 0 ? user : nil
        #endif
    }

    /// Sends all bytes and says that no more will come; false when the other side has gone or reads too slowly.
    func deliver(_ bytes: [UInt8], within milliseconds: Int32) -> Bool {
        let patience = Patience(milliseconds)
        var rest = bytes[...]
        while !rest.isEmpty {
            guard wait(for: POLLOUT, patience) else { return false }
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 {
                guard errno == EINTR || errno == EAGAIN else { return false }
            } else {
                rest = rest.dropFirst(count)
            }
        }
        return shutdown(descriptor, Int32(SHUT_WR)) == 0
    }

    /// Reads to the end of what the other side sends; nil when it is too much or has not all come in time.
    func collect(limit: Int, within milliseconds: Int32) -> [UInt8]? {
        let patience = Patience(milliseconds)
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while wait(for: POLLIN, patience) {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return result }
            guard count > 0 else {
                if errno == EINTR || errno == EAGAIN { continue }
                return nil
            }
            result += chunk[..<count]
            guard result.count <= limit else { return nil }
        }
        return nil
    }

    private func wait(for events: Int32, _ patience: Patience) -> Bool {
        while true {
            let left = patience.left
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let ready = unsafe poll(&entry, 1, left)
            if ready > 0 { return left > 0 }
            // A signal ends the wait early; whether there is time left is looked at again.
            guard ready < 0, errno == EINTR, left > 0 else { return false }
        }
    }

    private static func make() -> UnixSocket? {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        #else
        let kind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        return descriptor >= 0 ? UnixSocket(owning: descriptor) : nil
    }

    /// Calls with the socket address of a path; nil when it does not fit into one.
    private static func withAddress(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer -> Bool in
            guard bytes.count < buffer.count else { return false }
            unsafe buffer.copyBytes(from: bytes)
            return true
        }
        guard fits else { return nil }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
