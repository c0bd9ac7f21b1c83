internal import AuthKitCore
internal import ProviderOIDC

/// `userinfo`: what the issuer says about the person who is signed in.
enum UserInfoCommand {
    static let shape = CommandShape(
        "userinfo",
        summary: "print the claims that the issuer has about the person signed in",
        details: ["The answer is checked to be about that person. After a 401 the token is refreshed, once."],
        operands: [.profile],
        flags: ProfileSession.flags,
        examples: ["authkit userinfo work"],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let (name, profile) = try invocation.profile()
        guard profile.provider == "oidc" else {
            throw CommandFailure.configuration(
                "\(name) is a profile of \(profile.provider), which has no userinfo; `authkit status` says who is signed in."
            )
        }
        let opened = try await ProfileSession.open(invocation)
        let issued = try await opened.session.token()
        let claims: JSONObject
        do {
            claims = try await read(issued, opened, invocation)
        } catch let error as OIDCError {
            guard let rejected = error.rejected, !issued.refreshed else { throw error }
            let fresh = try await opened.session.token(for: TokenRequest(reason: .rejected(rejected)))
            if fresh.renewalFailure != nil { throw error }
            claims = try await read(fresh, opened, invocation)
        }
        try invocation.console.data(
            String(decoding: claims.serialized(pretty: !invocation.console.style.json), as: UTF8.self) + "\n"
        )
        return .done
    }

    private static func read(
        _ issued: IssuedToken,
        _ opened: ProfileSession,
        _ invocation: Invocation
    ) async throws -> JSONObject {
        guard let account = issued.account else {
            throw CommandFailure.configuration(
                "Without openid in the scope it is not known who signed in, so the answer could not be checked; "
                    + "add openid to --scope and sign in again."
            )
        }
        guard case .oidc(let provider) = opened.provider else {
            throw CommandFailure(.software, "internal", "The profile changed its kind meanwhile; run it again.")
        }
        let held = try await opened.vault.load(opened.session.id)?.credential
        let context = ProviderContext(
            time: invocation.time,
            deadline: Deadline(.seconds(30), from: invocation.time.now)
        )
        return try await provider.userInfo(
            access: issued.token.value,
            expectedSubject: account.subject,
            held: held,
            in: context
        )
    }
}
