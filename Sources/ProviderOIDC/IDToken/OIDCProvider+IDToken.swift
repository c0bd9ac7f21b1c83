internal import AuthKitCore

extension OIDCProvider {
    /// Verifies an ID token: signature, `iss`, `aud`, times, then the rules of OpenID Connect Core §3.1.3.7 and §12.2.
    ///
    /// Every failure says that the token request itself was answered, whatever came after it.
    func verify(
        _ idToken: Secret,
        beside access: HeldToken,
        of answer: TokenAnswer,
        at metadata: ProviderMetadata,
        _ occasion: IDTokenCheck.Occasion,
        in context: ProviderContext
    ) async throws -> IDTokenClaims {
        do {
            let token = try await verifySignature(of: idToken, for: answer, at: metadata, in: context)
            let check = IDTokenCheck(configuration: configuration, occasion: occasion)
            return try check.claims(of: token, access: access.value, now: context.time.now.wall)
        } catch {
            throw OIDCError.afterAnswer(error, doing: "Checking the ID token")
        }
    }

    private func verifySignature(
        of idToken: Secret,
        for answer: TokenAnswer,
        at metadata: ProviderMetadata,
        in context: ProviderContext
    ) async throws -> VerifiedJWT {
        guard let issuer = metadata.issuer else {
            throw OIDCError.configuration("The issuer is not known, so ID tokens cannot be checked: set the issuer.")
        }
        // OpenID Connect Core §3.1.3.7 (2, 3, 6 to 10); §2: these claims are required.
        let policy = JWTPolicy(
            algorithms: try IDTokenAlgorithms.allowed(
                configured: configuration.idTokenAlgorithms,
                metadata: metadata.idTokenAlgorithms
            ),
            issuer: issuer,
            audience: configuration.clientID,
            requiredClaims: ["iss", "sub", "aud", "exp", "iat"],
            // ID tokens have had no type of their own for long: IDTokenCheck refuses those of other kinds instead.
            type: .insecureAny,
            clockSkew: configuration.clockSkew
        )
        let url = try metadata.url(\.jwksURI, named: "jwks_uri")
        let keys = try known.keys(at: url) { () throws(KeySetError) in
            try RemoteJWKSet(url, transport: transport, time: time, tls: configuration.tls)
        }
        do {
            let now = context.time.now.wall
            let token = try await JWTVerifier(policy: policy).verify(idToken.reveal(), with: keys, at: now)
            Trace.check(
                "signature, iss, aud, exp, iat of the ID token (\(token.algorithm))",
                passed: true,
                clause: "OpenID Core §3.1.3.7"
            )
            return token
        } catch let error as JWTError {
            Trace.check(
                "signature, iss, aud, exp, iat of the ID token (\(error.code))",
                passed: false,
                clause: "OpenID Core §3.1.3.7"
            )
            throw OIDCError(
                .invalidIDToken,
                "The ID token was refused, and nothing of the answer is used: \(Self.clause(error))\(answer.clockAdvice); "
                    + "\(Self.advice(error.code)).",
                remedy: .fixConfiguration,
                delivery: .answered,
                cause: error
            )
        }
    }

    /// The sentence of an error as a part of a longer one.
    private static func clause(_ error: JWTError) -> String {
        let text = error.detail.hasSuffix(".") ? String(error.detail.dropLast()) : error.detail
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// What can be done about an ID token that is refused: most often by the issuer alone.
    private static func advice(_ code: JWTError.Code) -> String {
        switch code {
        case .expired, .notYetValid, .issuedInFuture, .tooOld: "set this machine's clock, or tell the issuer's operator"
        case .wrongIssuer, .wrongAudience: "check issuer and client identifier, or tell the issuer's operator"
        case .algorithmNotAllowed, .unsupportedAlgorithm:
            "check which algorithms ID tokens may have, or tell the issuer's operator"
        default: "sign in again, and tell the issuer's operator if it stays so"
        }
    }
}
