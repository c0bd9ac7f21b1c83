extension CredentialSummary {
    /// The plaintext of the metadata: no token in it.
    func serialized() -> [UInt8] {
        var writer = RecordWriter(room: 768)
        writer.object { object in
            object.name(.format)
            object.integer(1)
            object.member(.id, id) { RecordCoding.write($1, &$0) }
            object.member(.state, RecordCoding.word(for: state))
            object.member(.account, account) { RecordCoding.write($1, &$0) }
            object.member(.scope, scope?.description)
            object.member(.problem, problem) { RecordCoding.write($1, &$0) }
            if hasOpenIntent { object.mark(.openIntent) }
            object.member(.signedInAt, signedInAt) { RecordCoding.write($1, &$0) }
            object.member(.renewedAt, renewedAt) { RecordCoding.write($1, &$0) }
            object.member(.clockOffset, clockOffset) { RecordCoding.write($1, &$0) }
            object.name(.tokens)
            object.list { list in
                for token in tokens {
                    list.object { element in
                        element.member(.kind, token.kind)
                        element.member(.expiry, token.expiry) { RecordCoding.write($1, &$0) }
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Reads the plaintext of metadata.
    init(parsing bytes: [UInt8]) throws {
        var (format, id, state): (Int64?, CredentialID?, StoredCredential.State?)
        var (account, scope, problem): (Account?, Scope?, Problem?)
        var hasOpenIntent = false
        var (signedInAt, renewedAt, clockOffset): (WallTime?, WallTime?, Duration?)
        var tokens: [Token] = []
        try RecordReader.read(bytes) { name, reader in
            switch name {
            case .format: format = try reader.integer()
            case .id: id = try RecordCoding.credentialID(&reader)
            case .state: state = try RecordCoding.state(&reader)
            case .account: account = try RecordCoding.account(&reader)
            case .scope: scope = Scope(try reader.text())
            case .problem: problem = try RecordCoding.problem(&reader)
            case .openIntent: hasOpenIntent = try reader.flag()
            case .signedInAt: signedInAt = try RecordCoding.wallTime(&reader)
            case .renewedAt: renewedAt = try RecordCoding.wallTime(&reader)
            case .clockOffset: clockOffset = try RecordCoding.duration(&reader)
            case .tokens: try reader.elements { tokens.append(try Token(&$0)) }
            default: try reader.skip()
            }
        }
        guard format == 1, let id, let state else { throw RecordCoding.Unreadable() }
        self.init(
            id: id,
            state: state,
            account: account,
            scope: scope,
            tokens: tokens,
            problem: problem,
            hasOpenIntent: hasOpenIntent,
            signedInAt: signedInAt,
            renewedAt: renewedAt,
            clockOffset: clockOffset
        )
    }
}

extension CredentialSummary.Token {
    fileprivate init(_ reader: inout RecordReader) throws {
        var (kind, expiry): (String?, Expiry?)
        try reader.members { name, reader in
            switch name {
            case .kind: kind = try reader.text()
            case .expiry: expiry = try RecordCoding.expiry(&reader)
            default: try reader.skip()
            }
        }
        guard let kind, let expiry else { throw RecordCoding.Unreadable() }
        self.init(kind: kind, expiry: expiry)
    }
}
