internal import AuthKitCore

/// `jwk generate`: makes a private or symmetric key.
enum JWKGenerateCommand {
    static let shape = CommandShape(
        "jwk generate",
        summary: "generate a private or symmetric key as a JWK",
        details: [
            "Named is a type (RSA, EC, OKP, oct), a curve (P-256, P-384, P-521, secp256k1, Ed25519, Ed448, X25519) or an "
                + "algorithm (such as ES256, RSA-OAEP-256, A256GCM), which the key is bound to by its alg and use.",
            "RSA keys have 2048 bits, oct keys 256, unless --bits says otherwise; EC is P-256, OKP is Ed25519. A file that "
                + "is there already is never written over.",
        ],
        operands: [Operand("KTY-OR-ALG")],
        flags: [
            Flag("kid", .text("NAME"), help: "the key's name, its kid"),
            Flag("thumbprint-kid", help: "take the key's thumbprint (RFC 7638) as its kid"),
            Flag("bits", .text("N"), help: "the size of an RSA or oct key"),
            KeyOutput.flag,
        ],
        examples: [
            "authkit jwk generate ES256 --thumbprint-kid --out key.jwk",
            "authkit jwk generate RSA --bits 3072 --out key.jwk",
            "authkit jwk generate HS256 --kid k1 --out shared.jwk",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        if arguments.has("kid"), arguments.has("thumbprint-kid") {
            throw UsageError("Choose one of --kid and --thumbprint-kid.", command: shape)
        }
        if arguments.value("kid")?.isEmpty == true { throw UsageError("The kid is empty.", command: shape) }
        let bits = arguments.value("bits").map { Int($0) ?? 0 }
        let plan = try KeyPlan(arguments.operands[0], bits: bits, shape)
        let key = try PrivateJWK.generate(plan.kind, algorithmName: plan.algorithmName, use: plan.use)
        var members: JSONObject = [:]
        let keyID = arguments.has("thumbprint-kid") ? key.publicKey.thumbprint : arguments.value("kid")
        members["kid"] = keyID.map(JSONValue.string)
        for member in try key.privateMembers().members { members[member.name] = member.value }
        try KeyOutput.write(KeyOutput.text(members), try PrivateJWK(members).publicKey, invocation)
        return .done
    }
}
