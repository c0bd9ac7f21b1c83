extension StoredCredential {
    /// The plaintext of the payload: one JSON document, format 1.
    func serialized() -> [UInt8] {
        var object: JSONObject = [
            "format": .integer(1), "id": RecordCoding.value(of: id), "incarnation": .base64(incarnation.bytes),
            "state": .string(RecordCoding.word(for: state)),
        ]
        object["account"] = account.map(RecordCoding.value(of:))
        object["refresh"] = refreshToken.map(\.json)
        object["id_token"] = idToken.map(\.json)
        let tokens = accessTokens.map { key, token in JSONValue.object(["key": key.json, "token": token.json]) }
        object["access"] = .array(tokens)
        object["companions"] = Self.object(companions) { $0.json }
        object["keys"] = Self.object(keys) { .string($0.reveal()) }
        object["attributes"] = Self.object(attributes) { .string($0) }
        object["scope"] = grantedScope.map { .string($0.description) }
        let open = intents.map { fingerprint, intent in
            JSONValue.object([
                "token": .base64(fingerprint.bytes), "sends": .integer(Int64(intent.sends)),
                "at": RecordCoding.value(of: intent.at),
            ])
        }
        object["intents"] = .array(open)
        object["problem"] = problem.map(RecordCoding.value(of:))
        object["signed_in_at"] = signedInAt.map(RecordCoding.value(of:))
        object["renewed_at"] = renewedAt.map(RecordCoding.value(of:))
        object["clock_offset"] = clockOffset.map(RecordCoding.value(of:))
        return JSONValue.object(object).serialized()
    }

    /// Reads the plaintext of a payload.
    init(parsing bytes: [UInt8]) throws {
        guard let object = (try? JSONValue(parsing: bytes, limits: .record))?.object, object["format"]?.int64 == 1,
            let incarnation = object["incarnation"]?.base64.flatMap(Incarnation.init(bytes:))
        else { throw RecordCoding.Unreadable() }
        self.init(
            id: try RecordCoding.credentialID(object["id"]),
            incarnation: incarnation,
            state: try RecordCoding.state(object["state"])
        )
        account = try RecordCoding.account(object["account"])
        refreshToken = try object["refresh"].map(HeldToken.init(json:))
        idToken = try object["id_token"].map(HeldToken.init(json:))
        for item in object["access"]?.array ?? [] {
            accessTokens[try AccessTokenKey(json: item.object?["key"])] = try HeldToken(json: item.object?["token"])
        }
        companions = try Self.dictionary(object["companions"]) { try HeldToken(json: $0) }
        keys = try Self.dictionary(object["keys"]) { Secret(try Self.text($0)) }
        attributes = try Self.dictionary(object["attributes"], Self.text)
        grantedScope = object["scope"]?.string.map { Scope($0) }
        for item in object["intents"]?.array ?? [] {
            guard let token = item.object?["token"]?.base64.flatMap(TokenFingerprint.init(bytes:)),
                let sends = item.object?["sends"]?.int64, let at = try RecordCoding.wallTime(item.object?["at"])
            else { throw RecordCoding.Unreadable() }
            intents[token] = Intent(sends: Int(sends), at: at)
        }
        problem = try RecordCoding.problem(object["problem"])
        signedInAt = try RecordCoding.wallTime(object["signed_in_at"])
        renewedAt = try RecordCoding.moment(object["renewed_at"])
        clockOffset = try object["clock_offset"].map(RecordCoding.duration)
    }

    private static func text(_ value: JSONValue) throws -> String {
        guard let text = value.string else { throw RecordCoding.Unreadable() }
        return text
    }

    private static func object<Value>(_ values: [String: Value], _ json: (Value) -> JSONValue) -> JSONValue {
        var object = JSONObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { object[name] = json(value) }
        return .object(object)
    }

    private static func dictionary<Value>(
        _ value: JSONValue?,
        _ read: (JSONValue) throws -> Value
    ) throws -> [String: Value] {
        var result: [String: Value] = [:]
        for member in value?.object?.members ?? [] { result[member.name] = try read(member.value) }
        return result
    }
}

extension HeldToken {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "value": .string(value.reveal()), "type": .string(type), "expiry": RecordCoding.value(of: expiry),
        ]
        object["scope"] = scope.map { .string($0.description) }
        return .object(object)
    }

    fileprivate init(json: JSONValue?) throws {
        guard let object = json?.object, let value = object["value"]?.string, let type = object["type"]?.string else {
            throw RecordCoding.Unreadable()
        }
        self.init(
            Secret(value),
            type: type,
            expiry: try RecordCoding.expiry(object["expiry"]),
            scope: object["scope"]?.string.map { Scope($0) }
        )
    }
}

extension AccessTokenKey {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["audience"] = audience.map { .string($0) }
        if !scope.isEmpty { object["scope"] = .string(scope.description) }
        if !resources.isEmpty { object["resources"] = .array(resources.map { .string($0) }) }
        return .object(object)
    }

    fileprivate init(json: JSONValue?) throws {
        guard let object = json?.object else { throw RecordCoding.Unreadable() }
        self.init(
            audience: object["audience"]?.string,
            scope: Scope(object["scope"]?.string ?? ""),
            resources: (object["resources"]?.array ?? []).compactMap(\.string)
        )
    }
}
