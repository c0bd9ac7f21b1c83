internal import AuthKitCore

/// A passphrase that a person types: twice for a new store, so that a slip of the finger locks nobody out.
final class PromptedPassphrase: KeySource {
    private let passphrase: Passphrase
    private let isNew: Guarded<Bool>
    private let ask: @Sendable (Bool) async throws -> SecretBytes

    /// Takes what asks; it is told whether the passphrase is a new one.
    init(_ ask: @escaping @Sendable (_ isNew: Bool) async throws -> SecretBytes) {
        self.ask = ask
        isNew = Guarded(false)
        passphrase = Passphrase { try await ask(false) }
    }

    var kind: String { passphrase.kind }

    func makeParameters() async throws -> [String: String] {
        isNew.withLock { $0 = true }
        return try await passphrase.makeParameters()
    }

    func wrappingKey(for parameters: [String: String]) async throws -> SecretBytes {
        let isFirst = isNew.withLock { isNew in
            defer { isNew = false }
            return isNew
        }
        guard isFirst else { return try await passphrase.wrappingKey(for: parameters) }
        let ask = ask
        return try await Passphrase { try await ask(true) }.wrappingKey(for: parameters)
    }
}
