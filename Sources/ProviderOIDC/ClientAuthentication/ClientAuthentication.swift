public import AuthKitCore

/// How a client proves at the token endpoint that it is itself (RFC 6749 §2.3, OpenID Connect Core §9).
public struct ClientAuthentication: Sendable, Hashable {
    private enum Method: Hashable {
        case none
        case basic(Secret)
        case basicWithoutFormEncoding(Secret)
        case post(Secret)
    }

    private let method: Method

    /// A public client: `client_id` in the form, no secret.
    public static let none = ClientAuthentication(method: .none)

    /// `client_secret_basic`: both halves form-encoded, as the standard asks (RFC 6749 §2.3.1).
    public static func clientSecretBasic(_ secret: Secret) -> ClientAuthentication { .init(method: .basic(secret)) }

    /// `client_secret_basic` for servers that do not decode the halves: they are joined as they are, in UTF-8.
    public static func clientSecretBasicWithoutFormEncoding(_ secret: Secret) -> ClientAuthentication {
        .init(method: .basicWithoutFormEncoding(secret))
    }

    /// `client_secret_post`: identifier and secret in the form.
    public static func clientSecretPost(_ secret: Secret) -> ClientAuthentication { .init(method: .post(secret)) }

    /// The method's registered name.
    public var name: String {
        switch method {
        case .none: "none"
        case .basic, .basicWithoutFormEncoding: "client_secret_basic"
        case .post: "client_secret_post"
        }
    }

    /// The secret, which no error text may contain.
    var secret: Secret? {
        switch method {
        case .none: nil
        case .basic(let secret), .basicWithoutFormEncoding(let secret), .post(let secret): secret
        }
    }

    /// Refuses an empty secret and an identifier that the method cannot carry.
    func validate(clientID: String) throws(OIDCError) {
        if let secret, secret.isEmpty { throw .configuration("The client secret is empty.") }
        if case .basicWithoutFormEncoding = method, clientID.contains(":") {
            // RFC 7617 §2: a user-id with a colon cannot be told from the password.
            throw .configuration("A client identifier with a colon needs form-encoded client_secret_basic.")
        }
    }

    /// Adds the proof to a request's header fields or form.
    func apply(clientID: String, to fields: inout [HTTPField], _ form: inout [FormParameter]) {
        switch method {
        case .none:
            form.append(FormParameter("client_id", clientID))
        case .basic(let secret):
            // RFC 6749 §2.3.1, Appendix B: UTF-8, then form encoding, so that the header is ASCII and has one colon.
            let pair = "\(FormEncoding.encode(clientID)):\(FormEncoding.encode(secret.reveal()))"
            fields.append(Self.basicField(pair))
        case .basicWithoutFormEncoding(let secret):
            fields.append(Self.basicField("\(clientID):\(secret.reveal())"))
        case .post(let secret):
            form.append(FormParameter("client_id", clientID))
            form.append(FormParameter("client_secret", secret: secret))
        }
    }

    private static func basicField(_ pair: String) -> HTTPField {
        HTTPField("Authorization", secret: Secret("Basic " + base64(Array(pair.utf8))))
    }

    /// Base64 with padding (RFC 4648 §4), which HTTP Basic uses (RFC 7617 §2).
    static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var value = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            value <<= UInt32(8 * (3 - group.count))
            for index in 0..<4 {
                let shift = UInt32(18 - 6 * index)
                result.append(index <= group.count ? alphabet[Int(value >> shift & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension ClientAuthentication: CustomStringConvertible, CustomReflectable {
    /// The method's name.
    public var description: String { name }
    /// A mirror without the secret.
    public var customMirror: Mirror { Mirror(self, children: ["method": name]) }
}
