/// Gives the text of an access token to code that wants nothing else.
///
/// **What it gives is the secret itself**: no redaction protects it any more, and whoever holds it can use it until it
/// ends. Prefer `Session.perform`, which also answers challenges; a token that a resource refused is not renewed here.
public struct TokenSource: Sendable {
    private let session: Session
    private let request: TokenRequest
    private let validFor: Duration

    init(session: Session, request: TokenRequest, validFor: Duration) {
        self.session = session
        self.request = request
        self.validFor = validFor
    }

    /// Gives a token that is good for the time asked for, renewing if needed; throws what `Session.token` throws.
    public func token() async throws -> String {
        try await session.token(for: request, validFor: validFor).token.value.reveal()
    }
}

extension Session {
    /// Makes an adapter for code that wants the text of a token; see there for what that means.
    public func tokenSource(
        for request: TokenRequest = TokenRequest(),
        validFor: Duration = .seconds(60)
    ) -> TokenSource {
        TokenSource(session: self, request: request, validFor: validFor)
    }
}
