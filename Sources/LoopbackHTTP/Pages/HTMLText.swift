/// Text made safe for HTML.
package enum HTMLText: Sendable {
    /// Escapes what has a meaning in elements and quoted attributes; controls become spaces.
    ///
    /// WHATWG HTML §13.1.2. Marks that set a direction are left out.
    package static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}": result += " "
            // Explicit directional formatting could make a name read as something else (Unicode UAX #9).
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": result += ""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
