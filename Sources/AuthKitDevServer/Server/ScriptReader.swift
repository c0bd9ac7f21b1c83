import AuthKitCore

/// Reads the members of one object and notices what nobody asked for.
struct ScriptReader {
    private var rest: JSONObject
    private let place: String

    init(_ object: JSONObject, place: String) {
        rest = object
        self.place = place
    }

    init(_ bytes: [UInt8]) throws(DevServerError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw DevServerError(.badScript, error.description)
        }
        guard let object = value.object else { throw DevServerError(.badScript, "Write the script as a JSON object.") }
        self.init(object, place: "the script")
    }

    mutating func take(_ name: String) -> JSONValue? {
        defer { rest[name] = nil }
        return rest[name]
    }

    mutating func text(_ name: String) throws(DevServerError) -> String? {
        guard let value = take(name) else { return nil }
        guard let text = value.string else { throw wrong(name, "a string") }
        return text
    }

    mutating func texts(_ name: String) throws(DevServerError) -> [String]? {
        guard let value = take(name) else { return nil }
        guard let elements = value.array, case let texts = elements.compactMap(\.string), texts.count == elements.count
        else { throw wrong(name, "a list of strings") }
        return texts
    }

    mutating func object(_ name: String) throws(DevServerError) -> JSONObject? {
        guard let value = take(name) else { return nil }
        guard let object = value.object else { throw wrong(name, "an object") }
        return object
    }

    mutating func objects(_ name: String) throws(DevServerError) -> [JSONObject]? {
        guard let value = take(name) else { return nil }
        guard let elements = value.array, case let objects = elements.compactMap(\.object),
            objects.count == elements.count, objects.count <= 1000
        else { throw wrong(name, "a list of objects") }
        return objects
    }

    mutating func flag(_ name: String, into flag: inout Bool) throws(DevServerError) {
        guard let value = take(name) else { return }
        guard let found = value.bool else { throw wrong(name, "true or false") }
        flag = found
    }

    mutating func number(_ name: String, in range: ClosedRange<Int64>) throws(DevServerError) -> Int64? {
        guard let value = take(name) else { return nil }
        guard let number = value.int64, range.contains(number) else {
            throw wrong(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Whole seconds.
    mutating func duration(_ name: String, into duration: inout Duration) throws(DevServerError) {
        guard let value = take(name) else { return }
        guard let seconds = value.int64, (0...1_000_000_000).contains(seconds) else {
            throw wrong(name, "a whole number of seconds")
        }
        duration = .seconds(seconds)
    }

    /// One of the words of an enumeration; false where there is none.
    @discardableResult
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        into choice: inout Choice
    ) throws(DevServerError) -> Bool {
        guard let value = take(name) else { return false }
        guard let found = value.string.flatMap(Choice.init(rawValue:)) else {
            throw wrong(name, Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
        }
        choice = found
        return true
    }

    /// Refuses what is left.
    func finish() throws(DevServerError) {
        guard let name = rest.names.first else { return }
        throw DevServerError(
            .badScript,
            "Remove \(name.prefix(60).debugDescription) from \(place): there is no such key."
        )
    }

    private func wrong(_ name: String, _ expected: String) -> DevServerError {
        DevServerError(.badScript, "Write \(name) in \(place) as \(expected).")
    }
}
