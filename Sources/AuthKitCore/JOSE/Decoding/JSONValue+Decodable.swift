extension JSONValue {
    /// Reads the value into a type of one's own.
    ///
    /// Members that the type does not ask for are ignored. Whole numbers must fit their type exactly, `10.0` is one.
    /// Dates are what the type makes of them: seconds are numbers here. Throws `DecodingError`, whose texts have the
    /// path but no values of the document, or what the type's own initialiser throws.
    public func decode<T: Decodable>(_ type: T.Type) throws -> T {
        do {
            return try T(from: JSONValueDecoder(self))
        } catch let error as DecodingError {
            throw error.withoutValues
        }
    }
}

extension VerifiedJWT {
    /// Reads the claims into a type of one's own; see `JSONValue.decode`.
    public func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try JSONValue.object(claims).decode(type)
    }
}

extension DecodingError {
    /// The error with the path and nothing of the document: other initialisers put values into their texts.
    fileprivate var withoutValues: DecodingError {
        switch self {
        case .typeMismatch(let type, let context):
            .typeMismatch(type, .init(codingPath: context.codingPath, "The value is of another type."))
        case .valueNotFound(let type, let context):
            .valueNotFound(type, .init(codingPath: context.codingPath, "There is no value."))
        case .keyNotFound(let key, let context):
            .keyNotFound(key, .init(codingPath: context.codingPath, "There is no such member."))
        case .dataCorrupted(let context):
            .dataCorrupted(.init(codingPath: context.codingPath, "The value cannot be used."))
        @unknown default:
            .dataCorrupted(.init(codingPath: [], "The value cannot be used."))
        }
    }
}

extension DecodingError.Context {
    fileprivate init(codingPath: [any CodingKey], _ text: String) {
        self.init(codingPath: codingPath, debugDescription: text)
    }
}
