/// The elements of an array, one after another.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
    let codingPath: [any CodingKey]
    private let elements: [JSONValue]
    private(set) var currentIndex = 0

    init(_ elements: [JSONValue], at codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try next(Never.self).value.isNull else { return false }
        currentIndex += 1
        return true
    }

    // One for all types; the protocol's own for each scalar are witnessed by it.
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try element(type) }

    private mutating func element<T: Decodable>(_ type: T.Type) throws -> T {
        let element = try T(from: next(type))
        currentIndex += 1
        return element
    }

    // These two have implementations in the protocol, which throw.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try element(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try element(type) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try next(JSONObject.self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try next([JSONValue].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try next(JSONValue.self)
        currentIndex += 1
        return decoder
    }

    /// The element that is due, at its place in the path; throws behind the last.
    private func next(_ type: any Any.Type) throws(DecodingError) -> JSONValueDecoder {
        let path = codingPath + [JSONPathKey(intValue: currentIndex)]
        guard !isAtEnd else {
            throw .valueNotFound(type, DecodingError.Context(codingPath: path, debugDescription: ""))
        }
        return JSONValueDecoder(elements[currentIndex], at: path)
    }
}
