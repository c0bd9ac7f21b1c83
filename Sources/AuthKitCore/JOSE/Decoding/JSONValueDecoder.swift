/// Decodes types from a JSON value; a single value is its own container.
struct JSONValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: JSONValue, at codingPath: [any CodingKey] = []) {
        self.value = value
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(JSONKeyedContainer(try object(), at: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        JSONUnkeyedContainer(try array(), at: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// The value as an object; throws when it is something else.
    func object() throws(DecodingError) -> JSONObject {
        guard let object = value.object else { throw mismatch(JSONObject.self) }
        return object
    }

    /// The value as an array; throws when it is something else.
    func array() throws(DecodingError) -> [JSONValue] {
        guard let array = value.array else { throw mismatch([JSONValue].self) }
        return array
    }

    private func mismatch(_ type: any Any.Type) -> DecodingError {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: "")
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private var outOfRange: DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: ""))
    }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard let bool = value.bool else { throw mismatch(type) }
        return bool
    }

    func decode(_ type: String.Type) throws -> String {
        guard let string = value.string else { throw mismatch(type) }
        return string
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard let number = value.number else { throw mismatch(type) }
        guard let double = number.double else { throw outOfRange }
        return double
    }

    func decode(_ type: Float.Type) throws -> Float {
        guard let number = value.number else { throw mismatch(type) }
        guard let float = Float(number.literal), float.isFinite else { throw outOfRange }
        return float
    }

    // One for all widths; the protocol's own for each are witnessed by it.
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T { try integer(type) }

    // These two have implementations in the protocol, which throw.
    func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }

    private func integer<T: FixedWidthInteger>(_ type: T.Type) throws(DecodingError) -> T {
        guard let number = value.number else { throw mismatch(type) }
        if let exact = T(number.literal) { return exact }
        // 10.0 and 1e1 are whole numbers too.
        guard let integer = number.int64.flatMap({ T(exactly: $0) }) else { throw outOfRange }
        return integer
    }
}
