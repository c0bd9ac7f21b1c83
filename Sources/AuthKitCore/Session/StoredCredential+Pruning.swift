extension StoredCredential {
    /// The most access tokens that are kept beside the one asked for.
    private static let accessTokenLimit = 32

    /// Drops access tokens that have ended, and of the others those that end first where there are too many.
    ///
    /// The one that was asked for stays, and so does the one that sign-in brought: `status` tells when it ended.
    mutating func dropEndedAccessTokens(except key: AccessTokenKey, at now: Moment) {
        let kept: Set = [key, .primary]
        accessTokens = accessTokens.filter { kept.contains($0.key) || lasts($0.value, for: .zero, at: now) }
        let others = accessTokens.filter { !kept.contains($0.key) }
        guard others.count > Self.accessTokenLimit else { return }
        let ordered = others.sorted { left, right in
            switch (expiry(of: left.value).remaining(at: now), expiry(of: right.value).remaining(at: now)) {
            case (.lasts(let one), .lasts(let other)): one > other
            case (_, .lasts): true
            default: false
            }
        }
        for (key, _) in ordered.dropFirst(Self.accessTokenLimit) { accessTokens[key] = nil }
    }
}
