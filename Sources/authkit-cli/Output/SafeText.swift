/// Makes text from outside fit for a terminal.
enum SafeText {
    /// Replaces control characters, and those that reorder or hide text; line ends become spaces.
    static func tamed(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(isHarmless(scalar) ? scalar : (isSpace(scalar) ? " " : "\u{FFFD}"))
        }
        return String(result)
    }

    /// The same, line by line: line feeds stay.
    static func tamedLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { tamed(String($0)) }
            .joined(separator: "\n")
    }

    /// Tamed and cut, in double quotes; of what looks like a secret, and of an address's query, nothing is shown.
    static func quoted(_ text: String, limit: Int = 40) -> String {
        if let look = SecretLook(text) { return look.placeholder }
        let shown = text.contains("://") ? text.prefix { $0 != "?" } : text[...]
        let isCut = shown.count > limit || shown.endIndex != text.endIndex
        return "\"\(tamed(String(shown.prefix(limit))))\(isCut ? "…" : "")\""
    }

    /// Writes the characters by which a text could act on a terminal as JSON's escapes; in JSON the value stays the same.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        let scalars = text.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            if scalar == "\r", scalars[scalars.index(after: index)...].first == "\n" {
                result.append(scalar)
                continue
            }
            switch scalar.properties.generalCategory {
            case .control where scalar != "\n" && scalar != "\t", .format, .lineSeparator, .paragraphSeparator:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
                }
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\t"
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<32, 127..<160: false
        case 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: false
        case 0x2028, 0x2029, 0xE0000...0xE007F: false
        default: true
        }
    }
}
