internal import AuthKitCore
internal import KeySourceSecretService
internal import StoreFile
internal import StoreSQLite
#if Postgres
internal import StorePostgres
#endif

/// Opens the store and its vault as flags, environment and configuration say.
struct StoreOpening: Sendable {
    let invocation: Invocation

    /// Makes one for a run of a command.
    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// Opens the vault; nil when there is no store yet, or one without a vault in it, and none is to be made.
    func vault(creating: Bool) async throws -> Vault? {
        let address = try invocation.places.store
        return try await vault(at: address, creating: creating) {
            try KeySourceSetting(invocation, of: address).choice()
        }
    }

    /// Opens the vault of a store by a source, which is asked for when there is one to open.
    ///
    /// `prepared` is the source itself, where it has been made already.
    func vault(
        at address: StoreAddress,
        creating: Bool,
        prepared: (any KeySource)? = nil,
        choice: () throws -> KeySourceSetting.Choice
    ) async throws -> Vault? {
        if !creating {
            if address == .memory { return nil }
            if let path = address.path, FileStatus(path) == nil { return nil }
            try await refuseEmptyFile(address)
        }
        let choice = try choice()
        let source = try prepared ?? keySource(choice.name)
        let store = try await store(address)
        // A first login that ended at its passphrase leaves a store without a header: no key belongs to it yet.
        if !creating, try await !Self.isMade(store) { return nil }
        do {
            return try await Vault.open(store, keySource: source)
        } catch let error as VaultError where error.code == .otherKeySource || error.code == .wrongKey {
            // Made before the usual store got another source than the key file that was there for both.
            if choice.origin == .inherited,
                let path = await usualKeyFile(opening: store, of: "keyfile", insteadOf: choice.name)
            {
                return try await Vault.open(store, keySource: try keySource(.keyFile(path)))
            }
            throw await explained(error, store, at: address, by: choice)
        }
    }

    /// Whether a store has been made at an address; no key is asked for.
    func hasStore(at address: StoreAddress) async throws -> Bool {
        if let path = address.path {
            guard let status = FileStatus(path), !isEmptyFile(status, address) else { return false }
        }
        return try await Self.isMade(try await store(address))
    }

    private static func isMade(_ store: any TokenStore) async throws -> Bool {
        if try await store.load(.header) != nil { return true }
        return try await !store.list(after: nil, limit: 1).isEmpty
    }

    /// Whether a database file has nothing in it, nor in the log beside it.
    private func isEmptyFile(_ status: FileStatus, _ address: StoreAddress) -> Bool {
        guard case .sqlite(let path) = address, status.kind == .file, status.size == 0 else { return false }
        return (FileStatus(path + "-wal")?.size ?? 0) == 0
    }

    /// Refuses a file that has lost its contents: to call that "nobody is signed in" would hide the loss.
    ///
    /// One that another process is making is empty for a moment.
    private func refuseEmptyFile(_ address: StoreAddress) async throws {
        guard let path = address.path else { return }
        for _ in 0..<20 {
            guard let status = FileStatus(path), isEmptyFile(status, address) else { return }
            try await invocation.time.sleep(for: .milliseconds(25))
        }
        throw StoreError(
            .corrupt,
            "The store file \(path) is empty; put back a copy of it, or make it anew with `authkit store init`."
        )
    }

    /// Opens a store, for waits no longer than the command's time.
    private func store(_ address: StoreAddress) async throws -> any TokenStore {
        if case .postgres = address {
            return WatchedStore(try await unwatched(address), waits: invocation.waits, isRemote: true)
        }
        let opened = try await invocation.waits.during { try await unwatched(address) }
        return WatchedStore(opened, waits: invocation.waits, isRemote: false)
    }

    private func unwatched(_ address: StoreAddress) async throws -> any TokenStore {
        let left = try invocation.timeLeft ?? .seconds(3600)
        switch address {
        case .memory: return InMemoryStore(time: invocation.time)
        case .sqlite(let path):
            var options = SQLiteStore.Options()
            options.insecureFileModes = invocation.insecureFileModes
            options.time = invocation.time
            options.busyTimeout = min(options.busyTimeout, left)
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
            options.busyTimeout = min(options.busyTimeout, left)
            return try await FileStore.open(path: path, options: options)
        case .postgres(let address):
            #if Postgres
            var options = PostgresStore.Options()
            options.time = invocation.time
            options.statementLimit = min(options.statementLimit, left)
            options.connectionWait = min(options.connectionWait, left)
            options.reconnectLimit = min(options.reconnectLimit, left)
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

    /// The name of the key source of the command's store.
    func keySourceName() throws(CommandFailure) -> KeySourceName {
        try KeySourceSetting(invocation, of: try invocation.places.store).choice().name
    }

    /// The environment of children: without the variable of any key source that is named anywhere.
    ///
    /// While a store changes its source, the old one's variable and the new one's both hold a key of it. Throws where
    /// the configuration, which may name one, cannot be read.
    func childEnvironment() throws(CommandFailure) -> [String: String] {
        let arguments = invocation.arguments
        let configuration = try invocation.configurationFile.load(toEdit: true)
        let named = [
            arguments.value("key-source"), arguments.value("to"), arguments.value("to-key-source"),
            invocation.environment["AUTHKIT_KEY_SOURCE"], configuration.keySource,
        ]
        return invocation.environment.forChildren(
            keySources: named.compactMap(\.self) + configuration.keySources.values
        )
    }

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
            return try await TerminalPrompt(on: invocation.surroundings.terminal, time: invocation.time)
                .ask(isNew: isNew, for: subject, within: limit ?? SignInFlow.patience)
        }
    }
}
