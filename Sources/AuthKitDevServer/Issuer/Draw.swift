import AuthKitCore

/// Random names and tokens.
enum Draw {
    /// Random bytes as text.
    static func text(_ prefix: String = "", bytes: Int = 32) throws(OAuthProblem) -> String {
        do {
            return prefix + Base64URL.encode(try Random.bytes(bytes))
        } catch {
            throw OAuthProblem("server_error", "There is no randomness on this machine.", status: 500)
        }
    }
}
