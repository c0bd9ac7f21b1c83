extension StoredCredential {
    /// Reads the plaintext of a payload.
    init(parsing bytes: [UInt8]) throws {
        // Read in place: a record has too many parts to be moved when all are there.
        self.init(id: .unnamed, incarnation: .unknown, state: .signedOut)
        var (format, found) = (Int64(0), UInt64(0))
        try RecordReader.read(bytes) { name, reader in
            found |= name.bit
            if name == .format { format = try reader.integer() } else { try read(name, &reader) }
        }
        let needed = RecordName.id.bit | RecordName.incarnation.bit | RecordName.state.bit
        guard format == 1, found & needed == needed else { throw RecordCoding.Unreadable() }
    }

    private mutating func read(_ name: RecordName, _ reader: inout RecordReader) throws {
        switch name {
        case .id: id = try RecordCoding.credentialID(&reader)
        case .incarnation:
            guard let incarnation = Incarnation(bytes: try reader.octets()) else { throw RecordCoding.Unreadable() }
            self.incarnation = incarnation
        case .state: state = try RecordCoding.state(&reader)
        case .account: account = try RecordCoding.account(&reader)
        case .refresh: refreshToken = try HeldToken(&reader)
        case .idToken: idToken = try HeldToken(&reader)
        case .access: try reader.elements { try readAccessToken(&$0) }
        case .companions: companions = try reader.entries { try HeldToken(&$0) }
        case .keys: keys = try reader.entries { Secret(try $0.text()) }
        case .attributes: attributes = try reader.entries { try $0.text() }
        case .scope: grantedScope = Scope(try reader.text())
        case .intents: try reader.elements { try readIntent(&$0) }
        case .problem: problem = try RecordCoding.problem(&reader)
        case .signedInAt: signedInAt = try RecordCoding.wallTime(&reader)
        case .renewedAt: renewedAt = try RecordCoding.moment(&reader)
        case .clockOffset: clockOffset = try RecordCoding.duration(&reader)
        case .replaced:
            let earlier = try StoredCredential(parsing: reader.octets())
            // Never a chain: what a sign-in replaces is one that was complete, or had ended.
            guard earlier.replaced == nil else { throw RecordCoding.Unreadable() }
            replaced = earlier
        default: try reader.skip()
        }
    }

    private mutating func readAccessToken(_ reader: inout RecordReader) throws {
        var (key, token): (AccessTokenKey?, HeldToken?)
        try reader.members { name, reader in
            switch name {
            case .key: key = try AccessTokenKey(&reader)
            case .token: token = try HeldToken(&reader)
            default: try reader.skip()
            }
        }
        guard let key, let token else { throw RecordCoding.Unreadable() }
        accessTokens[key] = token
    }

    private mutating func readIntent(_ reader: inout RecordReader) throws {
        var (token, sends, at): (TokenFingerprint?, Int64?, WallTime?)
        try reader.members { name, reader in
            switch name {
            case .token: token = TokenFingerprint(bytes: try reader.octets())
            case .sends: sends = try reader.integer()
            case .at: at = try RecordCoding.wallTime(&reader)
            default: try reader.skip()
            }
        }
        guard let token, let sends, let at else { throw RecordCoding.Unreadable() }
        intents[token] = Intent(sends: Int(sends), at: at)
    }
}

extension HeldToken {
    fileprivate init(_ reader: inout RecordReader) throws {
        var (value, type, scope): (String?, String?, Scope?)
        var expiry: Expiry?
        try reader.members { name, reader in
            switch name {
            case .value: value = try reader.text()
            case .type: type = try reader.text()
            case .expiry: expiry = try RecordCoding.expiry(&reader)
            case .scope: scope = Scope(try reader.text())
            default: try reader.skip()
            }
        }
        guard let value, let type, let expiry else { throw RecordCoding.Unreadable() }
        self.init(Secret(value), type: type, expiry: expiry, scope: scope)
    }
}

extension AccessTokenKey {
    fileprivate init(_ reader: inout RecordReader) throws {
        var (audience, scope): (String?, String?)
        var resources: [String] = []
        try reader.members { name, reader in
            switch name {
            case .audience: audience = try reader.text()
            case .scope: scope = try reader.text()
            case .resources: try reader.elements { resources.append(try $0.text()) }
            default: try reader.skip()
            }
        }
        self.init(audience: audience, scope: Scope(scope ?? ""), resources: resources)
    }
}
