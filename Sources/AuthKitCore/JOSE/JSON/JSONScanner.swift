/// Checks JSON by RFC 8259 in one pass and notes where the members of an object are: the one place with the grammar.
///
/// Refused are also duplicate names at every depth, strings that are not UTF-8, lone surrogates and more depth than
/// allowed. The bytes come in with each call, always the same ones; positions count from their start.
struct JSONScanner {
    var position = 0
    private var depth = 0
    private let depthLimit: Int
    /// What is nested deeper need only follow the grammar: somebody will read each of it by itself.
    private let strictDepth: Int

    init(depthLimit: Int = JSONLimits().depth, strictDepth: Int = .max) {
        self.depthLimit = depthLimit
        self.strictDepth = strictDepth
    }

    /// Whether what is wrong here, though it follows the grammar, is for another reader to find.
    var isTolerated: Bool { depth > strictDepth }

    /// Checks a document and finds its members; nil when it is no object.
    ///
    /// Room for as many members as are usual is made at once.
    mutating func scanDocument(_ bytes: Span<UInt8>, room: Int = 8) throws(JSONError) -> [JSONMember]? {
        position = 0
        skipSpaces(bytes)
        var members: [JSONMember]?
        if position < bytes.count, bytes[position] == UInt8(ascii: "{") {
            members = try scanObject(bytes, room: room)
        } else {
            _ = try scanValue(bytes)
        }
        skipSpaces(bytes)
        guard position == bytes.count else { throw JSONError(.trailingBytes, at: position) }
        return members
    }

    /// Checks one value, which begins at the position, and says what it is and whether it is a string with escapes.
    mutating func scanValue(_ bytes: Span<UInt8>) throws(JSONError) -> (kind: JSONMember.Kind, isEscaped: Bool) {
        var index = position
        let value = try scanValue(bytes, &index)
        position = index
        return value
    }

    /// The same with a position that the caller keeps.
    @inline(__always)
    private mutating func scanValue(
        _ bytes: Span<UInt8>,
        _ index: inout Int
    ) throws(JSONError) -> (kind: JSONMember.Kind, isEscaped: Bool) {
        if bytes.has(UInt8(ascii: "\""), at: index) { return (.string, try scanString(bytes, &index)) }
        guard index < bytes.count else { throw JSONError(.malformed, at: index) }
        let first = bytes[index]
        // Most numbers are whole, have no sign and are not the last member.
        if first &- UInt8(ascii: "1") < 9 {
            index = try Self.endOfDigits(bytes, index)
            if !bytes.has(UInt8(ascii: ","), at: index) {
                index = try Self.endOfFraction(bytes, index)
            }
            return (.number, false)
        }
        position = index
        let kind = try scanOther(bytes, first)
        index = position
        return (kind, false)
    }

    @inline(never)
    private mutating func scanOther(_ bytes: Span<UInt8>, _ first: UInt8) throws(JSONError) -> JSONMember.Kind {
        switch first {
        case UInt8(ascii: "{"):
            _ = try scanObject(bytes, room: 8)
            return .object
        case UInt8(ascii: "["):
            try scanArray(bytes)
            return .array
        case UInt8(ascii: "t"):
            try scanWord(bytes, UInt8(ascii: "r"), UInt8(ascii: "u"), UInt8(ascii: "e"))
            return .bool
        case UInt8(ascii: "f"):
            try scanWord(bytes, UInt8(ascii: "a"), UInt8(ascii: "l"), UInt8(ascii: "s"), UInt8(ascii: "e"))
            return .bool
        case UInt8(ascii: "n"):
            try scanWord(bytes, UInt8(ascii: "u"), UInt8(ascii: "l"), UInt8(ascii: "l"))
            return .null
        case UInt8(ascii: "0"), UInt8(ascii: "-"):
            position = try Self.endOfNumber(bytes, position)
            return .number
        default: throw JSONError(.malformed, at: position)
        }
    }

    /// Checks an object and finds its members, with twice the room each time that there is none left.
    private mutating func scanObject(_ bytes: Span<UInt8>, room: Int) throws(JSONError) -> [JSONMember] {
        try descend()
        position = Self.skippingSpaces(bytes, position)
        if take(UInt8(ascii: "}"), bytes) {
            depth &-= 1
            return []
        }
        var names = JSONNameSet()
        var isAtEnd = false
        var members: [JSONMember] = []
        try members.append(addingCapacity: room) { members throws(JSONError) in
            isAtEnd = try scanMembers(bytes, &names, &members)
        }
        while !isAtEnd {
            let found = members
            members = []
            try members.append(addingCapacity: 2 * found.count) { members throws(JSONError) in
                for member in found { members.append(member) }
                isAtEnd = try scanMembers(bytes, &names, &members)
            }
        }
        depth &-= 1
        return members
    }

    /// Checks members until there is no room for another one; whether the object ended before.
    ///
    /// The position is in a register of this loop while nothing else is called, so that it need not wait for memory.
    /// Spaces are looked for only where something else than what is usual comes.
    private mutating func scanMembers(
        _ bytes: Span<UInt8>,
        _ names: inout JSONNameSet,
        _ members: inout OutputSpan<JSONMember>
    ) throws(JSONError) -> Bool {
        var index = position
        while !members.isFull {
            if !bytes.has(UInt8(ascii: "\""), at: index) {
                index = Self.endOfSpaces(bytes, index)
                guard bytes.has(UInt8(ascii: "\""), at: index) else { throw JSONError(.malformed, at: index) }
            }
            let nameStart = index
            var member = try scanName(bytes, &index)
            if !names.insert(member.prefix, member.nameCount, members.count) {
                guard names.insertSlowly(member, besides: members.span, in: bytes) || isTolerated else {
                    throw JSONError(.duplicateMember, at: nameStart)
                }
            }
            if !bytes.has(UInt8(ascii: ":"), at: index) {
                index = Self.endOfSpaces(bytes, index)
                guard bytes.has(UInt8(ascii: ":"), at: index) else { throw JSONError(.malformed, at: index) }
            }
            index &+= 1
            if !bytes.has(UInt8(ascii: "\""), at: index) { index = Self.skippingSpaces(bytes, index) }
            member.start = UInt32(truncatingIfNeeded: index)
            (member.kind, member.isEscaped) = try scanValue(bytes, &index)
            member.end = UInt32(truncatingIfNeeded: index)
            members.append(member)
            if !bytes.has(UInt8(ascii: ","), at: index) {
                index = Self.endOfSpaces(bytes, index)
                if !bytes.has(UInt8(ascii: ","), at: index) {
                    guard bytes.has(UInt8(ascii: "}"), at: index) else { throw JSONError(.malformed, at: index) }
                    position = index &+ 1
                    return true
                }
            }
            index &+= 1
        }
        position = index
        return false
    }

    private mutating func scanArray(_ bytes: Span<UInt8>) throws(JSONError) {
        try descend()
        skipSpaces(bytes)
        if !take(UInt8(ascii: "]"), bytes) {
            repeat {
                skipSpaces(bytes)
                _ = try scanValue(bytes)
                skipSpaces(bytes)
            } while take(UInt8(ascii: ","), bytes)
            guard take(UInt8(ascii: "]"), bytes) else { throw JSONError(.malformed, at: position) }
        }
        depth &-= 1
    }

    /// Checks a name whose opening quote is at the position.
    @inline(__always)
    private mutating func scanName(_ bytes: Span<UInt8>, _ index: inout Int) throws(JSONError) -> JSONMember {
        let start = index &+ 1
        // Most names end within sixteen bytes.
        if start &+ 16 <= bytes.count {
            let characters = SIMD16(bytes, at: start)
            let count = characters.countBeforeStop
            if count < 16, bytes[start &+ count] == UInt8(ascii: "\"") {
                let isShort = count < 8
                let others: UInt64 = isShort ? .max &<< UInt64(truncatingIfNeeded: 8 &* count) : 0
                index = start &+ count &+ 1
                return JSONMember(
                    prefix: characters.firstWord & ~others,
                    nameCount: UInt32(truncatingIfNeeded: count),
                    nameStart: UInt32(truncatingIfNeeded: start),
                    nameEnd: UInt32(truncatingIfNeeded: start &+ count),
                    hasEscapedName: false
                )
            }
        }
        position = index
        let member = try scanLongName(bytes, start)
        index = position
        return member
    }

    @inline(never)
    private mutating func scanLongName(_ bytes: Span<UInt8>, _ start: Int) throws(JSONError) -> JSONMember {
        var index = position
        let isEscaped = try scanString(bytes, &index)
        let end = index &- 1
        position = index
        var (prefix, count) = (UInt64(0), end &- start)
        if isEscaped {
            let name = JSONText.unescaped(bytes.extracting(start..<end))
            (prefix, count) = (JSONName.prefix(of: name.span), name.count)
        } else {
            prefix = JSONName.prefix(of: bytes.extracting(start..<end))
        }
        return JSONMember(
            prefix: prefix,
            nameCount: UInt32(truncatingIfNeeded: count),
            nameStart: UInt32(truncatingIfNeeded: start),
            nameEnd: UInt32(truncatingIfNeeded: end),
            hasEscapedName: isEscaped
        )
    }

    /// Checks the rest of `true`, `false` or `null` behind its first character.
    @inline(__always)
    private mutating func scanWord(
        _ bytes: Span<UInt8>,
        _ first: UInt8,
        _ second: UInt8,
        _ third: UInt8,
        _ fourth: UInt8? = nil
    ) throws(JSONError) {
        position &+= 1
        guard take(first, bytes), take(second, bytes), take(third, bytes) else {
            throw JSONError(.malformed, at: position)
        }
        if let fourth, !take(fourth, bytes) { throw JSONError(.malformed, at: position) }
    }

    private mutating func descend() throws(JSONError) {
        depth &+= 1
        guard depth <= depthLimit else { throw JSONError(.tooDeep, at: position) }
        position &+= 1
    }

    @inline(__always)
    mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position &+= 1
        return true
    }

    mutating func skipSpaces(_ bytes: Span<UInt8>) { position = Self.skippingSpaces(bytes, position) }

    /// The offset of the next byte that is no space.
    @inline(__always)
    private static func skippingSpaces(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        guard start < bytes.count, bytes[start] <= 0x20 else { return start }
        return endOfSpaces(bytes, start)
    }

    @inline(never)
    private static func endOfSpaces(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index &+= 1
            default: return index
            }
        }
        return index
    }
}
