internal import AuthKitCore
internal import ProviderNiantic

/// How a URL that is handed over is read: strictly enough for its provider.
enum AnswerReading: Sendable {
    /// A redirect URI with an answer added; what follows a `#` is passed over, since some servers append one.
    case usual
    /// Exactly the address of the NSDK's sign-in, which has no `state` to tell a stranger's by: no fragment either.
    case exact

    /// The answer of a URL; nil where it does not belong to the redirect URI or cannot be read.
    func answer(in text: String, to redirectURI: String) -> RedirectAnswer? {
        guard let url = CallbackURL(text), url.belongs(to: redirectURI) else { return nil }
        switch self {
        case .usual: return url.answer
        case .exact where text.contains("#"): return nil
        case .exact: return url.isPrivateUse ? CallbackAddress(scheme: url.scheme).answer(in: text) : url.answer
        }
    }
}
