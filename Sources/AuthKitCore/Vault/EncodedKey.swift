/// 32 bytes as base64url text: how keys come from files, the environment and commands.
///
/// Text and bytes are wiped from every buffer that is made here.
package enum EncodedKey: Sendable {
    /// Reads a key; blanks and line ends around it are allowed.
    package static func read(_ text: borrowing SecretBytes, from origin: String) throws -> SecretBytes {
        var bytes = unsafe text.withUnsafeBytes { unsafe Array($0) }
        return try read(wiping: &bytes, from: origin)
    }

    /// Reads a key from text that is wiped, whether it is one or not.
    static func read(wiping text: inout [UInt8], from origin: String) throws -> SecretBytes {
        defer { ConstantTime.wipe(&text) }
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let start = text.firstIndex { !isBlank($0) } ?? text.endIndex
        let end = text.lastIndex { !isBlank($0) } ?? text.startIndex
        guard start <= end, start < text.endIndex, let key = Base64URL.decode(secret: text[start...end]),
            key.count == 32
        else {
            throw VaultError(.keyUnavailable, "What \(origin) holds is not a key: 32 bytes in base64url are needed.")
        }
        return key
    }

    /// Writes a key as text with a line end.
    package static func write(_ key: borrowing SecretBytes) -> SecretBytes {
        var bytes = unsafe key.withUnsafeBytes { unsafe Array($0) }
        defer { ConstantTime.wipe(&bytes) }
        var text = Base64URL.encodeBytes(bytes)
        defer { ConstantTime.wipe(&text) }
        // Room for all of it from the start: an array that grows leaves its old bytes behind.
        var line: [UInt8] = []
        line.reserveCapacity(text.count + 1)
        line += text
        line.append(UInt8(ascii: "\n"))
        return SecretBytes(wiping: &line)
    }
}
