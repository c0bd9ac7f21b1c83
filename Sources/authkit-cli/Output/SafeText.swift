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

    /// Tamed, at most 100 characters, in double quotes.
    static func quoted(_ text: String) -> String {
        let short = text.count > 100 ? text.prefix(100) + "…" : text[...]
        return "\"\(tamed(String(short)))\""
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
