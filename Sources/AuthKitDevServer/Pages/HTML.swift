internal import LoopbackHTTP

/// Text that is safe to put in a page.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    /// The markup.
    let text: String

    /// Takes markup of our own; never text from outside.
    init(stringLiteral value: String) {
        text = value
    }

    /// Joins parts.
    init(_ parts: [HTML]) {
        text = parts.map(\.text).joined(separator: "\n")
    }

    init(stringInterpolation: Interpolation) {
        text = stringInterpolation.text
    }

    /// Escapes what is interpolated, unless it is `HTML` already.
    struct Interpolation: StringInterpolationProtocol {
        var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ html: HTML) { text += html.text }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += HTMLText.escape(value.description)
        }
    }
}
