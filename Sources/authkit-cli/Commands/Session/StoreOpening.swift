internal import AuthKitCore
internal import StoreSQLite

/// Opens the store and its vault as flags, environment and configuration say.
struct StoreOpening: Sendable {
    private let invocation: Invocation

    /// Makes one for a run of a command.
    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// Opens the vault; nil when there is no store yet, or one without a vault in it, and none is to be made.
    func vault(creating: Bool) async throws -> Vault? {
        let address = try invocation.places.store
        if !creating {
            switch address {
            case .memory: return nil
            case .sqlite(let path): if FileStatus(path) == nil { return nil }
            }
        }
        let source = try keySource()
        let store = try await store(address)
        // A first login that ended at its passphrase leaves a file without a header: no key belongs to it yet.
        if !creating, try await store.load(.header) == nil, try await store.list(after: nil, limit: 1).isEmpty {
            return nil
        }
        return try await Vault.open(store, keySource: source)
    }

    private func store(_ address: StoreAddress) async throws -> any TokenStore {
        switch address {
        case .memory: return InMemoryStore(time: invocation.time)
        case .sqlite(let path):
            var options = SQLiteStore.Options()
            options.insecureFileModes = invocation.insecureFileModes
            options.time = invocation.time
            let exists = FileStatus(path) != nil
            do {
                return try await SQLiteStore.open(path: path, options: options)
            } catch let error as StoreError where exists {
                throw Self.failure(error, opening: path)
            }
        }
    }

    /// Says why a store that is there cannot even be read where nothing can be written.
    ///
    /// SQLite could read it as an immutable file, and would give wrong answers while another machine or mount writes it.
    static func failure(_ error: StoreError, opening path: String) -> any Error {
        guard error.code == .cannotCreate else { return error }
        return CommandFailure(
            .cannotCreate,
            error.code.description,
            "The store \(path) is where nothing can be written, and even reading it takes locks and a log beside it; "
                + "make its directory writable, or copy it into one that is and name that with --store."
        )
    }

    /// The name of the key source: `--key-source`, `AUTHKIT_KEY_SOURCE`, the configuration's, else a key file.
    func keySourceName() throws(CommandFailure) -> KeySourceName {
        let places = invocation.places
        guard let text = try keySourceText() else {
            return .keyFile(try places.configurationDirectory + "/store.key")
        }
        return try KeySourceName(text, absolute: places.absolute)
    }

    /// The key source as it was written, flag first; nil where nothing names one.
    func keySourceText() throws(CommandFailure) -> String? {
        if let text = invocation.arguments.value("key-source") ?? invocation.environment["AUTHKIT_KEY_SOURCE"] {
            return text
        }
        return try invocation.configurationFile.load().keySource
    }

    /// The key source itself; nothing is read yet.
    func keySource() throws(CommandFailure) -> any KeySource {
        switch try keySourceName() {
        case .keyFile(let path): return KeyFile(path: path, insecureLooseModes: invocation.insecureFileModes)
        case .environment(let name):
            let environment = invocation.environment
            return EnvironmentKey(name: name) { environment[$0] }
        case .passphraseFile(let path):
            let place = invocation.place
            return Passphrase {
                var bytes = try Self.passphrase(in: path, place)
                if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
                return SecretBytes(wiping: &bytes)
            }
        case .passphrase:
            let invocation = invocation
            return PromptedPassphrase { isNew in
                guard !invocation.isNonInteractive else {
                    throw CommandFailure.configuration(
                        "The store needs its passphrase, and nobody may be asked; use --key-source passphrase-file:PATH.",
                        code: "key_unavailable"
                    )
                }
                // Where the whole command is limited, that limit cancels the prompt.
                let limit = invocation.arguments.shape.limitsItself ? try invocation.timeLeft : nil
                return try await PassphrasePrompt(on: invocation.surroundings.terminal, time: invocation.time)
                    .ask(isNew: isNew, within: limit ?? SignInFlow.patience)
            }
        }
    }

    /// A passphrase file's bytes; what keeps it from being read is a key that cannot be had (78), not a broken disk.
    private static func passphrase(in path: String, _ place: PrivatePlace) throws(CommandFailure) -> [UInt8] {
        let reason: String
        do {
            if let bytes = try place.contents(of: path, limit: 4096) { return bytes }
            reason = "The passphrase file \(path) is missing; put it back or name another with --key-source."
        } catch {
            guard error.exit == .inputOutput else { throw error }
            reason = error.message
        }
        throw .configuration(reason, code: "key_unavailable")
    }
}
