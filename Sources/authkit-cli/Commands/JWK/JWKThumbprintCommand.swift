internal import AuthKitCore

/// `jwk thumbprint`: prints a key's thumbprint.
enum JWKThumbprintCommand {
    static let shape = CommandShape(
        "jwk thumbprint",
        summary: "print a key's SHA-256 thumbprint (RFC 7638) in base64url",
        details: [
            "Reads a JWK or PEM text, private or public: both halves have the same thumbprint. That of a symmetric key "
                + "tells whoever can guess the key."
        ],
        operands: [Operand("FILE", completion: .file)],
        examples: ["authkit jwk thumbprint key.jwk", "authkit jwk thumbprint - < key.pem"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let operand = invocation.arguments.operands[0]
        let (document, path) = try await JOSEInput(invocation).key(inOperand: operand)
        let key = try JOSEInput.naming(path) { () throws(JWTError) in try document.publicKey() }
        if invocation.console.style.json {
            try invocation.console.data(["thumbprint": .string(key.thumbprint)])
        } else {
            try invocation.console.data(key.thumbprint + "\n")
        }
        return .done
    }
}
