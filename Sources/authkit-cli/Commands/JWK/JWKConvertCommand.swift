internal import AuthKitCore

/// `jwk convert`: writes a key in the other form.
enum JWKConvertCommand {
    static let shape = CommandShape(
        "jwk convert",
        summary: "write a key as PEM text or as a JWK",
        details: [
            "A private key stays private: PKCS#8, not encrypted. A public one becomes a PUBLIC KEY. PEM text has neither "
                + "kid nor alg, and no symmetric keys."
        ],
        operands: [Operand("FILE", completion: .file)],
        flags: [Flag("to", .choice(["pem", "jwk"]), help: "the form"), KeyOutput.flag],
        examples: [
            "authkit jwk convert key.jwk --to pem --out key.pem", "authkit jwk convert public.pem --to jwk",
            "authkit jwk convert - --to pem < public.jwk",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        guard let form = arguments.value("to") else {
            throw UsageError("Choose the form: --to pem or --to jwk.", command: shape)
        }
        let (document, path) = try await JOSEInput(invocation).key(inOperand: arguments.operands[0])
        let (key, text) = try JOSEInput.naming(path) { () throws(JWTError) in
            let isPEM = form == "pem"
            guard document.isPrivate else {
                let key = try document.verificationKey()
                return (key, isPEM ? try key.pem() : KeyOutput.text(key.members))
            }
            let key = try document.privateKey()
            return (key.publicKey, isPEM ? try key.privatePEM() : KeyOutput.text(try key.privateMembers()))
        }
        let isPlain = try KeyOutput.file(invocation) != nil || form == "jwk" || !invocation.console.style.json
        if isPlain {
            try KeyOutput.write(text, key, invocation)
        } else {
            try invocation.console.data(["pem": .string(text)])
        }
        return .done
    }
}
