import AuthKitCore

/// What the development identity service of the NSDK has done so far.
public struct DevNianticStatistics: Sendable, Hashable {
    /// More exchanges than this are not listed; the oldest go.
    public static let exchangeLogLimit = 1000

    /// Session tokens that the sign-in page sent to an app.
    public internal(set) var signIns = 0
    /// Browsers that came to the sign-out page with a token.
    public internal(set) var signOuts = 0
    /// Step 1: session tokens that were taken.
    public internal(set) var sessionsRotated = 0
    /// Step 2: NSDK refresh tokens made.
    public internal(set) var refreshTokensMade = 0
    /// Step 3: NSDK access tokens made of refresh tokens.
    public internal(set) var accessTokensMade = 0
    /// Access tokens made of service account keys.
    public internal(set) var keysExchanged = 0
    /// Access tokens that the app's own back end handed out.
    public internal(set) var backendTokensMade = 0
    /// Session and NSDK refresh tokens that came after they were used.
    public internal(set) var reuseDetections = 0
    /// Families that ended, by reuse, sign-out or a deleted cookie.
    public internal(set) var familiesKilled = 0
    /// Families that live.
    public internal(set) var activeFamilies = 0
    /// Requests for tokens, oldest first.
    public internal(set) var exchanges: [ExchangeRecord] = []

    init() {}

    mutating func note(_ record: ExchangeRecord) {
        if exchanges.count >= Self.exchangeLogLimit { exchanges.removeFirst() }
        exchanges.append(record)
    }

    /// The statistics as JSON.
    var json: JSONObject {
        JSONObject.make([
            ("sign_ins", .integer(signIns)),
            ("sign_outs", .integer(signOuts)),
            ("sessions_rotated", .integer(sessionsRotated)),
            ("refresh_tokens_made", .integer(refreshTokensMade)),
            ("access_tokens_made", .integer(accessTokensMade)),
            ("keys_exchanged", .integer(keysExchanged)),
            ("backend_tokens_made", .integer(backendTokensMade)),
            ("reuse_detections", .integer(reuseDetections)),
            ("families_killed", .integer(familiesKilled)),
            ("active_families", .integer(activeFamilies)),
            ("exchanges", .strings(exchanges.map(\.description))),
        ])
    }
}
