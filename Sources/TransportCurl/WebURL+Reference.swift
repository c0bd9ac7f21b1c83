internal import AuthKitCore

extension WebURL {
    /// Resolves a reference against this URL, its fragment dropped (RFC 3986 §5.2.2); nil when it is no web URL.
    func resolving(_ reference: String) -> WebURL? {
        let reference = reference.prefix { $0 != "#" }
        if Self.hasScheme(reference) { return WebURL(String(reference)) }
        if reference.hasPrefix("//") { return WebURL("\(scheme):\(reference)") }
        let authority = text.dropFirst(scheme.count + 3).prefix { $0 != "/" && $0 != "?" }
        let start = "\(scheme)://\(authority)"
        let referencePath = reference.prefix { $0 != "?" }
        let referenceQuery = reference.dropFirst(referencePath.count)
        if referencePath.isEmpty {
            // RFC 3986 §5.2.2: the base's path stays, its query too unless the reference has one.
            let kept = referenceQuery.isEmpty ? query.map { "?" + $0 } ?? "" : String(referenceQuery)
            return WebURL(start + path + kept)
        }
        let merged = referencePath.hasPrefix("/") ? String(referencePath) : directory + referencePath
        return WebURL(start + Self.removingDotSegments(merged) + referenceQuery)
    }

    /// The path up to its last slash (RFC 3986 §5.2.3).
    private var directory: String {
        guard let slash = path.lastIndex(of: "/") else { return "/" }
        return String(path[...slash])
    }

    /// RFC 3986 §3.1: a letter, then letters, digits, `+`, `-` or `.`, then a colon before any slash.
    private static func hasScheme(_ reference: Substring) -> Bool {
        guard let colon = reference.firstIndex(of: ":"), let first = reference.first, first.isASCII, first.isLetter
        else { return false }
        return reference[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// RFC 3986 §5.2.4, for a path that begins with a slash.
    private static func removingDotSegments(_ path: String) -> String {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        for segment in segments {
            switch segment {
            case ".": break
            case "..": _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }
}
