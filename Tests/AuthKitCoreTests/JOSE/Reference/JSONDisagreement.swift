import AuthKitCore

/// Where our JSON reader and the reference differ.
enum JSONDisagreement {
    /// Gives a document to both, in every way that ours can read it; says where they differ, nil when they agree.
    static func find(in bytes: [UInt8]) -> String? {
        let reference = ReferenceJSON.read(bytes)
        let value = try? JSONValue(parsing: bytes)
        let members = try? JSONMembers(parsing: bytes)
        guard let reference else {
            if value != nil { return "ours accepts what the reference refuses" }
            return members == nil ? nil : "the index accepts what the reference refuses"
        }
        guard let value else { return "ours refuses what the reference accepts" }
        guard reference.isSame(as: value) else { return "the values differ" }
        for isPretty in [false, true] {
            // Indented text is the same document as long as it is not too large to be read again.
            let written = value.serialized(pretty: isPretty)
            guard written.count <= JSONLimits().byteCount else { continue }
            guard ReferenceJSON.read(written)?.isSame(as: value) == true else { return "what ours writes differs" }
        }
        guard case .object(let expected) = reference else {
            return members == nil ? nil : "the index accepts what is no object"
        }
        guard let members else { return "the index refuses what the reference accepts" }
        guard members.count == expected.count else { return "the index has another number of members" }
        for member in expected {
            let name = String(String.UnicodeScalarView(member.name))
            guard members.has(name), let found = members[name], member.value.isSame(as: found) else {
                return "the index has another value for a name"
            }
        }
        return members.has("\u{1}absent") == expected.contains { $0.name == Array("\u{1}absent".unicodeScalars) }
            ? nil : "the index finds a name that is absent"
    }
}

extension ReferenceJSON {
    /// Whether a value of ours is the same: order of members, spelling of numbers and every scalar included.
    func isSame(as value: JSONValue) -> Bool {
        switch (self, value) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): Self.isSame(left, right)
        case (.string(let left), .string(let right)): left.elementsEqual(right.unicodeScalars)
        case (.array(let left), .array(let right)): left.elementsEqual(right) { $0.isSame(as: $1) }
        case (.object(let left), .object(let right)):
            left.elementsEqual(right.members) {
                $0.name.elementsEqual($1.name.unicodeScalars) && $0.value.isSame(as: $1.value)
            }
        default: false
        }
    }

    private static func isSame(_ literal: String, _ number: JSONNumber) -> Bool {
        guard number.literal == literal else { return false }
        guard let reference = ReferenceNumber(literal) else { return number.int64 == nil }
        return number.int64 == reference.int64 && number.seconds == reference.seconds
    }
}
