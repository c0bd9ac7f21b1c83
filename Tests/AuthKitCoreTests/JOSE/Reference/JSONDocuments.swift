/// Makes documents that are JSON, nearly JSON, or neither; the same ones for the same seed.
struct JSONDocuments {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A document that follows the grammar, save for levels and names that may be there twice.
    mutating func document() -> [UInt8] {
        spaces() + value(levels: below(5)) + spaces()
    }

    /// The document with one to four changes: bits, bytes, pieces.
    mutating func mutated(_ document: [UInt8]) -> [UInt8] {
        var bytes = document
        for _ in 0...below(4) {
            let position = below(bytes.count + 1)
            switch below(7) {
            case 0 where position < bytes.count: bytes[position] ^= 1 << UInt8(below(8))
            case 1 where position < bytes.count: bytes.remove(at: position)
            case 2: bytes.insert(UInt8(below(256)), at: position)
            case 3: bytes.insert(contentsOf: Array(pick(Self.fragments).utf8), at: position)
            case 4: bytes.removeSubrange(position..<min(bytes.count, position + below(8)))
            case 5:
                let end = min(bytes.count, position + below(16))
                bytes.insert(contentsOf: bytes[position..<end], at: below(bytes.count + 1))
            default: bytes.insert(contentsOf: pick(Self.sequences), at: position)
            }
        }
        return bytes
    }

    private mutating func value(levels: Int) -> [UInt8] {
        switch below(levels > 0 ? 8 : 5) {
        case 0: return Array(pick(["null", "true", "false"]).utf8)
        case 1, 2: return string()
        case 3, 4: return Array(number().utf8)
        case 5:
            // Levels around the bound of 16, now and then.
            let depth = below(4) == 0 ? 10 + below(9) : 1
            return Array(repeating: 0x5B, count: depth) + value(levels: levels - 1)
                + Array(repeating: 0x5D, count: depth)
        case 6:
            return list(open: 0x5B, close: 0x5D, count: below(5)) { documents in documents.value(levels: levels - 1) }
        default:
            // Beyond 32 members names are compared in another way.
            let count = below(12) == 0 ? 30 + below(8) : below(6)
            return list(open: 0x7B, close: 0x7D, count: count) { documents in
                let name = count > 8 ? documents.longName() : documents.name()
                let (before, behind) = (documents.spaces(), documents.spaces())
                return name + before + [0x3A] + behind + documents.value(levels: count > 8 ? 0 : levels - 1)
            }
        }
    }

    private mutating func list(
        open: UInt8,
        close: UInt8,
        count: Int,
        _ element: (inout JSONDocuments) -> [UInt8]
    ) -> [UInt8] {
        var bytes = [open] + spaces()
        for index in 0..<count {
            if index > 0 { bytes += [0x2C] + spaces() }
            bytes += element(&self) + spaces()
        }
        return bytes + [close]
    }

    /// A name of a few, so that some come twice, spelt with escapes now and then.
    private mutating func name() -> [UInt8] {
        let names = [
            "a", "\\u0061", "b", "", "é", "\\u00e9", "\\u00E9", "e\u{301}", "iss", "i\\u0073s", "exactly8",
            "exactly\\u0038",
            "longer than eight", "longer than eight!", "😀", "\\ud83d\\ude00", "\\uD83D\\uDE00", "\\/", "/",
        ]
        return below(3) == 0 ? string() : [0x22] + Array(pick(names).utf8) + [0x22]
    }

    private mutating func longName() -> [UInt8] {
        let number = below(400)
        return Array((below(6) == 0 ? "\"\\u006e\(number)\"" : "\"n\(number)\"").utf8)
    }

    private mutating func string() -> [UInt8] {
        var bytes: [UInt8] = [0x22]
        for _ in 0..<below(10) {
            bytes += Array(pick(Self.pieces).utf8)
        }
        return bytes + [0x22]
    }

    private mutating func number() -> String {
        let sign = below(3) == 0 ? "-" : ""
        let whole = pick([
            "0", "1", "12", "1700000000", "9223372036854775807", "9223372036854775808", "18446744073709551616",
            "1\(below(100_000))",
        ])
        let fraction = pick([
            "", "", ".0", ".5", ".000", ".123456789012345678", ".0000000000000000001", ".\(below(1000))",
        ])
        let exponent = pick([
            "", "", "", "e0", "E+1", "e-1", "e3", "e-3", "e18", "e-19", "E400", "e-400", "e99999999999999999999",
        ])
        return sign + whole + fraction + exponent
    }

    private mutating func spaces() -> [UInt8] {
        below(4) == 0 ? (0..<below(3)).map { _ in pick([0x20, 0x09, 0x0A, 0x0D]) } : []
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// SplitMix64, cut to a range.
    private mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    /// Pieces of strings that are right.
    private static let pieces = [
        "a", "text", "é", "€", "😀", "\u{7F}", "\u{FFFF}", "\u{10FFFF}", "\\n", "\\\\", "\\\"", "\\/", "\\b\\f\\r\\t",
        "\\u0000",
        "\\u001f", "\\u00e9", "\\uFFFF", "\\ud83d\\ude00", "\\uDBFF\\uDFFF", "0123456789abcdef", " ", "'", "{", "]",
        ",",
    ]

    /// Pieces that are right in few places.
    private static let fragments = [
        "\"", "\\", "\\u", "\\u12", "\\u+123", "\\uD800", "\\uDC00", "\\uD800\\uD800", "\\x", "\\U0041", "{", "}", "[",
        "]", ",", ":",
        "null", "nul", "NaN", "Infinity", "-", "-0", "00", "01", "1.", ".5", "1e", "+1", "0x10", "1e+", "1_0",
        "\"a\":1,", "{}", "[]",
        "//", "/**/", "'a'", " ", "\u{A0}", "\u{FEFF}", "\u{0B}", "\u{0C}", "\u{2028}", "\0", "[[[[[[[[[[[[[[[[",
        "]]]]]]]]]]]]]]]]",
    ]

    /// Bytes that are right in no place, and some that are in strings.
    private static let sequences: [[UInt8]] = [
        [0xFF], [0xFE], [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF],
        [0xE2, 0x82],
        [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
        [0xF5, 0x80, 0x80, 0x80],
        [0xF8, 0x88, 0x80, 0x80, 0x80], [0xEF, 0xBB, 0xBF], [0x00], [0x1F], [0x7F],
    ]
}
