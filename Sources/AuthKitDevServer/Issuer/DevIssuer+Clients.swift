import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// The client of a direct request, authenticated in the one way it chose (RFC 6749 §2.3).
    func authenticate(_ request: ServerRequest, _ parameters: Parameters) throws(OAuthProblem) -> DevClient {
        let basic = try Self.basicCredentials(request)
        if basic != nil, parameters["client_secret"] != nil {
            throw .invalidRequest("Authenticate in the header or in the body, not in both.")
        }
        if let basic, let id = parameters["client_id"], id != basic.id {
            throw .invalidRequest("The client_id differs from the one in the Authorization header.")
        }
        guard let id = basic?.id ?? parameters["client_id"] else { throw .invalidClient("The client_id is missing.") }
        guard let client = options.clients.first(where: { $0.id == id }) else {
            throw .invalidClient("There is no client of that client_id.")
        }
        let presented = basic?.secret ?? parameters["client_secret"]
        switch (client.secret, presented) {
        case (nil, nil): return client
        case (nil, .some): throw .invalidClient("This client is public and has no secret.")
        case (.some, nil): throw .invalidClient("This client must authenticate.")
        case (.some(let secret), .some(let presented)):
            guard ConstantTime.equal(Array(secret.reveal().utf8), Array(presented.utf8)) else {
                throw .invalidClient("The client secret is wrong.")
            }
            return client
        }
    }

    /// RFC 6749 §2.3.1: both halves are form-encoded before they are joined and encoded in Base64.
    private static func basicCredentials(
        _ request: ServerRequest
    ) throws(OAuthProblem) -> (id: String, secret: String)? {
        let fields = request.fields.all(named: "Authorization")
        guard let field = fields.first else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard fields.count == 1, parts.count == 2, parts[0].lowercased() == "basic",
            let bytes = base64(parts[1].trimmingSpaces()), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let id = PercentEncoding.decode(Array(bytes[..<colon]), plusIsSpace: true),
            let secret = PercentEncoding.decode(Array(bytes[(colon + 1)...]), plusIsSpace: true)
        else { throw .invalidClient("The Authorization header is not HTTP Basic with form-encoded halves.") }
        return (id, secret)
    }

    /// Padded Base64 (RFC 4648 §4), read by way of its other alphabet.
    private static func base64(_ text: String) -> [UInt8]? {
        guard text.utf8.count.isMultiple(of: 4), !text.contains("-"), !text.contains("_") else { return nil }
        let padding = text.reversed().prefix { $0 == "=" }.count
        let other = text.dropLast(min(padding, 2)).map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        return try? Base64URL.decode(String(other))
    }
}
