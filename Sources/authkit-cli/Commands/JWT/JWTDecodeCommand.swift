internal import AuthKitCore

/// `jwt decode`: shows what a token says, unverified.
enum JWTDecodeCommand {
    static let shape = CommandShape(
        "jwt decode",
        summary: "show a token's header and claims, unverified",
        details: [
            "Anybody can write a token that looks like this one: trust nothing of it. Of an encrypted token there is the "
                + "header only. A payload that is no JSON object is shown in base64url, and why."
        ],
        operands: [JOSEInput.operand],
        examples: ["authkit jwt decode < token", "authkit jwt decode --json < token"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let (document, note) = try Self.document(try await JOSEInput(invocation).token())
        let console = invocation.console
        if console.style.json {
            try console.data(.object(document))
        } else {
            console.say("Unverified: anybody can write such a token.")
            let text = String(decoding: document.serialized(pretty: true), as: UTF8.self)
            try console.data(SafeText.escaped(text) + "\n")
        }
        if let note { console.say("The payload is shown in base64url. \(note)") }
        return .done
    }

    /// What is shown of a token, and why there are no claims.
    private static func document(_ token: String) throws(JWTError) -> (JSONObject, String?) {
        var document: JSONObject = ["verified": false]
        if token.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 4 {
            document["encrypted"] = true
            document["header"] = .object(try JWE.unverifiedHeader(of: token).members)
            return (document, nil)
        }
        let decoded = try UnverifiedJWT(decoding: token)
        document["header"] = .object(decoded.header.members)
        if let claims = decoded.claims {
            document["claims"] = .object(claims)
        } else {
            document["payload"] = .string(Base64URL.encode(decoded.payload))
        }
        return (document, decoded.claimsError?.detail)
    }
}
