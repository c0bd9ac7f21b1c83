/// Small values as JSON, shared by the payload's and the metadata's forms.
enum RecordCoding {
    /// Is thrown by every reader here; the vault names the record.
    struct Unreadable: Error {}

    /// Whole seconds and nanoseconds: a single count of nanoseconds would end in 2262.
    static func value(of duration: Duration) -> JSONValue {
        let parts = duration.components
        return .array([.integer(parts.seconds), .integer(parts.attoseconds / 1_000_000_000)])
    }

    static func duration(_ value: JSONValue?) throws -> Duration {
        guard let parts = value?.array, parts.count == 2, let seconds = parts[0].int64, let rest = parts[1].int64 else {
            throw Unreadable()
        }
        return .seconds(seconds) + .nanoseconds(rest)
    }

    static func value(of time: WallTime) -> JSONValue { value(of: time.sinceEpoch) }

    static func wallTime(_ value: JSONValue?) throws -> WallTime? {
        guard let value else { return nil }
        return WallTime(sinceEpoch: try duration(value))
    }

    static func value(of moment: Moment) -> JSONValue {
        .object([
            "wall": value(of: moment.wall), "since_boot": value(of: moment.sinceBoot),
            "boot": .string(moment.boot),
        ])
    }

    static func moment(_ value: JSONValue?) throws -> Moment? {
        guard let value else { return nil }
        guard let object = value.object, let wall = try wallTime(object["wall"]),
            let boot = object["boot"]?.string
        else { throw Unreadable() }
        return Moment(wall: wall, sinceBoot: try duration(object["since_boot"]), boot: boot)
    }

    static func value(of expiry: Expiry) -> JSONValue {
        var object = JSONObject()
        if expiry.isNever { object["never"] = .bool(true) }
        if let lifetime = expiry.lifetime {
            object["lifetime"] = value(of: lifetime.duration)
            object["from"] = value(of: lifetime.from)
        }
        if let wall = expiry.wall { object["at"] = value(of: wall) }
        return .object(object)
    }

    static func expiry(_ value: JSONValue?) throws -> Expiry {
        guard let object = value?.object else { throw Unreadable() }
        if object["never"]?.bool == true { return .never }
        var expiry = Expiry.unknown
        if let lifetime = object["lifetime"] {
            guard let from = try moment(object["from"]) else { throw Unreadable() }
            expiry = .after(try duration(lifetime), from: from)
        }
        return expiry.orEarlier(at: try wallTime(object["at"]))
    }

    static func value(of account: Account) -> JSONValue {
        var object: JSONObject = ["issuer": .string(account.issuer), "subject": .string(account.subject)]
        if let name = account.displayName { object["name"] = .string(name) }
        return .object(object)
    }

    static func account(_ value: JSONValue?) throws -> Account? {
        guard let value else { return nil }
        guard let object = value.object, let issuer = object["issuer"]?.string, let subject = object["subject"]?.string
        else { throw Unreadable() }
        return Account(issuer: issuer, subject: subject, displayName: object["name"]?.string)
    }

    static func value(of problem: Problem) -> JSONValue {
        .object([
            "code": .string(problem.code), "message": .string(problem.message), "at": value(of: problem.at),
        ])
    }

    static func problem(_ value: JSONValue?) throws -> Problem? {
        guard let value else { return nil }
        guard let object = value.object, let code = object["code"]?.string, let message = object["message"]?.string,
            let at = try wallTime(object["at"])
        else { throw Unreadable() }
        return Problem(code: code, message: message, at: at)
    }

    static func value(of id: CredentialID) -> JSONValue {
        .object([
            "provider": .string(id.provider.name), "issuer": .string(id.issuer), "client": .string(id.client),
            "slot": .string(id.slot),
        ])
    }

    static func credentialID(_ value: JSONValue?) throws -> CredentialID {
        guard let object = value?.object, let provider = object["provider"]?.string,
            let issuer = object["issuer"]?.string, let client = object["client"]?.string,
            let slot = object["slot"]?.string
        else { throw Unreadable() }
        return CredentialID(provider: ProviderKind(provider), issuer: issuer, client: client, slot: slot)
    }

    static func word(for state: StoredCredential.State) -> String {
        switch state {
        case .signedIn: "signed_in"
        case .needsSignIn: "needs_sign_in"
        case .signedOut: "signed_out"
        }
    }

    static func state(_ value: JSONValue?) throws -> StoredCredential.State {
        switch value?.string {
        case "signed_in": .signedIn
        case "needs_sign_in": .needsSignIn
        case "signed_out": .signedOut
        default: throw Unreadable()
        }
    }
}
