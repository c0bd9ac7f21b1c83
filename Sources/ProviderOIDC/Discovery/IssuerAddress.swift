internal import AuthKitCore

/// What was configured as the issuer: an issuer identifier, or the full address of its discovery document.
///
/// Issuers stay strings from end to end: one slash is left out to build an address, and never when comparing.
struct IssuerAddress: Sendable, Hashable {
    /// The two kinds of discovery document.
    enum Document: String, Sendable, CaseIterable {
        /// OpenID Connect Discovery §4.
        case openID = "/.well-known/openid-configuration"
        /// RFC 8414 §3.
        case oauth = "/.well-known/oauth-authorization-server"
    }

    /// What was configured.
    let text: String
    /// The issuers that the document may name, byte for byte: two where a full address leaves the final slash open.
    let issuers: [String]
    /// The address of the document where it was given in full.
    private let document: WebURL?
    /// Scheme, host and port as written.
    private let authority: String
    /// The issuer's path without one final slash.
    private let path: String

    /// Reads the setting; nil for other than `https` (or `http` on loopback), or an issuer with a query.
    init?(_ text: String) {
        guard let url = WebURL(text), url.isSecureOrLoopback else { return nil }
        self.text = text
        let query = url.query.map { "?" + $0 } ?? ""
        authority = String(text.dropLast(url.path.count + query.count))
        let found = Document.allCases.lazy.compactMap { document in
            url.path.firstRange(of: document.rawValue).map { (url.path[..<$0.lowerBound], url.path[$0.upperBound...]) }
        }.first
        guard let (before, after) = found else {
            // RFC 8414 §2, OpenID Connect Discovery §3: no query and no fragment in an issuer.
            guard url.query == nil else { return nil }
            document = nil
            path = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
            issuers = [text]
            return
        }
        guard before.isEmpty || after.isEmpty, after.isEmpty || after.hasPrefix("/") else { return nil }
        let joined = String(before + after)
        path = joined.hasSuffix("/") ? String(joined.dropLast()) : joined
        document = url
        issuers = [authority + path, authority + path + "/"]
    }

    /// Whether the document's own address was given.
    var isDocument: Bool { document != nil }

    /// Where RFC 8414 §3.1 puts the document: between host and path.
    var oauthDocument: WebURL? { WebURL(authority + Document.oauth.rawValue + path) }

    /// Whether a place is one for RFC 8414's document.
    static func isOAuthDocument(_ place: WebURL) -> Bool { place.path.contains(Document.oauth.rawValue) }

    /// Where the document may be, best first: OpenID's place first for OpenID, RFC 8414's for plain OAuth.
    func documents(openID: Bool) -> [WebURL] {
        if let document { return [document] }
        // OpenID Connect Discovery §4: appended to the issuer.
        let appended = WebURL(authority + path + Document.openID.rawValue)
        return (openID ? [appended, oauthDocument] : [oauthDocument, appended]).compactMap(\.self)
    }

    /// Why an issuer is not the one configured, in one sentence; nil when it is.
    func mismatch(with named: String, in document: WebURL) -> OIDCError? {
        // OpenID Connect Discovery §4.3, RFC 8414 §3.3: identical, byte for byte.
        if issuers.contains(where: { Array($0.utf8) == Array(named.utf8) }) { return nil }
        let expected = issuers[0]
        var sentence = "The discovery document at \(document) names the issuer \"\(named)\" instead of \"\(expected)\""
        if named == expected + "/" || named + "/" == expected {
            sentence += "; only the final slash differs: configure \"\(named)\"."
        } else {
            sentence += "; configure the issuer exactly as it names itself, if that is the one you mean."
        }
        return OIDCError(.issuerMismatch, sentence, remedy: .fixConfiguration, delivery: .answered)
    }
}
