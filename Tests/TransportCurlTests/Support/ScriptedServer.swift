import AuthKitCore
import Glibc
import Testing

/// A server on loopback that does with each connection what its script says, one thread a connection.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (ServerConnection) -> Void

    let port: Int
    private let listener: Int32
    private let accepted = Guarded(0)
    private let received = Guarded<[ReceivedRequest]>([])

    init(_ script: @escaping Script) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(listener >= 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, size) == 0 && listen(listener, 512) == 0
                    && getsockname(listener, pointer, &size) == 0
            }
        }
        try #require(bound)
        port = Int(UInt16(bigEndian: address.sin_port))
        Worker.start { [self] in accept(script) }
    }

    /// Answers every request of every connection in the same way.
    static func answering(_ answer: @escaping @Sendable (ReceivedRequest) -> String) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while let request = connection.readRequest() { connection.write(answer(request)) }
        }
    }

    /// How many connections came.
    var acceptedCount: Int { accepted.withLock { $0 } }

    /// What was asked, in order.
    var requests: [ReceivedRequest] { received.withLock { $0 } }

    func url(_ path: String, scheme: String = "http", host: String = "127.0.0.1") throws -> WebURL {
        try #require(WebURL("\(scheme)://\(host):\(port)\(path)"))
    }

    func note(_ request: ReceivedRequest) {
        received.withLock { $0.append(request) }
    }

    /// Accepts nothing any more.
    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept(_ script: @escaping Script) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            accepted.withLock { $0 += 1 }
            let connection = ServerConnection(descriptor, of: self)
            Worker.start {
                script(connection)
                connection.close()
            }
        }
        Glibc.close(listener)
    }
}

extension String {
    /// A whole answer with a length.
    static func answer(_ status: Int = 200, _ fields: [String] = [], body: String = "") -> String {
        let lines = ["HTTP/1.1 \(status) X"] + fields + ["Content-Length: \(body.utf8.count)", "", body]
        return lines.joined(separator: "\r\n")
    }
}
