import AuthKitCore

extension DevIssuer {
    /// A signed token of the identity service, misshapen as a fault wants it.
    func mint(
        _ use: String,
        _ user: DevUser,
        _ lifetime: Duration,
        age: Duration = .zero,
        fault: FaultKind? = nil
    ) throws(IdentityProblem) -> String {
        let start = clock(fault) - age
        do throws(OAuthProblem) {
            let id = try Draw.text(bytes: 16)
            if fault == .opaqueToken { return "opaque-\(id)" }
            guard let key = locked({ $0.keys.current(options.algorithm) }) else {
                throw OAuthProblem("server_error", "There is no key for \(options.algorithm.rawValue).", status: 500)
            }
            let names = Self.names(of: user, fault: fault)
            let claims = JSONObject.make(
                [("iss", .string(url(.identity)))] + names + [
                    ("aud", fault == .audienceList ? ["nsdk", "vps"] : "nsdk"),
                    ("iat", .integer(start.seconds)),
                    ("exp", Self.end(start + lifetime, fault: fault)),
                    ("jti", .string(id)),
                    ("token_use", .string(use)),
                ]
            )
            return try key.sign(claims, type: "JWT")
        } catch {
            throw IdentityProblem(error)
        }
    }

    /// The time by which an answer is made.
    func clock(_ fault: FaultKind?) -> WallTime {
        let now = options.time.now.wall
        guard case .clock(let seconds)? = fault else { return now }
        return now + .seconds(seconds)
    }

    private static func names(of user: DevUser, fault: FaultKind?) -> [(name: String, value: JSONValue?)] {
        if fault == .unnamedUser { return [] }
        let isElsewhere = fault == .otherUserClaim
        return [
            ("sub", isElsewhere ? nil : .string(user.subject)),
            (isElsewhere ? "https://nsdk.example/user_id" : "user_id", .string(user.subject)),
            ("name", user.fullName.isEmpty ? nil : .string(user.fullName)),
            ("email", user.email.isEmpty ? nil : .string(user.email)),
        ]
    }

    private static func end(_ end: WallTime, fault: FaultKind?) -> JSONValue? {
        switch fault {
        case .lifetimeExpiry, .unknownEnd: nil
        case .earlierTokenExpiry: .integer(end.seconds - 600)
        case .laterTokenExpiry: .integer(end.seconds + 600)
        case .fractionalTokenExpiry: JSONNumber(Double(end.seconds) + 0.5).map(JSONValue.number)
        case .textTokenExpiry: .string("\(end.seconds)")
        case .endedToken: .integer(end.seconds - 365 * 86_400)
        default: .integer(end.seconds)
        }
    }
}
