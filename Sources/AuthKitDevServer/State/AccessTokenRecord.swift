import AuthKitCore

/// An access token that was issued.
struct AccessTokenRecord: Sendable {
    var id: String
    var family: String
    var clientID: String
    var user: DevUser
    var scope: Scope
    var audience: [String]
    var issuedAt: WallTime
    var lifetime: Duration
    var madeAt: Moment
    var isRevoked = false
}
