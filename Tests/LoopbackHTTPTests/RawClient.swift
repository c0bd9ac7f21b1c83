import AuthKitCore
import Dispatch
import Glibc

/// What a server sent.
struct RawResponse: Sendable {
    let status: Int
    let fields: [HTTPField]
    let body: String
}

/// Speaks to a server over plain sockets, so that nothing between a test and the wire tidies up.
enum RawClient {
    struct Failure: Error { let step: String }

    /// Opens a connection; nil when it is refused.
    static func connect(_ port: UInt16, v6: Bool = false) -> Int32? {
        let descriptor = socket(v6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var storage = sockaddr_storage()
        if v6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: sockaddr_in6.self) }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: address, as: sockaddr_in.self) }
        }
        let length = v6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        let result = unsafe withUnsafePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(length))
            }
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    static func write(_ text: String, to descriptor: Int32) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// Everything until the other side closes.
    static func readAll(_ descriptor: Int32) -> [UInt8] {
        var result: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe part.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return result }
            result += part[..<count]
        }
    }

    /// Sends bytes as they are and reads the answer.
    static func exchange(_ text: String, port: UInt16, v6: Bool = false) async throws -> RawResponse {
        try await blocking {
            guard let descriptor = connect(port, v6: v6) else { throw Failure(step: "connect") }
            defer { close(descriptor) }
            guard write(text, to: descriptor) else { throw Failure(step: "send") }
            return try parse(readAll(descriptor))
        }
    }

    /// One request on a connection of its own.
    static func request(
        _ method: String = "GET",
        _ target: String,
        port: UInt16,
        host: String? = nil,
        fields: [String] = [],
        body: String = "",
        v6: Bool = false
    ) async throws -> RawResponse {
        let host = host ?? "127.0.0.1:\(port)"
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)", "Connection: close"] + fields
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        return try await exchange(lines.joined(separator: "\r\n") + "\r\n\r\n" + body, port: port, v6: v6)
    }

    static func post(_ target: String, form: String, port: UInt16) async throws -> RawResponse {
        try await request(
            "POST",
            target,
            port: port,
            fields: ["Content-Type: application/x-www-form-urlencoded"],
            body: form
        )
    }

    /// Runs blocking code on a thread outside the cooperative pool.
    static func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "client").async { continuation.resume(with: Result { try body() }) }
        }
    }

    static func parse(_ bytes: [UInt8]) throws -> RawResponse {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { throw Failure(step: "no answer: \(text.prefix(80))") }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure(step: "status line")
        }
        let fields = lines.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            return HTTPField(String(name), line.dropFirst(name.count + 1).trimmingSpaces())
        }
        return RawResponse(status: status, fields: Array(fields), body: String(text[end.upperBound...]))
    }
}

extension StringProtocol {
    /// The first place of a text.
    func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
