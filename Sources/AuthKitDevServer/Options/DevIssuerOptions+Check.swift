extension DevIssuerOptions {
    /// What there are keys for.
    var keyAlgorithms: Set<DevSigningAlgorithm> {
        hasKeyForEachAlgorithm
            ? Set(DevSigningAlgorithm.allCases) : Set([algorithm] + clients.compactMap(\.algorithm))
    }

    /// Refuses options that no issuer can work with.
    func check() throws(DevServerError) {
        guard !users.isEmpty else { throw DevServerError(.badOptions, "Give the issuer at least one user.") }
        guard Set(clients.map(\.id)).count == clients.count, !clients.contains(where: \.id.isEmpty) else {
            throw DevServerError(.badOptions, "Give each client an id of its own.")
        }
        try niantic.check()
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isPath =
            path.isEmpty
            || path.hasPrefix("/")
                && segments.allSatisfy { segment in
                    !segment.isEmpty && segment != "." && segment != ".."
                        && segment.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._~".contains($0)) }
                }
        guard isPath else {
            throw DevServerError(.badOptions, "Write the issuer's path as /name/name, without a slash at the end.")
        }
    }
}
