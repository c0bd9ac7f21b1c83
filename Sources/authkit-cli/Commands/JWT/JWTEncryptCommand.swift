internal import AuthKitCore

/// `jwt encrypt`: encrypts a payload for the owner of a key.
enum JWTEncryptCommand {
    static let shape = CommandShape(
        "jwt encrypt",
        summary: "encrypt what is on standard input for the owner of a key",
        details: [
            "The payload is encrypted byte for byte as it comes. With '{\"cty\":\"JWT\"}' as its header it is a token, which "
                + "loses one final newline.",
            "--alg may be left out where the key names its own. For dir, the shared key is the content's own and must "
                + "have the length that --enc asks for.",
        ],
        flags: [
            Flag("key", .file("FILE"), help: "the reader's public key, or the shared one: a JWK or PEM text"),
            Flag("alg", .text("NAME"), help: "how the content's key is encrypted, such as RSA-OAEP-256 or ECDH-ES"),
            Flag("enc", .text("NAME"), help: "how the content is encrypted, such as A256GCM"),
            Flag("header", .text("JSON"), help: "more members for the header"),
        ],
        examples: [
            "authkit jwt encrypt --key reader.pem --alg RSA-OAEP-256 --enc A256GCM < payload",
            "authkit jwt sign --key mine.jwk < claims.json | authkit jwt encrypt --key reader.jwk --alg ECDH-ES --enc "
                + "A128CBC-HS256 --header '{\"cty\":\"JWT\"}'",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        let input = JOSEInput(invocation)
        let header = try input.header()
        let named = try JWENames.algorithm(arguments.value("alg"), shape)
        let namedEncryption = try JWENames.encryption(arguments.value("enc"), shape)
        let (document, path) = try await input.key()
        let key = try JOSEInput.naming(path) { () throws(JWTError) in
            document.isPrivate ? Reader.own(try document.privateKey()) : Reader.other(try document.verificationKey())
        }
        // A shared key for the content names the content's encryption as its algorithm (RFC 7520 §5.6).
        let ownEncryption = key.algorithmName.flatMap(ContentEncryption.init(name:))
        let own = key.algorithmName.flatMap(JWEAlgorithm.init(name:)) ?? ownEncryption.map { _ in JWEAlgorithm.direct }
        guard let algorithm = named ?? own else {
            throw UsageError("Choose --alg; the key names none.", command: shape)
        }
        guard let encryption = namedEncryption ?? ownEncryption else {
            throw UsageError("Choose --enc, such as A256GCM.", command: shape)
        }
        var payload = try await input.payload()
        if header["cty"]?.string?.lowercased() == "jwt", payload.last == UInt8(ascii: "\n") { payload.removeLast() }
        let token: String
        do throws(JWTError) {
            switch key {
            case .own(let key):
                token = try JWE.encrypt(payload, to: key, algorithm: algorithm, encryption: encryption, header: header)
            case .other(let key):
                token = try JWE.encrypt(payload, to: key, algorithm: algorithm, encryption: encryption, header: header)
            }
        } catch {
            throw Self.failure(error, path)
        }
        try invocation.console.writeToken(token)
        return .done
    }

    /// Blames what is to blame: the key was read before, so that only its use can be wrong.
    private static func failure(_ error: JWTError, _ path: String) -> any Error {
        switch error.code {
        case .malformed: UsageError("--header: \(error.detail)", command: shape)
        case .tooLarge: CommandFailure(.badData, error.code.description, "\(error.detail) Encrypt less at once.")
        default: CommandFailure(describing: error).naming(path)
        }
    }

    private enum Reader {
        case own(PrivateJWK)
        case other(JWK)

        var algorithmName: String? {
            switch self {
            case .own(let key): key.algorithmName
            case .other(let key): key.algorithmName
            }
        }
    }
}

/// Names of encryption as flags have them.
enum JWENames {
    /// The algorithm of a name; 64 for one that there is not.
    static func algorithm(_ name: String?, _ shape: CommandShape) throws(UsageError) -> JWEAlgorithm? {
        guard let name else { return nil }
        if let algorithm = JWEAlgorithm(name: name) { return algorithm }
        throw .unknown(name, "algorithm of encryption", among: JWEAlgorithm.all.map(\.name), shape)
    }

    /// The content encryption of a name; 64 for one that there is not.
    static func encryption(_ name: String?, _ shape: CommandShape) throws(UsageError) -> ContentEncryption? {
        guard let name else { return nil }
        if let encryption = ContentEncryption(name: name) { return encryption }
        throw .unknown(name, "content encryption", among: ContentEncryption.all.map(\.name), shape)
    }
}
