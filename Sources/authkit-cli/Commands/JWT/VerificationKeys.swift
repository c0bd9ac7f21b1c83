internal import AuthKitCore
internal import ProviderOIDC

/// The keys that a token is checked with, from the one source that is named.
struct VerificationKeys: Sendable {
    /// The flags that name a source.
    static let flags: [Flag] = [
        Flag("jwks", .file("FILE|URL"), help: "a key set in a file, or at an https address"),
        Flag("key", .file("FILE"), help: "one key: a JWK or PEM text"),
        Flag("issuer", .text("URL"), help: "find the keys by discovery; iss must be this issuer"),
    ]

    /// How long the network may take in all.
    private static let patience = Duration.seconds(30)

    /// The keys.
    let keys: JWKSet
    /// The issuer whose keys they are, where discovery found them.
    let issuer: String?

    /// Reads or fetches them; 64 unless exactly one source is named.
    static func read(_ invocation: Invocation) async throws -> VerificationKeys {
        let arguments = invocation.arguments
        let named = flags.map(\.name).filter(arguments.has)
        guard named.count == 1 else {
            let advice = named.isEmpty ? "Name where the keys are" : "Name one place of keys"
            let issuer = named.contains("issuer") ? " What iss must be is --expect-issuer." : ""
            throw UsageError(
                "\(advice): --jwks FILE|URL, --key FILE or --issuer URL.\(issuer)",
                command: arguments.shape
            )
        }
        if let issuer = arguments.value("issuer") {
            _ = try url(issuer, of: "issuer", arguments)
            let context = ProviderContext(
                time: invocation.time,
                deadline: Deadline(patience, from: invocation.time.now)
            )
            let found = try await OIDCProvider.publishedKeys(
                of: issuer,
                transport: transport(invocation),
                tls: tls(invocation),
                in: context
            )
            return VerificationKeys(keys: try await found.keys.keys(), issuer: found.issuer)
        }
        let input = JOSEInput(invocation)
        guard let place = arguments.value("jwks") else {
            let (document, path) = try await input.key()
            let key = try JOSEInput.naming(path) { () throws(JWTError) in try document.verificationKey() }
            return VerificationKeys(keys: JWKSet(single: key), issuer: nil)
        }
        let keys = try await set(at: place, input, invocation)
        if keys.skippedCount > 0 {
            let count = keys.skippedCount == 1 ? "1 key" : "\(keys.skippedCount) keys"
            invocation.console.detail("The set has \(count) that cannot be used: passed over.")
        }
        return VerificationKeys(keys: keys, issuer: nil)
    }

    private static func set(at place: String, _ input: JOSEInput, _ invocation: Invocation) async throws -> JWKSet {
        let start = place.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://") else {
            let bytes = try await input.contents(of: place, by: "--jwks")
            let path = invocation.places.absolute(place)
            return try JOSEInput.naming(path) { () throws(JWTError) in
                guard (try? KeyDocument(parsing: bytes)) == nil else {
                    throw JWTError(.malformed, "It is one key, not a key set: name it by --key.")
                }
                return try JWKSet(parsing: bytes)
            }
        }
        let remote = try RemoteJWKSet(
            try url(place, of: "jwks", invocation.arguments),
            transport: transport(invocation),
            time: invocation.time,
            tls: tls(invocation)
        )
        return try await remote.keys()
    }

    private static func url(_ text: String, of flag: String, _ arguments: ParsedArguments) throws(UsageError) -> WebURL
    {
        if let url = WebURL(text) { return url }
        throw UsageError("--\(flag) is no usable address: \(SafeText.quoted(text)).", command: arguments.shape)
    }

    private static func transport(_ invocation: Invocation) -> any HTTPTransport {
        TracingTransport(invocation.surroundings.transport(), time: invocation.time)
    }

    private static func tls(_ invocation: Invocation) -> TLSOptions {
        TLSOptions(authorityFile: invocation.arguments.value("ca-file").map(invocation.places.absolute))
    }
}
