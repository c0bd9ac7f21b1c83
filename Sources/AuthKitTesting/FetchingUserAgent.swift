package import AuthKitCore

/// A browser that just fetches the authorization page: for issuers that ask nobody anything.
package struct FetchingUserAgent: UserAgent, RedirectReceiver {
    /// The page led nowhere, or the answer was not taken.
    package struct Failure: ProviderFailure {
        package let description: String
        package var code: String { "answer_refused" }
        package var remedy: Remedy { .signInAgain }
        package var delivery: Delivery? { nil }
    }

    package let redirectURI: String
    private let transport: any HTTPTransport

    /// Takes the redirect URI that the client is registered with, and what fetches the page.
    package init(redirectURI: String, transport: any HTTPTransport) {
        self.redirectURI = redirectURI
        self.transport = transport
    }

    /// Gives itself: there is nothing to bind.
    package func prepare(_ redirects: [String]) -> any RedirectReceiver { self }

    /// Fetches the page and takes the answer out of the redirection that it is.
    package func present(
        _ url: String,
        accepting: @escaping @Sendable (RedirectAnswer) -> Bool
    ) async throws -> RedirectAnswer {
        guard let page = WebURL(url) else { throw Failure(description: "The authorization URL is none.") }
        let answer = try await transport.send(HTTPRequest("GET", page))
        guard let location = answer.fields.first(named: "Location"), location.hasPrefix(redirectURI + "?"),
            let parameters = FormEncoding.decode(location.dropFirst(redirectURI.count + 1))
        else { throw Failure(description: "The page did not redirect to \(redirectURI).") }
        let redirect = RedirectAnswer(parameters: parameters)
        // A browser would show the 400 page while waiting goes on.
        guard accepting(redirect) else { throw Failure(description: "The answer was refused.") }
        return redirect
    }

    /// Does nothing: nobody looks.
    package func finish(_ outcome: SignInOutcome) {}
}
