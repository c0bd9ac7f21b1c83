internal import AuthKitCore

/// Reads header fields from a file that only its owner may read.
enum FieldFile {
    private static let sizeLimit = 65_536
    private static let fieldLimit = 64

    /// The fields, all secret; empty lines and those that begin with `#` are passed over.
    static func fields(_ path: String, insecureFileModes: Bool) throws(NianticError) -> [HTTPField] {
        let text: String?
        do {
            text = try SecretFile.text(path, limit: sizeLimit, insecureLooseModes: insecureFileModes)
        } catch {
            throw .configuration("The field file cannot be read: \(error.detail)")
        }
        guard let text else { throw .configuration("There is no field file \(path); write it, or name another one.") }
        var fields: [HTTPField] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingSpaces()
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let colon = line.firstIndex(of: ":"), fields.count < fieldLimit else {
                throw .configuration(
                    "Line \(number + 1) of \(path) is no header field, or there are too many; write `Name: value` on each line."
                )
            }
            let name = String(line[..<colon])
            let value = line[line.index(after: colon)...].trimmingSpaces()
            guard isName(name), value.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
                throw .configuration("Line \(number + 1) of \(path) is no header field; write `Name: value`.")
            }
            fields.append(HTTPField(name, secret: Secret(value)))
        }
        return fields
    }

    /// RFC 9110 §5.1: a token.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}
