import AuthKitCore

extension DevIssuer {
    /// What time the identity service says it is, by its own clock and a fault that moves it further.
    func toldTime(_ now: Moment, fault: FaultKind?) -> WallTime {
        let told = now.wall + options.niantic.clockAhead
        guard case .skewed(let seconds) = fault else { return told }
        return told + .seconds(seconds)
    }

    /// A token of the identity service that begins at a time, misshapen as a fault wants it.
    ///
    /// A fault of an exchange shapes the token that the exchange is for, and none that comes beside it.
    func mint(
        _ use: String,
        _ user: DevUser,
        _ lifetime: Duration,
        at time: WallTime,
        fault: FaultKind? = nil
    ) throws(IdentityProblem) -> String {
        do throws(OAuthProblem) {
            guard let key = locked({ $0.keys.current(options.algorithm) }) else {
                throw OAuthProblem("server_error", "There is no key for \(options.algorithm.rawValue).", status: 500)
            }
            guard fault != .opaqueToken else { return try Draw.text("opaque-") }
            let start = fault == .expired ? time - (lifetime + .seconds(3600)) : time
            let claims = NianticClaims(
                issuer: url(.identity),
                use: use,
                user: user,
                start: start.seconds,
                lifetime: lifetime.components.seconds,
                id: try Draw.text(bytes: 16),
                fault: fault
            )
            var members = claims.json
            if use.hasPrefix("build_") {
                for name in options.niantic.omittedClaims { members[name] = nil }
            }
            return try key.token(members, fault: fault)
        } catch {
            throw IdentityProblem(error)
        }
    }
}
