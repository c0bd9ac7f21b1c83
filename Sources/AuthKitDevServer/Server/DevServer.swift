public import AuthKitCore
import LoopbackHTTP
import Synchronization

/// A development issuer that listens on 127.0.0.1.
///
/// It serves nobody who asks for another host: a page of a stranger cannot reach it by a name of its own.
public struct DevServer: Sendable {
    /// The issuer: its address, statistics, faults and keys.
    public let issuer: DevIssuer
    /// The port.
    public let port: UInt16
    private let server: HTTPServer

    /// Listens; port 0 takes a free one.
    ///
    /// Throws `LoopbackError` when it cannot, and `DevServerError`.
    public static func start(options: DevIssuerOptions = .init(), port: UInt16 = 0) async throws -> DevServer {
        // The issuer's name holds the port, which is known only once the server listens.
        let desk = Desk()
        let server = try HTTPServer.start(port: port, limits: Self.limits) { await desk.answer($0) }
        do {
            let issuer = try DevIssuer(origin: "http://127.0.0.1:\(server.port)", options: options)
            desk.open(issuer, port: server.port)
            return DevServer(issuer: issuer, port: server.port, server: server)
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Stops listening; answers that were to hang are cut off.
    public func stop() async { await server.stop() }

    /// What a program that started the server wants to know, fit for one line of JSON.
    public var readyLine: JSONObject {
        [
            "issuer": .string(issuer.url),
            "discovery": .string(issuer.url(.discovery)),
            "clients": .strings(issuer.options.clients.map(\.id)),
            "users": .strings(issuer.options.users.map(\.name)),
            "identity_url": .string(issuer.url),
            "sign_in_url": .string(issuer.url(.nianticSignIn)),
            "sign_out_url": .string(issuer.url(.nianticSignOut)),
            "backend_url": .string(issuer.url(.backend)),
            "index": .string(issuer.url(.index)),
            "stats": .string(issuer.url(.statistics)),
            "faults": .string(issuer.url(.faults)),
            "rotate_keys": .string(issuer.url(.rotateKeys)),
        ]
    }

    /// Room for many clients at once, and for the longest hang.
    private static var limits: ServerLimits {
        ServerLimits(connections: 512, handlerDeadline: .seconds(4000))
    }
}
