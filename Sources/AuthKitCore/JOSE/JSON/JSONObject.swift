/// A JSON object: members in their order, each name once.
///
/// Names are compared byte for byte (RFC 8259 §8.3), not by Unicode equivalence.
public struct JSONObject: Sendable {
    /// One name and its value.
    public struct Member: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public var value: JSONValue

        /// Makes a member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }

        /// Compares the name by its bytes.
        public static func == (left: Member, right: Member) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value == right.value
        }
    }

    /// The members in order.
    public private(set) var members: [Member]

    /// Makes an empty object.
    public init() {
        members = []
    }

    /// Takes members that the reader has found to be distinct.
    init(distinct members: [Member]) {
        self.members = members
    }

    /// Reads, sets or, with nil, removes a member; a new one goes to the end.
    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name.hasSameBytes(as: name) }?.value }
        set {
            let index = members.firstIndex { $0.name.hasSameBytes(as: name) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The names in order.
    public var names: [String] { members.map(\.name) }

    /// How many members there are.
    public var count: Int { members.count }

    /// Whether there is none.
    public var isEmpty: Bool { members.isEmpty }

    /// The JSON text, without spaces or indented by two.
    public func serialized(pretty: Bool = false) -> [UInt8] {
        JSONValue.object(self).serialized(pretty: pretty)
    }
}

extension JSONObject: Hashable {
    /// Compares without order: the order of members means nothing (RFC 8259 §4).
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }

    /// Hashes without order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Set(members))
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object of a literal, in its order; of two values for one name the later stays.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}

extension String {
    /// Compares bytes: Swift's own equality holds canonically equivalent texts for equal, protocols do not.
    package func hasSameBytes(as other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
