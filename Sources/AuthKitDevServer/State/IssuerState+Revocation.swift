import AuthKitCore

extension IssuerState {
    /// Revokes a token of a client (RFC 7009 §2.1); one that is unknown is no error (§2.2).
    ///
    /// A refresh token, used ones too, ends its family; an access token only itself.
    mutating func revoke(_ token: String, by client: DevClient) throws(OAuthProblem) {
        if let id = refreshTokens[token], let family = families[id] {
            guard family.clientID == client.id else { throw Self.notYours }
            end(id)
        } else if var record = accessTokens[token] {
            guard record.clientID == client.id else { throw Self.notYours }
            record.isRevoked = true
            accessTokens[token] = record
        }
    }

    private static let notYours = OAuthProblem("unauthorized_client", "The token belongs to another client.")
}
