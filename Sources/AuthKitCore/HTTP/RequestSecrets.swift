/// The secrets of a request, to find out whether a text repeats one of them.
struct RequestSecrets: Sendable {
    /// Parts of a secret are looked for from this length on: shorter ones are found in harmless texts too.
    private static let partCount = 6

    private let needles: Set<[UInt8]>

    /// Collects what the request must not show: values, what is inside an `Authorization`, strings of a secret body.
    init(of request: HTTPRequest, isSecretField: (HTTPField) -> Bool, isSecretParameter: (String) -> Bool) {
        var needles: Set<[UInt8]> = []
        for field in request.fields where isSecretField(field) {
            needles.insert(Array(field.value.utf8))
            needles.formUnion(Self.parts(ofCredentials: field.value))
        }
        for (name, value) in request.url.queryParameters ?? [] where isSecretParameter(name) {
            needles.formUnion(Self.part(value))
        }
        switch request.body {
        case .form(let parameters):
            for parameter in parameters where parameter.isSecret { needles.insert(Array(parameter.value.utf8)) }
        case .secretBytes(let bytes, _):
            needles.insert(bytes)
            for pair in String(validating: bytes, as: UTF8.self).flatMap({ FormEncoding.decode($0) }) ?? [] {
                needles.formUnion(Self.part(pair.value))
            }
            if let value = try? JSONValue(parsing: bytes) {
                needles.formUnion(Self.strings(in: value).flatMap(Self.part))
            }
        case .bytes, nil: break
        }
        self.needles = needles.filter { !$0.isEmpty }
    }

    /// Whether a text has one of them in it: as it is, form-encoded or percent-encoded, in whatever way.
    func appear(in text: String) -> Bool {
        guard !needles.isEmpty else { return false }
        let raw = Array(text.utf8)
        let readings = [raw, Self.unescaped(raw, plusIsSpace: false), Self.unescaped(raw, plusIsSpace: true)]
        return readings.contains { reading in needles.contains { Self.contains(reading, $0) } }
    }

    /// The words behind the scheme (RFC 9110 §11.4), and what RFC 7617 and RFC 6749 §2.3.1 put into `Basic`.
    private static func parts(ofCredentials value: String) -> [[UInt8]] {
        let words = value.split(whereSeparator: { " ,;".contains($0) }).map(String.init)
        var parts = words.dropFirst().flatMap(part)
        for word in words { parts += word.firstIndex(of: "=").map { part(String(word[$0...].dropFirst())) } ?? [] }
        guard words.count == 2, words[0].lowercased() == "basic" else { return parts }
        var text = words[1]
        while text.hasSuffix("=") { text.removeLast() }
        let url = text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        guard let pair = try? Base64URL.decode(String(url)), let colon = pair.firstIndex(of: UInt8(ascii: ":")) else {
            return parts
        }
        let password = Array(pair[(colon + 1)...])
        parts.append(password)
        if let decoded = PercentEncoding.decode(password, plusIsSpace: true) { parts.append(Array(decoded.utf8)) }
        return parts
    }

    private static func part(_ text: String) -> [[UInt8]] {
        text.utf8.count >= partCount ? [Array(text.utf8)] : []
    }

    private static func strings(in value: JSONValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let values): values.flatMap(strings)
        case .object(let object): object.members.flatMap { strings(in: $0.value) }
        case .number, .bool, .null: []
        }
    }

    /// Undoes the escapes that are whole and leaves the rest.
    private static func unescaped(_ bytes: [UInt8], plusIsSpace: Bool) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let escape = bytes[index...].prefix(3)
            if bytes[index] == UInt8(ascii: "%"), escape.count == 3,
                let byte = UInt8(String(decoding: escape.dropFirst(), as: UTF8.self), radix: 16)
            {
                result.append(byte)
                index += 3
            } else {
                result.append(plusIsSpace && bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
                index += 1
            }
        }
        return result
    }

    private static func contains(_ text: [UInt8], _ needle: [UInt8]) -> Bool {
        guard let first = needle.first, needle.count <= text.count else { return false }
        return text.indices.dropLast(needle.count - 1).contains { start in
            text[start] == first && text[start...].starts(with: needle)
        }
    }
}
