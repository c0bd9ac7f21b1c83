internal import AuthKitCore

/// Reads the header lines of an answer as they arrive: interim answers are dropped, trailers ignored.
struct ResponseHead: Sendable {
    /// The status of the last status line; zero before the first.
    private(set) var status = 0
    /// The fields of the final answer, in order.
    private(set) var fields: [HTTPField] = []

    private var size = 0
    private var isComplete = false

    /// How many bytes all header lines of one exchange may have.
    static let limit = 256 * 1024

    /// Takes one line, its line end included; false once there are too many bytes.
    mutating func take(_ line: [UInt8]) -> Bool {
        size += line.count
        guard size <= Self.limit else { return false }
        // RFC 9110 §6.5: trailers are not header fields, and nothing of ours reads them.
        guard !isComplete else { return true }
        let text = String(decoding: line, as: UTF8.self).trimmingSpaces()
        if text.isEmpty {
            // RFC 9110 §15.2: interim answers (1xx) come before the final one.
            isComplete = status >= 200
        } else if text.hasPrefix("HTTP/") {
            let parts = text.split(separator: " ", maxSplits: 2)
            status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            fields = []
        } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t"), let last = fields.popLast() {
            // RFC 9112 §5.2: a folded line continues the value, separated by a space.
            fields.append(HTTPField(last.name, "\(last.value) \(text)"))
        } else if let colon = text.firstIndex(of: ":") {
            fields.append(HTTPField(String(text[..<colon]), text[text.index(after: colon)...].trimmingSpaces()))
        }
        return true
    }
}
