/// The members of an object, by key.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let codingPath: [any CodingKey]
    private let object: JSONObject
    /// Places by name, for objects too large to be looked through for each key.
    private let places: [[UInt8]: Int]?

    init(_ object: JSONObject, at codingPath: [any CodingKey]) {
        self.object = object
        self.codingPath = codingPath
        guard object.count > 32 else {
            places = nil
            return
        }
        places = Dictionary(
            zip(object.members.map { Array($0.name.utf8) }, object.members.indices),
            uniquingKeysWith: { first, _ in first }
        )
    }

    var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { value(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).value.isNull }

    // One for all types; the protocol's own for each scalar are witnessed by it.
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try T(from: member(key)) }

    // These two have implementations in the protocol, which throw.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try member(key).decode(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try member(key).decode(type) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        JSONValueDecoder(value(JSONPathKey.superKey) ?? .null, at: codingPath + [JSONPathKey.superKey])
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        JSONValueDecoder(value(key) ?? .null, at: codingPath + [key])
    }

    private func value(_ key: some CodingKey) -> JSONValue? {
        guard let places else { return object[key.stringValue] }
        return places[Array(key.stringValue.utf8)].map { object.members[$0].value }
    }

    private func member(_ key: Key) throws(DecodingError) -> JSONValueDecoder {
        guard let value = value(key) else {
            throw .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: ""))
        }
        return JSONValueDecoder(value, at: codingPath + [key])
    }
}
