extension StoredCredential {
    /// The plaintext of the payload: one CBOR map, format 1.
    func serialized() -> [UInt8] {
        var writer = RecordWriter(room: 1024 + tokenByteCount)
        writer.object { object in
            object.name(.format)
            object.integer(1)
            object.member(.id, id) { RecordCoding.write($1, &$0) }
            object.member(.incarnation, bytes: incarnation.bytes)
            object.member(.state, RecordCoding.word(for: state))
            object.member(.account, account) { RecordCoding.write($1, &$0) }
            object.member(.refresh, refreshToken) { $1.write(&$0) }
            object.member(.idToken, idToken) { $1.write(&$0) }
            object.name(.access)
            object.list { list in
                for (key, token) in accessTokens {
                    list.object { element in
                        element.member(.key, key) { $1.write(&$0) }
                        element.member(.token, token) { $1.write(&$0) }
                    }
                }
            }
            object.members(.companions, companions) { $1.write(&$0) }
            object.members(.keys, keys) { $0.text($1.reveal()) }
            object.members(.attributes, attributes) { $0.text($1) }
            object.member(.scope, grantedScope?.description)
            object.name(.intents)
            object.list { list in
                for (fingerprint, intent) in intents {
                    list.object { element in
                        element.member(.token, bytes: fingerprint.bytes)
                        element.member(.sends, Int64(intent.sends)) { $0.integer($1) }
                        element.member(.at, intent.at) { RecordCoding.write($1, &$0) }
                    }
                }
            }
            object.member(.problem, problem) { RecordCoding.write($1, &$0) }
            object.member(.signedInAt, signedInAt) { RecordCoding.write($1, &$0) }
            object.member(.renewedAt, renewedAt) { RecordCoding.write($1, &$0) }
            object.member(.clockOffset, clockOffset) { RecordCoding.write($1, &$0) }
            if let replaced { object.member(.replaced, bytes: replaced.serialized()) }
        }
        return writer.bytes
    }

    private var tokenByteCount: Int {
        let tokens = [refreshToken, idToken].compactMap(\.self) + accessTokens.values + companions.values
        return tokens.reduce(0) { $0 + $1.value.reveal().utf8.count + 256 }
    }
}

extension HeldToken {
    fileprivate func write(_ writer: inout RecordWriter) {
        writer.object { object in
            object.member(.value, value.reveal())
            object.member(.type, type)
            object.member(.expiry, expiry) { RecordCoding.write($1, &$0) }
            object.member(.scope, scope?.description)
        }
    }
}

extension AccessTokenKey {
    fileprivate func write(_ writer: inout RecordWriter) {
        writer.object { object in
            object.member(.audience, audience)
            if !scope.isEmpty { object.member(.scope, scope.description) }
            guard !resources.isEmpty else { return }
            object.name(.resources)
            object.list { list in
                for resource in resources { list.text(resource) }
            }
        }
    }
}

extension RecordWriter {
    /// Writes a map as a member, in the order of its names.
    fileprivate mutating func members<Value>(
        _ name: RecordName,
        _ values: [String: Value],
        _ write: (inout RecordWriter, Value) -> Void
    ) {
        self.name(name)
        object { object in
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                object.text(name)
                write(&object, value)
            }
        }
    }
}
