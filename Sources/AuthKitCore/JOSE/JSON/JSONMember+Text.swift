extension JSONMember {
    /// Whether the value is a string of exactly these bytes.
    func isText(_ text: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
        guard kind == .string else { return false }
        let written = bytes.extracting(textRange)
        return isEscaped ? JSONText.unescaped(written).span.isEqual(to: text) : written.isEqual(to: text)
    }

    /// The bytes of a string without escapes; nil when the value is no string.
    func textBytes(in bytes: Span<UInt8>) -> [UInt8]? {
        guard kind == .string else { return nil }
        let written = bytes.extracting(textRange)
        return isEscaped ? JSONText.unescaped(written) : written.array()
    }

    /// Whether a list of strings holds one of exactly these bytes; nil when it is no list, or holds something else.
    func isListOfTexts(with text: Span<UInt8>, in bytes: Span<UInt8>) -> Bool? {
        guard kind == .array else { return nil }
        let list = bytes.extracting(range)
        var scanner = JSONScanner()
        var found = false
        scanner.position = 1
        scanner.skipSpaces(list)
        while !scanner.take(UInt8(ascii: "]"), list) {
            let start = scanner.position
            // The list was checked before: what fails here is not a string.
            guard start < list.count, list[start] == UInt8(ascii: "\""), let isEscaped = try? scanner.scanString(list)
            else { return nil }
            var element = self
            element.kind = .string
            element.isEscaped = isEscaped
            element.start = UInt32(truncatingIfNeeded: start)
            element.end = UInt32(truncatingIfNeeded: scanner.position)
            if element.isText(text, in: list) { found = true }
            scanner.skipSpaces(list)
            if scanner.take(UInt8(ascii: ","), list) { scanner.skipSpaces(list) }
        }
        return found
    }
}
