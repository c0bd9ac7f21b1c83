internal import AuthKitCore

/// `jwt sign`: makes a token of claims.
enum JWTSignCommand {
    static let shape = CommandShape(
        "jwt sign",
        summary: "sign the claims on standard input into a token",
        details: [
            "The claims are signed byte for byte as they come; nothing is added to them, no exp either. The header has "
                + "alg, typ JWT and the key's kid; --header adds members or replaces these, null removes one.",
            "Without --alg it is the key's own, else RS256, ES256, ES384, ES512, ES256K, EdDSA or HS256, as the key is.",
        ],
        flags: [
            Flag("key", .file("FILE"), help: "the private or symmetric key: a JWK or PEM text"),
            Flag("alg", .text("NAME"), help: "the algorithm"),
            Flag("header", .text("JSON"), help: "members for the header, such as '{\"typ\":\"at+jwt\"}'"),
            Flag("raw", help: "sign bytes that need not be claims; there is no typ then"),
        ],
        examples: [
            "authkit jwk generate ES256 --thumbprint-kid --out key.jwk",
            "echo '{\"sub\":\"me\",\"exp\":4102444800}' | authkit jwt sign --key key.jwk",
            "authkit jwt sign --key key.pem --alg PS256 --header '{\"typ\":\"at+jwt\"}' < claims.json",
        ],
        run: run
    )

    /// What a key is used with when nothing is said.
    private static let usual: [JWSAlgorithm] = [.rs256, .es256, .es384, .es512, .es256K, .edDSA, .hs256]

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let input = JOSEInput(invocation)
        let given = try input.header()
        let named = try algorithm(invocation.arguments.value("alg"), given["alg"])
        for name in ["crit", "b64"] where given[name] != nil {
            throw UsageError("--header cannot have \(name): no token with it is accepted here.", command: shape)
        }
        let (document, path) = try await input.key()
        let signer = try JOSEInput.naming(path) { () throws(JWTError) in
            let key = try document.privateKey()
            if let named { return try SigningKey(key, algorithm: named) }
            return try SigningKey(key, algorithm: usualAlgorithm(of: key))
        }
        let payload = try await input.payload()
        let isRaw = invocation.arguments.has("raw")
        if !isRaw { try checkClaims(payload) }
        var header: JSONObject = ["alg": .string(signer.algorithm.name)]
        if !isRaw { header["typ"] = "JWT" }
        header["kid"] = signer.key.keyID.map(JSONValue.string)
        for member in given.members { header[member.name] = member.value.isNull ? nil : member.value }
        let token = try JWS.sign(payload: payload, header: header, with: signer)
        // What is written must be what would be read: members of the wrong type, or too many bytes, are refused here.
        do throws(JWTError) { _ = try UnverifiedJWT(decoding: token) } catch { throw Self.failure(error) }
        try invocation.console.writeToken(token)
        return .done
    }

    /// Blames what is to blame: the payload is not looked at, so that only the header can have a wrong form.
    private static func failure(_ error: JWTError) -> any Error {
        error.code == .malformed ? UsageError("--header: \(error.detail)", command: shape) : error
    }

    private static func algorithm(_ flag: String?, _ member: JSONValue?) throws(UsageError) -> JWSAlgorithm? {
        if let member, member.string == nil || (flag != nil && member.string != flag) {
            throw UsageError("The alg of --header is not the algorithm; leave it out.", command: shape)
        }
        guard let name = flag ?? member?.string else { return nil }
        guard let algorithm = JWSAlgorithm(name: name) else {
            throw UsageError.unknown(name, "algorithm", among: JWSAlgorithm.all.map(\.name), shape)
        }
        return algorithm
    }

    private static func usualAlgorithm(of key: PrivateJWK) throws(JWTError) -> JWSAlgorithm {
        let own = key.algorithmName.flatMap(JWSAlgorithm.init(name:)).map { [$0] } ?? []
        guard let algorithm = (own + usual).first(where: key.maySign) else {
            throw JWTError(.keyMismatch, "The key is not one for signing; name another.")
        }
        return algorithm
    }

    private static func checkClaims(_ payload: [UInt8]) throws(CommandFailure) {
        do {
            _ = try JSONMembers(parsing: payload)
        } catch {
            throw CommandFailure(
                .badData,
                JWTError.Code.malformedClaims.description,
                "Standard input is not a JSON object of claims; mend it, or sign it as it is with --raw. \(error)"
            )
        }
    }
}

extension UsageError {
    /// A name that is none of those there are.
    static func unknown(_ name: String, _ kind: String, among names: [String], _ shape: CommandShape) -> UsageError {
        UsageError(
            "There is no \(kind) \(SafeText.quoted(name)); choose from \(names.joined(separator: ", ")).",
            command: shape
        )
    }
}

extension Console {
    /// Writes a token that was made.
    func writeToken(_ token: String) throws(CommandFailure) {
        if style.json { try data(["token": .string(token)]) } else { try data(token + "\n") }
    }
}
