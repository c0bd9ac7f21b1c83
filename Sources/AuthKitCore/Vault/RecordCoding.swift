/// Small values as CBOR, shared by the payload's and the metadata's forms.
enum RecordCoding {
    /// Is thrown by every reader here; the vault names the record.
    struct Unreadable: Error {}

    /// Whole seconds and nanoseconds: a single count of nanoseconds would end in 2262.
    static func write(_ duration: Duration, _ writer: inout RecordWriter) {
        let parts = duration.components
        writer.list { list in
            list.integer(parts.seconds)
            list.integer(parts.attoseconds / 1_000_000_000)
        }
    }

    static func duration(_ reader: inout RecordReader) throws -> Duration {
        var (count, seconds, rest) = (0, Int64(0), Int64(0))
        try reader.elements { reader in
            let value = try reader.integer()
            if count == 0 { seconds = value } else { rest = value }
            count += 1
        }
        guard count == 2 else { throw Unreadable() }
        return .seconds(seconds) + .nanoseconds(rest)
    }

    static func write(_ time: WallTime, _ writer: inout RecordWriter) { write(time.sinceEpoch, &writer) }

    static func wallTime(_ reader: inout RecordReader) throws -> WallTime {
        WallTime(sinceEpoch: try duration(&reader))
    }

    static func write(_ moment: Moment, _ writer: inout RecordWriter) {
        writer.object { object in
            object.name(.wall)
            write(moment.wall, &object)
            object.name(.sinceBoot)
            write(moment.sinceBoot, &object)
            object.member(.boot, moment.boot)
        }
    }

    static func moment(_ reader: inout RecordReader) throws -> Moment {
        var (wall, sinceBoot, boot): (WallTime?, Duration?, String?)
        try reader.members { name, reader in
            switch name {
            case .wall: wall = try wallTime(&reader)
            case .sinceBoot: sinceBoot = try duration(&reader)
            case .boot: boot = try reader.text()
            default: try reader.skip()
            }
        }
        guard let wall, let sinceBoot, let boot else { throw Unreadable() }
        return Moment(wall: wall, sinceBoot: sinceBoot, boot: boot)
    }

    static func write(_ expiry: Expiry, _ writer: inout RecordWriter) {
        writer.object { object in
            if expiry.isNever { object.mark(.never) }
            if let lifetime = expiry.lifetime {
                object.name(.lifetime)
                write(lifetime.duration, &object)
                object.name(.from)
                write(lifetime.from, &object)
            }
            object.member(.at, expiry.wall) { write($1, &$0) }
        }
    }

    static func expiry(_ reader: inout RecordReader) throws -> Expiry {
        var isNever = false
        var (lifetime, from, at): (Duration?, Moment?, WallTime?)
        try reader.members { name, reader in
            switch name {
            case .never: isNever = try reader.flag()
            case .lifetime: lifetime = try duration(&reader)
            case .from: from = try moment(&reader)
            case .at: at = try wallTime(&reader)
            default: try reader.skip()
            }
        }
        if isNever { return .never }
        guard let lifetime else { return Expiry.unknown.orEarlier(at: at) }
        guard let from else { throw Unreadable() }
        return Expiry.after(lifetime, from: from).orEarlier(at: at)
    }

    static func write(_ account: Account, _ writer: inout RecordWriter) {
        writer.object { object in
            object.member(.issuer, account.issuer)
            object.member(.subject, account.subject)
            object.member(.name, account.displayName)
        }
    }

    static func account(_ reader: inout RecordReader) throws -> Account {
        var (issuer, subject, displayName): (String?, String?, String?)
        try reader.members { name, reader in
            switch name {
            case .issuer: issuer = try reader.text()
            case .subject: subject = try reader.text()
            case .name: displayName = try reader.text()
            default: try reader.skip()
            }
        }
        guard let issuer, let subject else { throw Unreadable() }
        return Account(issuer: issuer, subject: subject, displayName: displayName)
    }

    static func write(_ problem: Problem, _ writer: inout RecordWriter) {
        writer.object { object in
            object.member(.code, problem.code)
            object.member(.message, problem.message)
            object.name(.at)
            write(problem.at, &object)
        }
    }

    static func problem(_ reader: inout RecordReader) throws -> Problem {
        var (code, message, at): (String?, String?, WallTime?)
        try reader.members { name, reader in
            switch name {
            case .code: code = try reader.text()
            case .message: message = try reader.text()
            case .at: at = try wallTime(&reader)
            default: try reader.skip()
            }
        }
        guard let code, let message, let at else { throw Unreadable() }
        return Problem(code: code, message: message, at: at)
    }

    static func write(_ id: CredentialID, _ writer: inout RecordWriter) {
        writer.object { object in
            object.member(.provider, id.provider.name)
            object.member(.issuer, id.issuer)
            object.member(.client, id.client)
            object.member(.slot, id.slot)
        }
    }

    static func credentialID(_ reader: inout RecordReader) throws -> CredentialID {
        var (provider, issuer, client, slot): (String?, String?, String?, String?)
        try reader.members { name, reader in
            switch name {
            case .provider: provider = try reader.text()
            case .issuer: issuer = try reader.text()
            case .client: client = try reader.text()
            case .slot: slot = try reader.text()
            default: try reader.skip()
            }
        }
        guard let provider, let issuer, let client, let slot else { throw Unreadable() }
        return CredentialID(provider: ProviderKind(provider), issuer: issuer, client: client, slot: slot)
    }

    static func word(for state: StoredCredential.State) -> String {
        switch state {
        case .signedIn: "signed_in"
        case .needsSignIn: "needs_sign_in"
        case .signedOut: "signed_out"
        }
    }

    static func state(_ reader: inout RecordReader) throws -> StoredCredential.State {
        switch try reader.text() {
        case "signed_in": .signedIn
        case "needs_sign_in": .needsSignIn
        case "signed_out": .signedOut
        default: throw Unreadable()
        }
    }
}
