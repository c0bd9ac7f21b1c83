internal import AuthKitCore

/// What a provider keeps of its issuer between calls: its documents for an hour, and the keys.
final class KnownIssuer: Sendable {
    private struct State {
        var metadata: (document: ProviderMetadata, since: Moment)?
        var addition: (document: ProviderMetadata, since: Moment)?
        var keys: RemoteJWKSet?
    }

    private let state = Guarded(State())

    /// The document, unless it is too old; failures are never kept.
    func metadata(at now: Moment) -> ProviderMetadata? {
        Self.fresh(state.withLock { $0.metadata }, at: now)
    }

    /// What RFC 8414's document names beside it, unless that is too old; without addresses where it names nothing.
    func addition(at now: Moment) -> ProviderMetadata? {
        Self.fresh(state.withLock { $0.addition }, at: now)
    }

    /// Keeps a document that was just checked.
    func keep(_ document: ProviderMetadata, at now: Moment) {
        state.withLock { $0.metadata = (document, now) }
    }

    /// Keeps what RFC 8414's document names beside it.
    func keep(addition: ProviderMetadata, at now: Moment) {
        state.withLock { $0.addition = (addition, now) }
    }

    /// Drops both documents: an endpoint has answered that it is not there.
    func forget() {
        state.withLock { state in
            state.metadata = nil
            state.addition = nil
        }
    }

    private static func fresh(
        _ kept: (document: ProviderMetadata, since: Moment)?,
        at now: Moment
    ) -> ProviderMetadata? {
        guard let (document, since) = kept, (.zero..<OIDCProvider.memoryLifetime).contains(now.since(since))
        else { return nil }
        return document
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
