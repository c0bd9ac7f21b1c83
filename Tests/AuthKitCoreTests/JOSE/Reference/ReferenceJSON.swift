/// A JSON reader that follows the rules of RFC 8259 one by one: slow, plain, and built in another way than ours.
///
/// The bytes are turned into characters first. Each rule then takes the text that is left and gives back what it
/// read with the rest. It also refuses what ours must refuse: a name twice in an object, and too many levels.
indirect enum ReferenceJSON: Sendable {
    typealias Text = ArraySlice<Unicode.Scalar>

    struct Member: Sendable {
        let name: [Unicode.Scalar]
        let value: ReferenceJSON
    }

    struct Refusal: Error {}

    case null
    case bool(Bool)
    case number(String)
    case string([Unicode.Scalar])
    case array([ReferenceJSON])
    case object([Member])

    /// Reads a document; nil when it is refused.
    static func read(_ bytes: [UInt8], levels: Int = 16) -> ReferenceJSON? {
        guard let characters = try? characters(bytes),
            let (value, rest) = try? value(withoutSpaces(characters[...]), levels),
            withoutSpaces(rest).isEmpty
        else { return nil }
        return value
    }

    /// RFC 3629 §3: the bits of each byte, put together; then what they must not be.
    private static func characters(_ bytes: [UInt8]) throws -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        var rest = bytes[...]
        while let lead = rest.popFirst() {
            let ones = (~lead).leadingZeroBitCount
            guard [0, 2, 3, 4].contains(ones) else { throw Refusal() }
            var code = UInt32(lead) & (0x7F >> UInt32(ones))
            for _ in 1..<max(ones, 1) {
                guard let next = rest.popFirst(), next >> 6 == 0b10 else { throw Refusal() }
                code = code * 64 + UInt32(next & 0x3F)
            }
            let least: [UInt32] = [0, 0, 0x80, 0x800, 0x10000]
            // There is no scalar for surrogates, nor beyond U+10FFFF.
            guard code >= least[ones], let scalar = Unicode.Scalar(code) else { throw Refusal() }
            result.append(scalar)
        }
        return result
    }

    /// RFC 8259 §2: `ws`.
    private static func withoutSpaces(_ text: Text) -> Text {
        text.drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    }

    /// RFC 8259 §2: a structural character with the spaces around it.
    private static func mark(_ mark: Unicode.Scalar, _ text: Text) -> Text? {
        let text = withoutSpaces(text)
        return text.first == mark ? withoutSpaces(text.dropFirst()) : nil
    }

    /// RFC 8259 §3: `value`.
    private static func value(_ text: Text, _ levels: Int) throws -> (ReferenceJSON, Text) {
        let words: [(String, ReferenceJSON)] = [("null", .null), ("true", .bool(true)), ("false", .bool(false))]
        for (word, value) in words where text.starts(with: word.unicodeScalars) {
            return (value, text.dropFirst(word.unicodeScalars.count))
        }
        if let inside = mark("{", text) { return try object(inside, levels - 1) }
        if let inside = mark("[", text) { return try array(inside, levels - 1) }
        if text.first == "\"" {
            let (characters, rest) = try string(text)
            return (.string(characters), rest)
        }
        return try number(text)
    }

    /// RFC 8259 §4: `object`, from behind its brace.
    private static func object(_ text: Text, _ levels: Int) throws -> (ReferenceJSON, Text) {
        guard levels >= 0 else { throw Refusal() }
        if text.first == "}" { return (.object([]), text.dropFirst()) }
        var members: [Member] = []
        var text = text
        while true {
            let (name, behindName) = try string(text)
            guard !members.contains(where: { $0.name == name }) else { throw Refusal() }
            guard let start = mark(":", behindName) else { throw Refusal() }
            let (value, behindValue) = try value(start, levels)
            members.append(Member(name: name, value: value))
            if let next = mark(",", behindValue) {
                text = next
                continue
            }
            let end = withoutSpaces(behindValue)
            guard end.first == "}" else { throw Refusal() }
            return (.object(members), end.dropFirst())
        }
    }

    /// RFC 8259 §5: `array`, from behind its bracket.
    private static func array(_ text: Text, _ levels: Int) throws -> (ReferenceJSON, Text) {
        guard levels >= 0 else { throw Refusal() }
        if text.first == "]" { return (.array([]), text.dropFirst()) }
        var elements: [ReferenceJSON] = []
        var text = text
        while true {
            let (element, behind) = try value(text, levels)
            elements.append(element)
            if let next = mark(",", behind) {
                text = next
                continue
            }
            let end = withoutSpaces(behind)
            guard end.first == "]" else { throw Refusal() }
            return (.array(elements), end.dropFirst())
        }
    }

    /// RFC 8259 §6: `number`. No character of a number may follow one, so all that are there are taken at once.
    private static func number(_ text: Text) throws -> (ReferenceJSON, Text) {
        let word = text.prefix { "+-.0123456789eE".unicodeScalars.contains($0) }
        let halves = word.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let digits = halves[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = digits[0].first == "-" ? digits[0].dropFirst() : digits[0]
        guard isDigits(whole), whole.count == 1 || whole.first != "0" else { throw Refusal() }
        if digits.count == 2, !isDigits(digits[1]) { throw Refusal() }
        if halves.count == 2 {
            let isSigned = halves[1].first == "+" || halves[1].first == "-"
            guard isDigits(halves[1].dropFirst(isSigned ? 1 : 0)) else { throw Refusal() }
        }
        var literal = String.UnicodeScalarView()
        literal.append(contentsOf: word)
        return (.number(String(literal)), text.dropFirst(word.count))
    }

    private static func isDigits(_ text: Text) -> Bool {
        !text.isEmpty && text.allSatisfy { "0123456789".unicodeScalars.contains($0) }
    }

    /// RFC 8259 §7: `string`, quotes included.
    private static func string(_ text: Text) throws -> ([Unicode.Scalar], Text) {
        guard text.first == "\"" else { throw Refusal() }
        var rest = text.dropFirst()
        var characters: [Unicode.Scalar] = []
        while let next = rest.popFirst() {
            switch next {
            case "\"": return (characters, rest)
            case "\\":
                let (character, behind) = try escape(rest)
                characters.append(character)
                rest = behind
            case "\0"..<" ": throw Refusal()
            default: characters.append(next)
            }
        }
        throw Refusal()
    }

    /// RFC 8259 §7: what follows a backslash.
    private static func escape(_ text: Text) throws -> (Unicode.Scalar, Text) {
        let short: [Unicode.Scalar: Unicode.Scalar] = [
            "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
        ]
        if let first = text.first, let meant = short[first] { return (meant, text.dropFirst()) }
        let (unit, rest) = try unit(text)
        if let scalar = Unicode.Scalar(unit) { return (scalar, rest) }
        guard rest.first == "\\" else { throw Refusal() }
        let (other, end) = try self.unit(rest.dropFirst())
        guard (0xD800..<0xDC00).contains(unit), (0xDC00..<0xE000).contains(other),
            let scalar = Unicode.Scalar(UInt32(0x10000) + UInt32(unit - 0xD800) * 0x400 + UInt32(other - 0xDC00))
        else { throw Refusal() }
        return (scalar, end)
    }

    /// RFC 8259 §7: a `u` with four hexadecimal digits.
    private static func unit(_ text: Text) throws -> (UInt16, Text) {
        let digits = text.dropFirst().prefix(4)
        // UInt16 would take a sign as well.
        guard text.first == "u", digits.count == 4,
            digits.allSatisfy({ "0123456789abcdefABCDEF".unicodeScalars.contains($0) }),
            let unit = UInt16(String(String.UnicodeScalarView(digits)), radix: 16)
        else { throw Refusal() }
        return (unit, text.dropFirst(5))
    }
}
