extension CredentialSummary {
    /// The plaintext of the metadata: no token in it.
    func serialized() -> [UInt8] {
        var object: JSONObject = [
            "format": .integer(1), "id": RecordCoding.value(of: id), "state": .string(RecordCoding.word(for: state)),
        ]
        object["account"] = account.map(RecordCoding.value(of:))
        object["scope"] = scope.map { .string($0.description) }
        object["problem"] = problem.map(RecordCoding.value(of:))
        if hasOpenIntent { object["open_intent"] = .bool(true) }
        object["signed_in_at"] = signedInAt.map(RecordCoding.value(of:))
        object["renewed_at"] = renewedAt.map(RecordCoding.value(of:))
        object["clock_offset"] = clockOffset.map(RecordCoding.value(of:))
        let lines = tokens.map { token in
            JSONValue.object(["kind": .string(token.kind), "expiry": RecordCoding.value(of: token.expiry)])
        }
        object["tokens"] = .array(lines)
        return JSONValue.object(object).serialized()
    }

    /// Reads the plaintext of metadata.
    init(parsing bytes: [UInt8]) throws {
        guard let object = (try? JSONValue(parsing: bytes, limits: .record))?.object, object["format"]?.int64 == 1
        else { throw RecordCoding.Unreadable() }
        self.init(
            id: try RecordCoding.credentialID(object["id"]),
            state: try RecordCoding.state(object["state"]),
            account: try RecordCoding.account(object["account"]),
            scope: object["scope"]?.string.map { Scope($0) },
            tokens: try (object["tokens"]?.array ?? []).map { item in
                guard let kind = item.object?["kind"]?.string else { throw RecordCoding.Unreadable() }
                return Token(kind: kind, expiry: try RecordCoding.expiry(item.object?["expiry"]))
            },
            problem: try RecordCoding.problem(object["problem"]),
            hasOpenIntent: object["open_intent"]?.bool ?? false,
            signedInAt: try RecordCoding.wallTime(object["signed_in_at"]),
            renewedAt: try RecordCoding.wallTime(object["renewed_at"]),
            clockOffset: try object["clock_offset"].map(RecordCoding.duration)
        )
    }
}
