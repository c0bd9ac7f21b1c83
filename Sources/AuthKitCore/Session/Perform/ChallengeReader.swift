/// Reads `WWW-Authenticate` (RFC 9110 §11.6.1): several challenges in one field, or in several.
///
/// Bounded: so many bytes, schemes and parameters are looked at and no more.
struct ChallengeReader {
    private static let byteLimit = 16_384
    private static let schemeLimit = 16
    private static let parameterLimit = 32
    private static let valueLimit = 2048

    private let bytes: [UInt8]
    private var position = 0

    /// Reads the fields of that name, each by itself: one that is broken harms no other.
    static func schemes(in values: [String]) -> [AuthorizationChallenge.Scheme] {
        var schemes: [AuthorizationChallenge.Scheme] = []
        var rest = byteLimit
        for value in values where rest > 0 && schemes.count < schemeLimit {
            let bytes = Array(value.utf8.prefix(rest))
            rest -= bytes.count
            var reader = ChallengeReader(bytes: bytes)
            reader.read(into: &schemes)
        }
        return schemes
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func read(into schemes: inout [AuthorizationChallenge.Scheme]) {
        while schemes.count < Self.schemeLimit {
            skipSeparators()
            guard let name = token() else { return }
            var parameters: [String: String] = [:]
            let isWhole = readParameters(into: &parameters)
            schemes.append(AuthorizationChallenge.Scheme(name: name.lowercased(), parameters: parameters))
            guard isWhole else { return }
        }
    }

    /// What stands behind a scheme: nothing, a token68, or parameters up to the next scheme; false where it breaks off.
    private mutating func readParameters(into parameters: inout [String: String]) -> Bool {
        guard skipSpaces() else { return isAtSeparator }
        if skipToken68() { return true }
        var count = 0
        while true {
            let start = position
            skipSeparators()
            guard position < bytes.count else { return true }
            guard let name = token() else { return false }
            skipSpaces()
            guard take(UInt8(ascii: "=")) else {
                // A name without a value is the next scheme.
                position = start
                return position < bytes.count
            }
            skipSpaces()
            guard let value = value() else { return false }
            count += 1
            guard count <= Self.parameterLimit else { return false }
            // RFC 9110 §11.2: a name comes once; of several the first counts.
            let key = name.lowercased()
            if parameters[key] == nil { parameters[key] = value }
            skipSpaces()
            guard isAtSeparator else { return false }
        }
    }

    private var isAtSeparator: Bool { position == bytes.count || bytes[position] == UInt8(ascii: ",") }

    /// RFC 9110 §11.2: token68, which is followed by nothing but the next challenge.
    private mutating func skipToken68() -> Bool {
        let start = position
        while position < bytes.count, Self.isToken68(bytes[position]) { position += 1 }
        guard position > start else { return false }
        while take(UInt8(ascii: "=")) {}
        let end = position
        skipSpaces()
        if isAtSeparator, end > start { return true }
        position = start
        return false
    }

    private mutating func value() -> String? {
        guard take(UInt8(ascii: "\"")) else { return token() }
        var text: [UInt8] = []
        while position < bytes.count {
            var byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return Self.tamed(text) }
            if byte == UInt8(ascii: "\\") {
                guard position < bytes.count else { return nil }
                byte = bytes[position]
                position += 1
            }
            guard text.count < Self.valueLimit else { return nil }
            text.append(byte)
        }
        return nil  // It has no end.
    }

    private mutating func token() -> String? {
        let start = position
        while position < bytes.count, position - start < Self.valueLimit, Self.isToken(bytes[position]) {
            position += 1
        }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    @discardableResult
    private mutating func skipSpaces() -> Bool {
        let start = position
        while position < bytes.count, bytes[position] == 32 || bytes[position] == 9 { position += 1 }
        return position > start
    }

    private mutating func skipSeparators() {
        while position < bytes.count, [9, 32, UInt8(ascii: ",")].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Texts end in messages: control characters become spaces.
    private static func tamed(_ text: [UInt8]) -> String {
        String(decoding: text.map { $0 < 32 || $0 == 127 ? 32 : $0 }, as: UTF8.self)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// RFC 9110 §5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte) }

    private static func isToken68(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-._~+/".utf8.contains(byte) }
}
