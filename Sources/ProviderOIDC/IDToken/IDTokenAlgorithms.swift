public import AuthKitCore

/// Which signature algorithms an ID token may have.
public enum IDTokenAlgorithms: Sendable {
    /// Reads names from a setting; refuses `none`, symmetric ones and unknown ones with a sentence that says so.
    public static func named(_ names: [String]) throws(OIDCError) -> [JWSAlgorithm] {
        var algorithms: [JWSAlgorithm] = []
        for name in names {
            guard let algorithm = JWSAlgorithm(name: name), !algorithm.isSymmetric else {
                let why =
                    name == "none"
                    ? "is no signature" : name.hasPrefix("HS") ? "is symmetric and not supported" : "is not supported"
                throw .configuration("The ID-token algorithm \(name) \(why); choose from \(all).")
            }
            algorithms.append(algorithm)
        }
        return algorithms
    }

    /// The list to enforce: what is configured, else what the metadata lists and is supported, else RS256.
    static func allowed(configured: [JWSAlgorithm]?, metadata: [String]?) throws(OIDCError) -> [JWSAlgorithm] {
        if let configured { return configured }
        // OpenID Connect Discovery §3: RS256 must be among those listed; where nothing is listed it is the rule.
        guard let metadata, !metadata.isEmpty else { return [.rs256] }
        let usable = metadata.compactMap { JWSAlgorithm(name: $0) }.filter { !$0.isSymmetric }
        guard !usable.isEmpty else {
            throw OIDCError(
                .unsupported,
                "The issuer signs ID tokens with \(metadata.prefix(8).joined(separator: ", ")) only; "
                    + "have the client registered for one of \(all).",
                remedy: .fixConfiguration,
                delivery: .answered
            )
        }
        return usable
    }

    private static var all: String { JWSAlgorithm.asymmetric.map(\.name).joined(separator: ", ") }
}
