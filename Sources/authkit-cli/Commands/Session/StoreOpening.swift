internal import AuthKitCore
internal import KeySourceSecretService
internal import StoreFile
internal import StoreSQLite
#if Postgres
internal import StorePostgres
#endif

/// Opens the store and its vault as flags, environment and configuration say.
struct StoreOpening: Sendable {
    private let invocation: Invocation

    /// Makes one for a run of a command.
    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// Opens the vault; nil when there is no store yet, or one without a vault in it, and none is to be made.
    func vault(creating: Bool) async throws -> Vault? {
        try await vault(at: try invocation.places.store, creating: creating) { try keySource() }
    }

    /// Opens the vault of another store than the one that flags and environment name.
    func vault(
        at address: StoreAddress,
        creating: Bool,
        keySource: () throws -> any KeySource
    ) async throws -> Vault? {
        if !creating {
            if address == .memory { return nil }
            if let path = address.path, FileStatus(path) == nil { return nil }
        }
        let source = try keySource()
        let store = try await store(address)
        // A first login that ended at its passphrase leaves a store without a header: no key belongs to it yet.
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
        case .file(let path):
            var options = FileStore.Options()
            options.insecureFileModes = invocation.insecureFileModes
            options.time = invocation.time
            return try await FileStore.open(path: path, options: options)
        case .postgres(let address):
            #if Postgres
            var options = PostgresStore.Options()
            options.time = invocation.time
            return try await PostgresStore.open(address, options: options)
            #else
            preconditionFailure("an address of PostgreSQL is refused when it is read")
            #endif
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

    /// The environment of children: without the variable of any key source that is named anywhere.
    ///
    /// While a store changes its source, the old one's variable and the new one's both hold a key of it. Throws where
    /// the configuration, which may name one, cannot be read.
    func childEnvironment() throws(CommandFailure) -> [String: String] {
        let arguments = invocation.arguments
        let named = [
            arguments.value("key-source"), arguments.value("to"), arguments.value("to-key-source"),
            invocation.environment["AUTHKIT_KEY_SOURCE"],
            try invocation.configurationFile.load(toEdit: true).keySource,
        ]
        return invocation.environment.forChildren(keySources: named.compactMap(\.self))
    }

    /// The key source itself; nothing is read yet.
    func keySource() throws(CommandFailure) -> any KeySource { try keySource(try keySourceName()) }

    /// A key source by its name; nothing is read yet.
    func keySource(_ name: KeySourceName) throws(CommandFailure) -> any KeySource {
        let environment = invocation.environment
        switch name {
        case .keyFile(let path): return KeyFile(path: path, insecureLooseModes: invocation.insecureFileModes)
        case .environment(let name): return EnvironmentKey(name: name) { environment[$0] }
        case .passphraseFile(let path):
            return PassphraseFile(path: path, insecureLooseModes: invocation.insecureFileModes)
        case .command(let line):
            return CommandKey(line, environment: try childEnvironment(), time: invocation.time)
        case .systemdCredential(let name): return SystemdCredential(name: name) { environment[$0] }
        case .secretService: return SecretServiceKey { environment[$0] }
        case .passphrase:
            let asking = asking("the store", instead: "--key-source passphrase-file:PATH")
            return PromptedPassphrase(asking)
        }
    }

    /// Asks a person for a passphrase, where anybody may be asked; `instead` is what helps where nobody may.
    func asking(_ subject: String, instead: String) -> @Sendable (_ isNew: Bool) async throws -> SecretBytes {
        { [invocation] isNew in
            guard !invocation.isNonInteractive else {
                throw CommandFailure.configuration(
                    "The passphrase of \(subject) is needed, and nobody may be asked; use \(instead).",
                    code: "key_unavailable"
                )
            }
            // Where the whole command is limited, that limit cancels the prompt.
            let limit = invocation.arguments.shape.limitsItself ? try invocation.timeLeft : nil
            return try await PassphrasePrompt(on: invocation.surroundings.terminal, time: invocation.time)
                .ask(isNew: isNew, for: subject, within: limit ?? SignInFlow.patience)
        }
    }
}
