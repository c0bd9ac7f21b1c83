internal import AuthKitCore

/// `jwk public`: prints the public half of a key.
enum JWKPublicCommand {
    static let shape = CommandShape(
        "jwk public",
        summary: "print the public half of a key as a JWK",
        details: ["Reads a JWK or PEM text. A symmetric key has nothing public in it and is refused."],
        operands: [Operand("FILE", completion: .file)],
        examples: ["authkit jwk public key.jwk > public.jwk", "authkit jwk public - < key.pem"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let operand = invocation.arguments.operands[0]
        let (document, path) = try await JOSEInput(invocation).key(inOperand: operand)
        let key = try JOSEInput.naming(path) { () throws(JWTError) in
            let key = try document.publicKey()
            guard !key.isSymmetric else {
                throw JWTError(.keyMismatch, "A symmetric key has no public half; who checks with it can also sign.")
            }
            return key
        }
        try invocation.console.data(.object(key.members))
        return .done
    }
}
