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
    @inline(__always)
    mutating func scanValue(_ bytes: Span<UInt8>) throws(JSONError) -> (kind: JSONMember.Kind, isEscaped: Bool) {
        guard position < bytes.count else { throw JSONError(.malformed, at: position) }
        let first = bytes[position]
        if first == UInt8(ascii: "\"") { return (.string, try scanString(bytes)) }
        if first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10 {
            try scanNumber(bytes)
            return (.number, false)
        }
        return (try scanOther(bytes, first), false)
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

    private mutating func scanObject(_ bytes: Span<UInt8>) throws(JSONError) {
        try descend()
        var names = JSONNameSet(from: members.count)
        skipSpaces(bytes)
        if !take(UInt8(ascii: "}"), bytes) {
            repeat {
                skipSpaces(bytes)
                let nameStart = position
                var member = try scanName(bytes)
                if !names.insert(member.prefix, member.nameCount, members.count) {
                    guard names.insertSlowly(member, besides: members, in: bytes) || isTolerated else {
                        throw JSONError(.duplicateMember, at: nameStart)
                    }
                }
                skipSpaces(bytes)
                guard take(UInt8(ascii: ":"), bytes) else { throw JSONError(.malformed, at: position) }
                skipSpaces(bytes)
                member.start = UInt32(truncatingIfNeeded: position)
                (member.kind, member.isEscaped) = try scanValue(bytes)
                member.end = UInt32(truncatingIfNeeded: position)
                members.append(member)
                skipSpaces(bytes)
            } while take(UInt8(ascii: ","), bytes)
            guard take(UInt8(ascii: "}"), bytes) else { throw JSONError(.malformed, at: position) }
        }
        depth &-= 1
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
    private mutating func scanName(_ bytes: Span<UInt8>) throws(JSONError) -> JSONMember {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            throw JSONError(.malformed, at: position)
        }
        let start = position &+ 1
        // Most names end within eight bytes: the word that holds the end also holds the name.
        if start &+ 8 <= bytes.count {
            let word = bytes.word(at: start)
            let stops = Self.stops(in: word)
            let count = stops.trailingZeroBitCount >> 3
            if stops != 0, bytes[start &+ count] == UInt8(ascii: "\"") {
                position = start &+ count &+ 1
                return JSONMember(
                    prefix: word & ~(UInt64.max << UInt64(truncatingIfNeeded: 8 &* count)),
                    nameCount: UInt32(truncatingIfNeeded: count),
                    nameStart: UInt32(truncatingIfNeeded: start),
                    nameEnd: UInt32(truncatingIfNeeded: start &+ count),
                    hasEscapedName: false
                )
            }
        }
        return try scanLongName(bytes, start)
    }

    @inline(never)
    private mutating func scanLongName(_ bytes: Span<UInt8>, _ start: Int) throws(JSONError) -> JSONMember {
        let isEscaped = try scanString(bytes)
        let end = position &- 1
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

    private mutating func scanNumber(_ bytes: Span<UInt8>) throws(JSONError) {
        _ = take(UInt8(ascii: "-"), bytes)
        // RFC 8259 §6: no leading zeros.
        if !take(UInt8(ascii: "0"), bytes) { try scanDigits(bytes) }
        guard position < bytes.count, bytes[position] != UInt8(ascii: ",") else { return }
        if take(UInt8(ascii: "."), bytes) { try scanDigits(bytes) }
        if take(UInt8(ascii: "e"), bytes) || take(UInt8(ascii: "E"), bytes) {
            if !take(UInt8(ascii: "+"), bytes) { _ = take(UInt8(ascii: "-"), bytes) }
            try scanDigits(bytes)
        }
    }

    @inline(__always)
    private mutating func scanDigits(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        var index = start
        while index &+ 8 <= bytes.count {
            let others = Self.others(thanDigitsIn: bytes.word(at: index))
            index &+= min(others.trailingZeroBitCount, 64) >> 3
            if others != 0 { break }
        }
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
        position = index
        guard index > start else { throw JSONError(.malformed, at: index) }
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

    @inline(__always)
    mutating func skipSpaces(_ bytes: Span<UInt8>) {
        while position < bytes.count, bytes[position] <= 0x20 {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position &+= 1
            default: return
            }
        }
    }
}
