internal import AuthKitCore

/// A passphrase that a person types: twice for a new store, so that a slip of the finger locks nobody out, and not once
/// more to open what was made with it.
final class PromptedPassphrase: KeySource {
    /// What was typed for a new store, until that is open.
    private final class Kept: Sendable {
        let secret: SecretBytes

        init(_ secret: consuming SecretBytes) {
            self.secret = secret
        }

        var copy: SecretBytes { secret.part(0..<secret.count) }
    }

    private struct State: Sendable {
        var isNew = false
        var kept: Kept?
    }

    private let state = Guarded(State())
    private let ask: @Sendable (Bool) async throws -> SecretBytes

    /// Takes what asks; it is told whether the passphrase is a new one.
    init(_ ask: @escaping @Sendable (_ isNew: Bool) async throws -> SecretBytes) {
        self.ask = ask
    }

    var kind: String { "passphrase" }

    /// Asks for a new passphrase now, so that nobody is asked while a lock is held.
    func askAhead() async throws {
        let kept = Kept(try await ask(true))
        state.withLock { $0.kept = kept }
    }

    func makeParameters() async throws -> [String: String] {
        state.withLock { $0.isNew = true }
        return try await Passphrase(ask(asNew: true)).makeParameters()
    }

    func wrappingKey(for parameters: [String: String]) async throws -> SecretBytes {
        let (isNew, kept) = state.withLock { state in
            // Kept from making to opening: two keys are made of what was typed, and no more.
            let before = (state.isNew, state.kept)
            if !state.isNew { state.kept = nil }
            state.isNew = false
            return before
        }
        if let kept { return try await Passphrase { kept.copy }.wrappingKey(for: parameters) }
        guard isNew else { return try await Passphrase(ask(asNew: false)).wrappingKey(for: parameters) }
        let typed = Kept(try await ask(true))
        state.withLock { $0.kept = typed }
        return try await Passphrase { typed.copy }.wrappingKey(for: parameters)
    }

    private func ask(asNew isNew: Bool) -> @Sendable () async throws -> SecretBytes {
        { [ask] in try await ask(isNew) }
    }
}
