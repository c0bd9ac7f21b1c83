internal import AuthKitCore

/// What must hold of a request before anything is sent.
enum RequestCheck {
    /// Throws for a request that is never sent: plain `http` beyond loopback, or a line that could smuggle another.
    static func check(_ request: HTTPRequest) throws(TransportError) {
        guard request.url.isSecureOrLoopback else {
            throw TransportError(
                .insecureURL,
                delivery: .notSent,
                detail: "Plain http to \(request.url.host) would be readable on the way; use https."
            )
        }
        // RFC 9110 §9.1: a method is a token.
        guard isToken(request.method) else { throw refuse("the method is not a token") }
        for field in request.fields { try check(field) }
        switch request.body {
        case .bytes(_, let contentType), .secretBytes(_, let contentType):
            guard isFieldValue(contentType) else { throw refuse("the media type holds control characters") }
        case .form, nil:
            break
        }
        if case .anyOrigin = request.redirects, request.carriesCredential {
            throw TransportError(
                .redirectRefused,
                delivery: .notSent,
                detail: "A request with a credential must not follow redirects to other origins; "
                    + "allow the same origin only."
            )
        }
    }

    private static func check(_ field: HTTPField) throws(TransportError) {
        // RFC 9110 §5.1: a field name is a token; §5.5: CR, LF and NUL are invalid and dangerous.
        guard isToken(field.name) else { throw refuse("a header field's name is not a token") }
        guard isFieldValue(field.value) else {
            throw refuse("the value of the header field \(field.name) holds control characters")
        }
        // RFC 9112 §6: message framing is the transport's own.
        guard !framing.contains(field.name.lowercased()) else {
            throw refuse("the header field \(field.name) is set by the transport itself")
        }
    }

    private static let framing: Set<String> = [
        "connection", "content-length", "expect", "host", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }
    }

    private static func refuse(_ reason: String) -> TransportError {
        TransportError(.unusable, delivery: .notSent, detail: "The request was not sent: \(reason).")
    }
}
