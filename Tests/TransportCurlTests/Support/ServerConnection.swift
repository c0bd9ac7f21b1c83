import AuthKitCore
import Glibc

/// One request as it came over the wire.
struct ReceivedRequest: Sendable {
    /// The request line and the fields.
    let lines: [String]
    let body: String

    var line: String { lines.first ?? "" }
    var path: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

    /// The values of all fields of a name, in order.
    func values(_ name: String) -> [String] {
        lines.dropFirst().filter { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }
}

/// One connection of a scripted server; reads give up after ten seconds.
final class ServerConnection: Sendable {
    private let descriptor: Int32
    private let server: ScriptedServer
    private let isClosed = Guarded(false)

    init(_ descriptor: Int32, of server: ScriptedServer) {
        self.descriptor = descriptor
        self.server = server
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        _ = unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
    }

    /// The next request with its body; nil when the other side is done.
    func readRequest() -> ReceivedRequest? {
        var head: [UInt8] = []
        while !head.ends(with: Array("\r\n\r\n".utf8)) {
            guard let byte = read(1).first else { return nil }
            head.append(byte)
        }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
        let length =
            lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
        let request = ReceivedRequest(lines: lines, body: String(decoding: read(length), as: UTF8.self))
        server.note(request)
        return request
    }

    /// Up to so many bytes, fewer when the other side is done.
    func read(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let result = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe recv(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, 0)
            }
            guard result > 0 else { break }
            filled += result
        }
        return Array(bytes.prefix(filled))
    }

    /// Whether the other side closes within ten seconds.
    func seesClose() -> Bool {
        var byte: UInt8 = 0
        let result = unsafe recv(descriptor, &byte, 1, 0)
        return result == 0 || (result < 0 && errno == ECONNRESET)
    }

    /// False when the other side is gone.
    @discardableResult
    func write(_ text: String) -> Bool {
        var rest = Array(text.utf8)
        while !rest.isEmpty {
            let result = unsafe send(descriptor, rest, rest.count, Int32(MSG_NOSIGNAL))
            guard result > 0 else { return false }
            rest.removeFirst(result)
        }
        return true
    }

    /// Lets milliseconds pass, or less when the other side sends or closes.
    func pause(_ milliseconds: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&entry, 1, milliseconds)
    }

    func close() {
        let closes = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if closes { Glibc.close(descriptor) }
    }
}

extension [UInt8] {
    fileprivate func ends(with tail: [UInt8]) -> Bool { suffix(tail.count).elementsEqual(tail) }
}
