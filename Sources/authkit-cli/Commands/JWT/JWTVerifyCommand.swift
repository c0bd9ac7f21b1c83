internal import AuthKitCore

/// `jwt verify`: checks a token, or one a line, and prints what was signed.
enum JWTVerifyCommand {
    static let shape = CommandShape(
        "jwt verify",
        summary: "check a token's signature and claims, and print its payload",
        details: [
            "Ends with 0 and prints the payload, or with 1 and the reason's code, such as bad_signature or expired. The "
                + "token may stand on standard input. Tokens with none as their algorithm are never accepted.",
            "exp, nbf and iat are checked where they are present; iss, aud and typ may be anything unless they are asked "
                + "for.",
            "--batch reads one JSON object a line: {\"id\":…, \"token\":\"…\", \"jwks\":{…} or \"jwk\":{…} or \"pem\":\"…\", "
                + "\"alg\":[\"…\"], \"audience\":\"…\", \"issuer\":\"…\", \"typ\":\"…\", \"nonce\":\"…\", "
                + "\"require_exp\":true, \"at\":N, \"clock_skew\":N, \"signature_only\":true}; all but the token and its key "
                + "may be left out. Each is answered by a line, in order, with id, valid, and payload (in base64url) or "
                + "code. It ends with 0 when all are valid, else with 1. A line that cannot be used, such as one whose key is "
                + "none, is answered with bad_request; one of more than 4 MiB, or with a token of more than 1 MiB, with "
                + "too_large.",
            "Codes: " + JWTError.Code.all.map(\.description).joined(separator: ", ")
                + "; in a batch also bad_request. Those about claims beyond the ones named here come from the policies "
                + "of the library, decryption_failed from jwt decrypt.",
        ],
        operands: [JOSEInput.operand],
        flags: VerificationKeys.flags + TokenCheck.flags + [
            Flag("batch", .file("FILE|-"), help: "check the tokens of a file or of standard input, one a line")
        ] + ProfileSession.flags,
        examples: [
            "authkit jwt verify --issuer https://issuer.example --audience my-api < token",
            "authkit jwt verify --jwks https://issuer.example/keys --alg RS256 --typ at+jwt - < token",
            "authkit jwt verify --key public.pem --signature-only < token",
            "authkit jwt verify --batch tokens.ndjson",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        if let file = arguments.value("batch") { return try await runBatch(file, invocation) }
        var check = try TokenCheck(arguments, invocation.console)
        let moment = try TokenCheck.moment(arguments)
        let input = JOSEInput(invocation)
        do {
            // First of all: an argument shall not be seen for as long as the network may take.
            let token = try await input.token()
            let source = try await VerificationKeys.read(invocation)
            check.issuer = check.issuer ?? (check.isSignatureOnly ? nil : source.issuer)
            var accessToken: Secret?
            if let file = arguments.value("access-token-file") {
                accessToken = try await input.secret(in: file, by: "access-token-file")
            }
            let payload = try TokenChecker(check, with: source.keys).payload(
                of: token,
                at: moment ?? invocation.time.now.wall,
                accessToken: accessToken
            )
            try invocation.console.data(payload)
        } catch let error as JWTError {
            throw CommandFailure.refused(error, invocation.console)
        }
        return .done
    }

    private static func runBatch(_ file: String, _ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        let others = shape.flags.map(\.name).filter { $0 != "batch" }
        if let flag = others.first(where: arguments.has) {
            throw UsageError("With --batch everything stands in its lines; leave out --\(flag).", command: shape)
        }
        if arguments.operand(0) != nil {
            throw UsageError("With --batch the tokens stand in its lines; leave out TOKEN.", command: shape)
        }
        try JOSEInput(invocation).checkName(file, by: "--batch")
        let source =
            file == "-"
            ? invocation.surroundings.input.pieces : try OpenedFile.open(invocation.places.absolute(file))
        var batch = BatchVerification(time: invocation.time)
        return try await batch.run(source, invocation.console.sink) ? .done : .negative
    }
}
