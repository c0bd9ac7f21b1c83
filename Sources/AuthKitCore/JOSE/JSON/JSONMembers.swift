/// The members of one JSON object, checked whole and indexed: a value is made when it is asked for.
///
/// Several objects may share one buffer and one index.
package struct JSONMembers: Sendable {
    let bytes: [UInt8]
    /// Where the object lies in the bytes; offsets in the index count from its start.
    let range: Range<Int>
    let index: [JSONMember]
    let members: Range<Int>

    /// Takes over what a scanner found.
    init(bytes: [UInt8], range: Range<Int>, index: [JSONMember], members: Range<Int>) {
        self.bytes = bytes
        self.range = range
        self.index = index
        self.members = members
    }

    /// Reads an object as strictly as `JSONValue`; `malformed` also when the value is none.
    ///
    /// Where the values are each read by itself afterwards, they may be tolerated: then only their grammar is checked.
    package init(
        parsing bytes: [UInt8],
        limits: JSONLimits = .init(),
        toleratingValues: Bool = false
    ) throws(JSONError) {
        guard bytes.count <= limits.byteCount, bytes.count < UInt32.max else {
            throw JSONError(.tooLarge, at: limits.byteCount)
        }
        var scanner = JSONScanner(depthLimit: limits.depth, strictDepth: toleratingValues ? 1 : .max)
        guard let index = try scanner.scanDocument(bytes.span) else { throw JSONError(.malformed, at: 0) }
        self.init(bytes: bytes, range: bytes.indices, index: index, members: index.indices)
    }

    /// The same members, without the rest of the buffer and the index that they share.
    var copied: JSONMembers {
        let (bytes, index) = (bytes.span.extracting(range).array(), Array(index[members]))
        return JSONMembers(bytes: bytes, range: bytes.indices, index: index, members: index.indices)
    }

    /// How many members there are.
    package var count: Int { members.count }

    /// Whether there is a member of this name, `null` counted.
    package func has(_ name: String) -> Bool { find(JSONName(name)) != nil }

    /// Reads a member.
    package subscript(name: String) -> JSONValue? { find(JSONName(name)).map(value) }

    /// The whole object.
    package var object: JSONObject {
        JSONReader.value(checked: bytes.span.extracting(range)).object ?? JSONObject()
    }

    func find(_ name: JSONName) -> JSONMember? {
        let span = bytes.span.extracting(range)
        let index = index.span
        for position in members where index[position].isNamed(name, in: span) { return index[position] }
        return nil
    }

    func value(of member: JSONMember) -> JSONValue {
        JSONReader.value(checked: bytes.span.extracting(range).extracting(member.range))
    }

    /// The text of a member; nil when it is no string.
    func text(of member: JSONMember) -> String? {
        guard member.kind == .string else { return nil }
        return JSONText.string(bytes.span.extracting(range).extracting(member.textRange), isEscaped: member.isEscaped)
    }
}
