#if Postgres
import Glibc

/// A loopback socket that speaks lines; its calls block, so threads of their own use it.
final class LineSocket: Sendable {
    private let descriptor: Int32
    /// The port it is bound to, where it listens.
    let port: UInt16

    private init(owning descriptor: Int32, port: UInt16 = 0) {
        self.descriptor = descriptor
        self.port = port
    }

    deinit { close(descriptor) }

    /// Listens on a free port.
    static func listen() throws -> LineSocket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var place = address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &place) { place in
            unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                unsafe bind(descriptor, place, size) == 0 && Glibc.listen(descriptor, 256) == 0
                    && getsockname(descriptor, place, &size) == 0
            }
        }
        guard isBound else { throw ProofError("There is no free port.") }
        return LineSocket(owning: descriptor, port: UInt16(bigEndian: place.sin_port))
    }

    /// Connects to a port.
    static func connect(to port: UInt16) throws -> LineSocket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var place = address(port)
        let isConnected = unsafe withUnsafePointer(to: &place) { place in
            unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                unsafe Glibc.connect(descriptor, place, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let made = LineSocket(owning: descriptor, port: port)
        guard isConnected else { throw ProofError("The issuer does not listen.") }
        var on: Int32 = 1
        _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return made
    }

    /// Waits for somebody to connect; nil when that fails.
    func accept() -> LineSocket? {
        let connection = Glibc.accept(descriptor, nil, nil)
        return connection >= 0 ? LineSocket(owning: connection) : nil
    }

    /// Reads a line without its end; nil when the other side has gone.
    func readLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < 256 {
            let count = unsafe recv(descriptor, &byte, 1, 0)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// Writes a text whole; false when the other side has gone.
    func write(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        place.sin_port = port.bigEndian
        return place
    }
}
#endif
