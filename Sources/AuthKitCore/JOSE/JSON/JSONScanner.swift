/// Checks JSON by RFC 8259 in one pass and notes where the members of an object are: the one place with the grammar.
///
/// Refused are also duplicate names at every depth, strings that are not UTF-8, lone surrogates and more depth than
/// allowed. The bytes come in with each call, always the same ones; positions count from their start.
struct JSONScanner {
    /// The members of the objects that are open; those of nested objects are gone when these end.
    private(set) var members: [JSONMember]
    var position = 0
    private var depth = 0
    private let depthLimit: Int
    /// What is nested deeper need only follow the grammar: somebody will read each of it by itself.
    private let strictDepth: Int

    init(depthLimit: Int = JSONLimits().depth, strictDepth: Int = .max, members: consuming [JSONMember] = []) {
        self.depthLimit = depthLimit
        self.strictDepth = strictDepth
        self.members = members
    }

    /// Hands the members over.
    consuming func takeMembers() -> [JSONMember] { members }

    /// Whether what is wrong here, though it follows the grammar, is for another reader to find.
    var isTolerated: Bool { depth > strictDepth }

    /// Checks a document; its members are appended when it is an object.
    mutating func scanDocument(_ bytes: Span<UInt8>) throws(JSONError) -> JSONMember.Kind {
        position = 0
        skipSpaces(bytes)
        let kind: JSONMember.Kind
        if position < bytes.count, bytes[position] == UInt8(ascii: "{") {
            try scanObject(bytes)
            kind = .object
        } else {
            kind = try scanValue(bytes).kind
        }
        skipSpaces(bytes)
        guard position == bytes.count else { throw JSONError(.trailingBytes, at: position) }
        return kind
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
        guard index < bytes.count else { throw JSONError(.malformed, at: index) }
        let first = bytes[index]
        if first == UInt8(ascii: "\"") { return (.string, try scanString(bytes, &index)) }
        if first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-") {
            index = try Self.endOfNumber(bytes, index)
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
            let count = members.count
            try scanObject(bytes)
            members.removeSubrange(count...)
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
        default: throw JSONError(.malformed, at: position)
        }
    }

    /// The position is in a register of this loop while nothing else is called, so that it need not wait for memory.
    private mutating func scanObject(_ bytes: Span<UInt8>) throws(JSONError) {
        try descend()
        var names = JSONNameSet(from: members.count)
        var index = Self.skippingSpaces(bytes, position)
        if index < bytes.count, bytes[index] == UInt8(ascii: "}") {
            position = index &+ 1
            depth &-= 1
            return
        }
        while true {
            index = Self.skippingSpaces(bytes, index)
            let nameStart = index
            var member = try scanName(bytes, &index)
            if !names.insert(member.prefix, member.nameCount, members.count) {
                guard names.insertSlowly(member, besides: members, in: bytes) || isTolerated else {
                    throw JSONError(.duplicateMember, at: nameStart)
                }
            }
            index = Self.skippingSpaces(bytes, index)
            guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { throw JSONError(.malformed, at: index) }
            index = Self.skippingSpaces(bytes, index &+ 1)
            member.start = UInt32(truncatingIfNeeded: index)
            (member.kind, member.isEscaped) = try scanValue(bytes, &index)
            member.end = UInt32(truncatingIfNeeded: index)
            members.append(member)
            index = Self.skippingSpaces(bytes, index)
            guard index < bytes.count else { throw JSONError(.malformed, at: index) }
            let next = bytes[index]
            index &+= 1
            if next == UInt8(ascii: ",") { continue }
            guard next == UInt8(ascii: "}") else { throw JSONError(.malformed, at: index &- 1) }
            position = index
            depth &-= 1
            return
        }
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

    @inline(__always)
    private mutating func scanName(_ bytes: Span<UInt8>, _ index: inout Int) throws(JSONError) -> JSONMember {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw JSONError(.malformed, at: index) }
        let start = index &+ 1
        // Most names end within eight bytes: the word that holds the end also holds the name.
        if start &+ 8 <= bytes.count {
            let word = bytes.word(at: start)
            let stops = Self.stops(in: word)
            let bits = UInt64(truncatingIfNeeded: stops.trailingZeroBitCount & 0x38)
            if stops != 0, UInt8(truncatingIfNeeded: word &>> bits) == UInt8(ascii: "\"") {
                let end = start &+ Int(bits &>> 3)
                index = end &+ 1
                return JSONMember(
                    prefix: word & ~(UInt64.max &<< bits),
                    nameCount: UInt32(truncatingIfNeeded: end &- start),
                    nameStart: UInt32(truncatingIfNeeded: start),
                    nameEnd: UInt32(truncatingIfNeeded: end),
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

    /// Where the number that begins at an offset ends.
    private static func endOfNumber(_ bytes: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
        var index = start
        if bytes[index] == UInt8(ascii: "-") { index &+= 1 }
        // RFC 8259 §6: no leading zeros.
        if index < bytes.count, bytes[index] == UInt8(ascii: "0") {
            index &+= 1
        } else {
            index = try endOfDigits(bytes, index)
        }
        guard index < bytes.count, bytes[index] != UInt8(ascii: ",") else { return index }
        if bytes[index] == UInt8(ascii: ".") { index = try endOfDigits(bytes, index &+ 1) }
        guard index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") else { return index }
        index &+= 1
        if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index &+= 1 }
        return try endOfDigits(bytes, index)
    }

    @inline(__always)
    private static func endOfDigits(_ bytes: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
        var index = start
        while index &+ 8 <= bytes.count {
            let others = others(thanDigitsIn: bytes.word(at: index))
            index &+= min(others.trailingZeroBitCount, 64) &>> 3
            if others != 0 { break }
        }
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
        guard index > start else { throw JSONError(.malformed, at: index) }
        return index
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
