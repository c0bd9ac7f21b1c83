internal import AuthKitCore

/// What a provider keeps of its issuer between calls: the document for an hour, and the keys.
final class KnownIssuer: Sendable {
    private struct State {
        var metadata: (document: ProviderMetadata, since: Moment)?
        var keys: RemoteJWKSet?
    }

    private let state = Guarded(State())

    /// The document, unless it is too old; failures are never kept.
    func metadata(at now: Moment) -> ProviderMetadata? {
        state.withLock { state in
            guard let (document, since) = state.metadata,
                (.zero..<OIDCProvider.memoryLifetime).contains(now.since(since))
            else { return nil }
            return document
        }
    }

    /// Keeps a document that was just checked.
    func keep(_ document: ProviderMetadata, at now: Moment) {
        state.withLock { $0.metadata = (document, now) }
    }

    /// Drops the document: an endpoint has answered that it is not there.
    func forget() {
        state.withLock { $0.metadata = nil }
    }

    /// The keys published at an address: the same set each time, so that its cache and its limits hold.
    func keys(
        at url: WebURL,
        make: () throws(KeySetError) -> RemoteJWKSet
    ) throws(KeySetError) -> RemoteJWKSet {
        if let keys = state.withLock({ $0.keys }), keys.url == url { return keys }
        let made = try make()
        return state.withLock { state in
            if let keys = state.keys, keys.url == url { return keys }
            state.keys = made
            return made
        }
    }
}
