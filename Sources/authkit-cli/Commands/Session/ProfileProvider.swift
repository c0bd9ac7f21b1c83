internal import AuthKitCore
internal import LoopbackHTTP
internal import ProviderNiantic
internal import ProviderOIDC

/// The provider of a profile, by its kind.
enum ProfileProvider: Sendable {
    /// OpenID Connect.
    case oidc(OIDCProvider)
    /// The NSDK, with a person at the browser.
    case niantic(NianticProvider)
    /// One for which nobody has to sign in.
    case unattended(any TokenProvider)

    /// What a session renews with.
    var base: any TokenProvider {
        switch self {
        case .oidc(let provider): provider
        case .niantic(let provider): provider
        case .unattended(let provider): provider
        }
    }

    /// Whether a person has to sign in.
    var needsPerson: Bool {
        if case .unattended = self { false } else { true }
    }

    /// How a URL that is handed over is read.
    var reading: AnswerReading {
        if case .niantic = self { .exact } else { .usual }
    }

    /// What the sign-in page does beside redirecting to loopback; nil where that is all.
    var signInSite: SignInSite? {
        guard case .niantic(let provider) = self else { return nil }
        let configuration = provider.configuration
        return WebURL(configuration.signInURL).map { page in
            SignInSite(origin: page.origin, failurePath: configuration.loopbackFailurePath)
        }
    }

    /// Where the answer of a sign-in may come to, in order.
    var redirectURIs: [String] {
        switch self {
        case .oidc(let provider): provider.configuration.redirectURIs
        case .niantic(let provider): provider.configuration.redirectURIs
        case .unattended: []
        }
    }
}
