import AuthKitCore

/// One request on its way from the first line to the end of its answer.
final class Exchange: Sendable {
    /// What the daemon is to do next.
    enum Step {
        case readOn
        case close
        case run(ServerRequest)
        case answer(ServerResponse)
        case stay
    }

    private enum Phase {
        case head
        case body
        case suspended(MicroConnection)
        case answered(ServerResponse)
        case done
    }

    private struct State {
        var phase = Phase.head
        var method = ""
        var fields: [HTTPField] = []
        var body: [UInt8] = []
        var dropped = 0
    }

    /// The socket of its connection.
    let socket: Int32
    private let target: String
    private let limits: ServerLimits
    private let state = Guarded(State())

    init(target: String, socket: Int32, limits: ServerLimits) {
        self.target = target
        self.socket = socket
        self.limits = limits
    }

    /// Whether the daemon comes for the first time: fields are read then.
    var needsHead: Bool {
        state.withLock { state in if case .head = state.phase { true } else { false } }
    }

    /// Takes the request's head.
    func begin(method: String, fields: [HTTPField]) -> Step {
        state.withLock { state in
            state.method = method
            state.fields = fields
            state.phase = .body
            guard Self.isOriginForm(target) else { return .answer(.text("Bad request target.\n", status: 400)) }
            let length = fields.first(named: "Content-Length").flatMap { Int($0) } ?? 0
            // A body that is only somewhat too long is read and dropped, so that the answer is seen; RFC 9110 §10.1.1:
            // whoever asks first whether to send it is told at once.
            if length > limits.bodyBytes, length > limits.bodyBytes * 8 || fields.first(named: "Expect") != nil {
                return .answer(Self.tooLarge)
            }
            return .readOn
        }
    }

    /// Takes a part of the body; an empty one ends it.
    ///
    /// The daemon asks so again when it wakes up, and is given the answer then.
    func receive(_ part: [UInt8]) -> Step {
        state.withLock { state in
            switch state.phase {
            case .head, .done: return .close
            case .suspended: return .stay
            case .answered(let response):
                state.phase = .done
                return response.isAborted ? .close : .answer(response)
            case .body: break
            }
            if part.isEmpty {
                guard state.dropped == 0 else { return .answer(Self.tooLarge) }
                return .run(
                    ServerRequest(method: state.method, target: target, fields: state.fields, body: state.body)
                )
            }
            guard state.dropped == 0, state.body.count + part.count <= limits.bodyBytes else {
                state.body = []
                state.dropped += part.count
                return state.dropped > limits.bodyBytes * 8 ? .close : .readOn
            }
            state.body += part
            return .readOn
        }
    }

    /// Puts the connection to sleep until `complete`.
    func suspend(_ connection: MicroConnection, by library: MicroHTTPD) {
        state.withLock { state in
            state.phase = .suspended(connection)
            state.body = []
            library.suspend(connection)
        }
    }

    /// Answers and wakes the connection; only the first answer counts.
    func complete(_ response: ServerResponse, by library: MicroHTTPD) {
        state.withLock { state in
            guard case .suspended(let connection) = state.phase else { return }
            state.phase = .answered(response)
            library.resume(connection)
        }
    }

    private static var tooLarge: ServerResponse { .text("The body is too large.\n", status: 413) }

    /// RFC 9112 §3.2.1: a path, in ASCII without spaces, controls or a fragment.
    private static func isOriginForm(_ target: String) -> Bool {
        target.hasPrefix("/") && target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
    }
}
