#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A listening TCP socket on one loopback address, closed with its last reference.
final class ListeningSocket: Sendable {
    /// Why an address and port cannot be had.
    enum Failure: Error {
        /// Somebody else has it.
        case busy
        /// The machine does not have that address.
        case noAddress
        /// Another reason, as the C library's error number.
        case other(Int32)
    }

    let descriptor: Int32
    let port: UInt16

    private init(owning descriptor: Int32, port: UInt16) {
        self.descriptor = descriptor
        self.port = port
    }

    deinit {
        // Nothing can be done about a failure, and Linux frees the descriptor in any case.
        _ = close(descriptor)
    }

    /// Refuses new connections from now on, those in the queue too; the port stays taken until it is closed.
    func refuse() {
        // ENOTCONN where it was done before.
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Listens on 127.0.0.1 or ::1; port 0 takes a free one.
    static func listen(v6: Bool, port: UInt16) throws(Failure) -> ListeningSocket {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        #else
        let stream = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK
        #endif
        let descriptor = socket(v6 ? AF_INET6 : AF_INET, stream, 0)
        guard descriptor >= 0 else { throw failure(errno) }
        let owned = ListeningSocket(owning: descriptor, port: port)
        // SO_REUSEADDR gets past connections in TIME_WAIT only; a listener of others still refuses us, which
        // SO_REUSEPORT would not (two of the same user would share the port).
        try owned.set(SOL_SOCKET, SO_REUSEADDR)
        if v6 { try owned.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
        try owned.bind(v6: v6, port: port)
        guard Self.listen(descriptor) == 0 else { throw failure(errno) }
        return try owned.withBoundPort()
    }

    private static func listen(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
        Glibc.listen(descriptor, 128)
        #else
        Musl.listen(descriptor, 128)
        #endif
    }

    private func set(_ level: Int32, _ option: Int32) throws(Failure) {
        var on: Int32 = 1
        let result = unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
        guard result == 0 else { throw Self.failure(errno) }
    }

    private func bind(v6: Bool, port: UInt16) throws(Failure) {
        var storage = sockaddr_storage()
        let length: Int
        if v6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            length = MemoryLayout<sockaddr_in6>.size
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: sockaddr_in6.self) }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
            length = MemoryLayout<sockaddr_in>.size
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: sockaddr_in.self) }
        }
        let result = unsafe withUnsafePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                #if canImport(Glibc)
                unsafe Glibc.bind(descriptor, address, socklen_t(length))
                #else
                unsafe Musl.bind(descriptor, address, socklen_t(length))
                #endif
            }
        }
        guard result == 0 else { throw Self.failure(errno) }
    }

    /// The same socket with the port that it really has.
    private func withBoundPort() throws(Failure) -> ListeningSocket {
        guard port == 0 else { return self }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        guard result == 0 else { throw Self.failure(errno) }
        // The port stands at the same place for both families (ip(7), ipv6(7)).
        let port = unsafe withUnsafeBytes(of: &storage) { unsafe $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw Self.failure(errno) }
        return ListeningSocket(owning: copy, port: UInt16(bigEndian: port))
    }

    private static func failure(_ number: Int32) -> Failure {
        switch number {
        case EADDRINUSE: .busy
        case EADDRNOTAVAIL, EAFNOSUPPORT: .noAddress
        default: .other(number)
        }
    }
}
