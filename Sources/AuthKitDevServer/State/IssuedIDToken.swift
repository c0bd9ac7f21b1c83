/// What an ID token that comes back as a hint stands for.
struct IssuedIDToken: Sendable {
    var clientID: String
    var subject: String
    var sessionID: String
}
