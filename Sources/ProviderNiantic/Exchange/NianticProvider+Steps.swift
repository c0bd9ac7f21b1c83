internal import AuthKitCore

extension NianticProvider {
    /// What a session token is kept as.
    static let sessionType = "session"
    /// What an NSDK refresh token is kept as.
    static let refreshType = "refresh_token"

    /// What step 1 brought.
    struct Rotation: Sendable {
        /// The session token that is good from now on.
        let session: HeldToken
        let clockOffset: Duration?
        let receivedAt: Moment
    }

    /// What step 2 brought.
    struct MadeRefresh: Sendable {
        let refresh: HeldToken
        /// The session token, where this step rotated it too.
        let rotated: HeldToken?
        let clockOffset: Duration?
    }

    /// What step 3 brought.
    struct MadeAccess: Sendable {
        /// A new NSDK refresh token; nil where the one that was sent stays.
        let refresh: HeldToken?
        /// The access token, or why it cannot be used.
        let access: Result<HeldToken, NianticError>
        let clockOffset: Duration?
        let receivedAt: Moment
    }

    /// Step 1: `refresh_user_session_access_token`, the session token in the cookie, its successor in `Set-Cookie`.
    ///
    /// The body is not looked at: its token is another one, which nothing needs, and its `expiresAt` is that one's. What
    /// a cookie means that is missing or deleted, the configuration's assumptions say.
    func rotate(_ session: HeldToken, in context: ProviderContext) async throws -> Rotation {
        let answer = try await endpoint.send(.rotateSession, cookie: session.value, in: context)
        let assumptions = configuration.assumptions
        let kept: HeldToken
        switch SessionCookie.read(answer.response) {
        case .rotated(let next): kept = next
        case .unchanged where assumptions.missingCookie == .endsSession: throw Self.revoked
        case .deleted where assumptions.deletedCookie == .endsSession: throw Self.revoked
        case .unchanged, .deleted:
            let end = session.expiry.corrected(by: answer.clockOffset ?? .zero)
            guard end.lasts(for: .nanoseconds(1), at: context.time.now) else {
                throw NianticError(
                    .sessionEnded,
                    "The session token has ended and the service gave no other; sign in again.",
                    remedy: .signInAgain,
                    delivery: .answered
                )
            }
            kept = session
        }
        return Rotation(session: kept, clockOffset: answer.clockOffset, receivedAt: answer.response.receivedAt)
    }

    /// Step 2: `exchange_build_refresh_token`, the session token in the cookie, an NSDK refresh token in the body.
    func makeRefresh(with session: Secret, in context: ProviderContext) async throws -> MadeRefresh {
        let answer = try await endpoint.send(.makeRefreshToken, cookie: session, in: context)
        var rotated: HeldToken?
        switch SessionCookie.read(answer.response) {
        case .unchanged: break
        case .rotated(let next): rotated = next.value == session ? nil : next
        case .deleted where configuration.assumptions.deletedCookie == .keepsToken: break
        case .deleted: throw Self.revoked
        }
        guard let object = JSONAnswer.object(answer.response),
            let token = JSONAnswer.token("buildRefreshToken", in: object)
        else {
            throw UnfinishedStep(rotated: rotated, cause: Self.unusable("buildRefreshToken", answer))
        }
        let expiry = AnswerExpiry.ofRenewable(token, in: object, receivedAt: answer.response.receivedAt)
        return MadeRefresh(
            refresh: HeldToken(token, type: Self.refreshType, expiry: expiry),
            rotated: rotated,
            clockOffset: answer.clockOffset
        )
    }

    /// Step 3: `refresh_build_access_token`, the NSDK refresh token in the body, an access token and its successor back.
    func makeAccess(with refresh: HeldToken, in context: ProviderContext) async throws -> MadeAccess {
        let answer = try await endpoint.send(
            .makeAccessToken,
            members: [(name: "buildRefreshToken", value: refresh.value)],
            in: context
        )
        guard let object = JSONAnswer.object(answer.response) else {
            throw answer.failure.unusable("it is not one JSON object")
        }
        let receivedAt = answer.response.receivedAt
        // The one that was sent is spent by now: a new one is kept whatever is wrong with the rest.
        let next = JSONAnswer.token("buildRefreshToken", in: object).flatMap { $0 == refresh.value ? nil : $0 }
        let access: Result<HeldToken, NianticError>
        if let token = JSONAnswer.token("buildAccessToken", in: object) {
            let expiry = AnswerExpiry.ofAccess(
                token,
                expiresAt: object["expiresAt"],
                expiresIn: object["expiresIn"],
                receivedAt: receivedAt
            )
            access = .success(HeldToken(token, expiry: expiry))
        } else {
            access = .failure(Self.unusable("buildAccessToken", answer, isKept: next != nil))
        }
        return MadeAccess(
            // `expiresAt` is the access token's: a new refresh token says itself when it ends.
            refresh: next.map { HeldToken($0, type: Self.refreshType, expiry: AnswerExpiry.ofRenewable($0)) },
            access: access,
            clockOffset: answer.clockOffset,
            receivedAt: receivedAt
        )
    }

    /// Checks a token's signature where the app knows how.
    static func checked(_ token: Secret, _ kind: CheckedTokenKind, by check: TokenCheck?) async throws {
        guard let check else { return }
        do {
            try await check(token, kind)
        } catch let error as CancellationError {
            throw error
        } catch let failure as any ProviderFailure {
            // Keys that cannot be had now are no reason to sign anybody out.
            throw NianticError(
                .unavailable,
                "The token's signature cannot be checked: \(failure)",
                remedy: failure.remedy,
                delivery: kind == .session ? nil : .answered,
                cause: failure
            )
        } catch {
            throw NianticError(
                kind == .session ? .invalidSessionToken : .tokenRejected,
                "The \(kind == .session ? "session" : "access") token does not pass the check of its signature, so it "
                    + "is not used; sign in again.",
                remedy: .signInAgain,
                delivery: kind == .session ? nil : .answered,
                cause: error
            )
        }
    }

    /// Who a session token is about.
    func account(of token: Secret) -> Account? {
        TokenClaims(token)?.account(issuer: endpoint.url.origin, userIDClaims: configuration.userIDClaims)
    }

    /// Holds an account to the one that was there; throws `account_changed`.
    func same(_ account: Account?, as next: Account?) throws(NianticError) -> Account? {
        guard let account else { return next }
        guard let next, next.subject != account.subject || next.issuer != account.issuer else { return account }
        throw NianticError(
            .accountChanged,
            "The service answered with another account's session token, which is not used; sign in again.",
            remedy: .signInAgain,
            delivery: .answered
        )
    }

    /// Holds an NSDK token to the session's account, where the two are assumed to name one; throws `account_changed`.
    func checkSubject(of token: Secret, against account: Account?) throws(NianticError) {
        guard configuration.assumptions.nsdkSubject == .sessionSubject, let account,
            let subject = TokenClaims(token)?.text("sub"), subject != account.subject
        else { return }
        throw NianticError(
            .accountChanged,
            "The service answered with another account's NSDK token, which is not used; sign in again.",
            remedy: .signInAgain,
            delivery: .answered
        )
    }

    private static var revoked: NianticError {
        NianticError(
            .sessionRevoked,
            "The service ended the session by its cookie; sign in again.",
            remedy: .signInAgain,
            delivery: .answered
        )
    }

    private static func unusable(
        _ member: String,
        _ answer: IdentityEndpoint.Answer,
        isKept: Bool = false
    ) -> NianticError {
        let delivery: Delivery = isKept ? .answered : .sentNoAnswer
        if let words = ErrorWords.read(answer.response, secrets: answer.failure.secrets) {
            return answer.failure.contradictory(words, delivery: isKept ? .answered : .answeredUnclear)
        }
        return answer.failure.unusable("it has no usable \(member)", delivery: delivery)
    }
}

/// A step whose answer cannot be used, but rotated the session token all the same.
struct UnfinishedStep: Error {
    /// The session token to keep.
    let rotated: HeldToken?
    /// What is wrong.
    let cause: NianticError
}
