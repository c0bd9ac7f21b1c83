internal import AuthKitCore

/// `jwt decrypt`: decrypts a token and prints its payload.
enum JWTDecryptCommand {
    static let shape = CommandShape(
        "jwt decrypt",
        summary: "decrypt a token and print its payload",
        details: [
            "Ends with 0 and prints the payload as it was encrypted, or with 1 and the reason's code. Who encrypted it is "
                + "not known: with a public key anybody can. Verify the signed token that is inside.",
            "With --json it is one object, {\"header\":{…},\"payload\":\"…\"}, the payload in base64url.",
            "--alg and --enc narrow what is accepted; without them it is whatever the key fits.",
        ],
        operands: [JOSEInput.operand],
        flags: [
            Flag("key", .file("FILE"), help: "the private or shared key: a JWK or PEM text"),
            Flag("alg", .text("NAME"), help: "the only algorithm accepted"),
            Flag("enc", .text("NAME"), help: "the only content encryption accepted"),
        ],
        examples: [
            "authkit jwt decrypt --key reader.jwk < token",
            "authkit jwt decrypt --key reader.jwk < token | authkit jwt verify --jwks senders.json --audience me",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        let input = JOSEInput(invocation)
        let algorithm = try JWENames.algorithm(arguments.value("alg"), shape)
        let encryption = try JWENames.encryption(arguments.value("enc"), shape)
        let policy = JWEPolicy(
            algorithms: algorithm.map { [$0] } ?? JWEAlgorithm.all,
            encryptions: encryption.map { [$0] } ?? ContentEncryption.all
        )
        do {
            let token = try await input.token()
            let (document, path) = try await input.key()
            let key = try JOSEInput.naming(path) { () throws(JWTError) in try document.privateKey() }
            let decrypted = try JWE.decrypt(token, with: key, policy: policy)
            guard invocation.console.style.json else {
                try invocation.console.data(decrypted.plaintext)
                return .done
            }
            try invocation.console.data([
                "header": .object(decrypted.header.members),
                "payload": .string(Base64URL.encode(decrypted.plaintext)),
            ])
        } catch let error as JWTError {
            throw CommandFailure.refused(error, invocation.console)
        }
        return .done
    }
}
