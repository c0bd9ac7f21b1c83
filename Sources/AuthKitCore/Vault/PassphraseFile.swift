/// A passphrase in a file that only its owner may read; opens what the same passphrase has sealed, typed or not.
public struct PassphraseFile: KeySource {
    /// The largest file that is read.
    private static let limit = 4096

    private let passphrase: Passphrase

    /// Names the file; one line end behind the passphrase does not count.
    ///
    /// `insecureLooseModes` accepts one that others can read, for mounts that know no modes.
    public init(path: String, insecureLooseModes: Bool = false) {
        self.init(path: path, insecureLooseModes: insecureLooseModes, insecureCost: ScryptCost.standard.n)
    }

    /// Takes a cost of the caller's, for tests that make many stores.
    package init(path: String, insecureLooseModes: Bool = false, insecureCost: UInt64) {
        passphrase = Passphrase(insecureCost: insecureCost) {
            try Self.contents(of: path, insecureLooseModes: insecureLooseModes)
        }
    }

    /// `passphrase`.
    public var kind: String { passphrase.kind }

    /// Draws a salt; nothing is made.
    public func makeParameters() async throws -> [String: String] { try await passphrase.makeParameters() }

    /// Reads the file and stretches what is in it; a second's work by intent.
    public func wrappingKey(for parameters: [String: String]) async throws -> SecretBytes {
        try await passphrase.wrappingKey(for: parameters)
    }

    /// Reads the passphrase in a file, whatever it is for: one line end behind it, `\n` or `\r\n`, does not count.
    ///
    /// `remedy` is what helps where there is no file. Throws `key_unavailable` then, and for what holds no passphrase.
    package static func contents(
        of path: String,
        insecureLooseModes: Bool,
        remedy: String = "name another with --key-source"
    ) throws -> SecretBytes {
        guard let text = try SecretFile.key(path, limit: limit, insecureLooseModes: insecureLooseModes) else {
            throw VaultError(
                .keyUnavailable,
                "The passphrase file \(path) is missing; put it back, or \(remedy)."
            )
        }
        let count = unsafe text.withUnsafeBytes { bytes in
            guard unsafe bytes.last == UInt8(ascii: "\n") else { return bytes.count }
            let line = unsafe bytes.dropLast()
            return unsafe line.last == UInt8(ascii: "\r") ? line.count - 1 : line.count
        }
        guard count > 0 else {
            throw VaultError(.keyUnavailable, "The passphrase file \(path) is empty; write a passphrase into it.")
        }
        return text.part(0..<count)
    }
}
