import AuthKitCore

/// What a token of the identity service says of itself, misshapen as a fault wants it.
struct NianticClaims: Sendable {
    /// Who issued it.
    let issuer: String
    /// What it is for.
    let use: String
    /// Who it is about.
    let user: DevUser
    /// When it begins, in seconds since 1970.
    let start: Int64
    /// How long it lives, in seconds.
    let lifetime: Int64
    /// What makes it another one than all others.
    let id: String
    /// What is to be wrong with it.
    let fault: FaultKind?

    /// The claims.
    var json: JSONObject {
        var members: [(name: String, value: JSONValue?)] = [("iss", .string(issuer))]
        members += person
        let rest: [(name: String, value: JSONValue?)] = [
            ("aud", .audience(fault == .severalAudiences ? ["nsdk", "nsdk-extra"] : ["nsdk"])),
            ("iat", .integer(start)),
            ("exp", end),
            ("jti", .string(id)),
            ("token_use", .string(use)),
        ]
        return JSONObject.make(members + rest)
    }

    /// The claims that name somebody.
    private var person: [(name: String, value: JSONValue?)] {
        var members: [(name: String, value: JSONValue?)]
        switch fault {
        case .missingSubject: return []
        case .userIDClaim(let name): members = [(name, .string(user.subject))]
        default: members = [("sub", .string(user.subject)), ("user_id", .string(user.subject))]
        }
        guard fault != .noNames else { return members }
        members.append(("name", user.fullName.isEmpty ? nil : .string(user.fullName)))
        members.append(("email", user.email.isEmpty ? nil : .string(user.email)))
        return members
    }

    private var end: JSONValue? {
        let end = start + lifetime
        return switch fault {
        case .missingExp, .noEnd, .lifetimeOnly: nil
        case .fractionalExp: JSONNumber(Double(end) + 0.5).map(JSONValue.number)
        case .textExp: .string("\(end)")
        default: .integer(end)
        }
    }
}
