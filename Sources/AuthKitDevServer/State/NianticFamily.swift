/// What one sign-in at the NSDK's page brought: its tokens end together.
struct NianticFamily: Sendable {
    let user: DevUser
    var hasEnded = false
}
