/// Why a resource did not take an authorization, as its answer's header says (RFC 9110 §11.6.1).
///
/// Read leniently and bounded: what breaks the grammar ends the reading, and what was read so far stays. Nothing of it
/// is trusted: it decides only whether the session tries once more.
public struct AuthorizationChallenge: Sendable, Hashable {
    /// One scheme that the resource takes, with what it says about it.
    public struct Scheme: Sendable, Hashable {
        /// The scheme in lower case: `bearer`, `dpop`.
        public let name: String
        /// The parameters by their names in lower case; of one that came twice the first.
        public let parameters: [String: String]
    }

    /// The status of the answer.
    public let status: Int
    /// The schemes, in the order of the answer.
    public let schemes: [Scheme]
    /// The nonce for the next DPoP proof (RFC 9449 §9).
    public let nonce: String?
    /// Where it came from, where that was said.
    let url: WebURL?

    /// Reads a challenge of an answer; nil where it is none.
    ///
    /// One is a 401 in any case (RFC 9110 §15.5.2), and another 4xx when a Bearer or DPoP challenge in it names an
    /// error: a 403 for too little scope (RFC 6750 §3.1), not any other. `url` is where the request went; without it
    /// that is taken for the last address that the `Authorization` made fields for.
    public init?(status: Int, fields: [HTTPField], from url: WebURL? = nil) {
        guard (400..<500).contains(status) else { return nil }
        self.status = status
        self.url = url
        schemes = ChallengeReader.schemes(in: fields.all(named: "www-authenticate"))
        nonce = ProofCache.nonce(in: fields)
        guard status == 401 || error != nil else { return nil }
    }

    /// Reads a challenge of an answer; nil where it is none.
    public init?(_ response: HTTPResponse) {
        self.init(status: response.status, fields: response.fields, from: response.url)
    }

    /// The error's code: `invalid_token`, `insufficient_scope`, `use_dpop_nonce`; that of the first scheme that has one.
    public var error: String? { parameter("error") }
    /// The sentence beside it, which may say anything.
    public var errorDescription: String? { parameter("error_description") }
    /// The scope that would do (RFC 6750 §3).
    public var scope: Scope? { parameter("scope").map { Scope($0) } }
    /// The authentication contexts that would do, in order of preference (RFC 9470 §3).
    public var acrValues: [String] { parameter("acr_values").map { $0.split(separator: " ").map(String.init) } ?? [] }
    /// How recent the authentication must be (RFC 9470 §3).
    public var maxAge: Duration? {
        guard let text = parameter("max_age"), let seconds = Int64(text), (0...Int64(Int32.max)).contains(seconds)
        else { return nil }
        return .seconds(seconds)
    }

    /// The same without the texts in which a secret is repeated.
    func withholding(_ secret: Secret) -> AuthorizationChallenge {
        let text = secret.reveal()
        guard !text.isEmpty else { return self }
        return AuthorizationChallenge(
            status: status,
            schemes: schemes.map { scheme in
                let parameters = scheme.parameters.filter { !$0.key.contains(text) && !$0.value.contains(text) }
                return Scheme(name: scheme.name, parameters: parameters)
            },
            nonce: nonce,
            url: url
        )
    }

    private init(status: Int, schemes: [Scheme], nonce: String?, url: WebURL?) {
        self.status = status
        self.schemes = schemes
        self.nonce = nonce
        self.url = url
    }

    /// A parameter of the scheme that names the error; of the first of ours that has it, where none does.
    private func parameter(_ name: String) -> String? {
        let ours = schemes.filter { $0.name == "bearer" || $0.name == "dpop" }
        let failed = ours.first { $0.parameters["error"] != nil }
        return failed.map { $0.parameters[name] } ?? ours.lazy.compactMap { $0.parameters[name] }.first
    }
}
