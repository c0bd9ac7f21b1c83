internal import AuthKitCore

/// What says where a store's key comes from, and where that is written down.
///
/// The usual store's stands under `key_source`, any other one's under its address: to choose a source for one store
/// changes nothing for another.
struct KeySourceSetting: Sendable {
    /// Who named a source.
    enum Origin: Sendable, Hashable {
        /// A flag of this name.
        case flag(String)
        /// `AUTHKIT_KEY_SOURCE`.
        case variable
        /// The configuration, for this store.
        case configuration
        /// The configuration, for the usual store: good for others that are made without a choice of their own.
        case inherited
        /// Nobody: the usual key file is taken.
        case nobody
    }

    /// A source, and who named it.
    struct Choice: Sendable, Hashable {
        /// The source.
        let name: KeySourceName
        /// Who named it.
        let origin: Origin
    }

    /// The store.
    let address: StoreAddress
    private let invocation: Invocation

    /// Looks for the source of a store, that of the command unless another is named.
    init(_ invocation: Invocation, of address: StoreAddress) {
        self.invocation = invocation
        self.address = address
    }

    /// The source of the command's own store: `--key-source`, `AUTHKIT_KEY_SOURCE`, the configuration's, the key file.
    func choice() throws(CommandFailure) -> Choice {
        if let text = invocation.arguments.value("key-source") {
            return try choice(text, .flag("--key-source"))
        }
        if let text = invocation.environment["AUTHKIT_KEY_SOURCE"] { return try choice(text, .variable) }
        return try standing(in: try invocation.configurationFile.load())
    }

    /// The source that later commands find without a flag or a variable.
    func standing(in configuration: Configuration) throws(CommandFailure) -> Choice {
        if let text = written(in: configuration) { return try choice(text, .configuration) }
        if let text = configuration.keySource { return try choice(text, .inherited) }
        return Choice(name: .keyFile(try invocation.places.usualKeyFile), origin: .nobody)
    }

    /// What the configuration says of this very store.
    func written(in configuration: Configuration) -> String? {
        isUsual ? configuration.keySource : configuration.keySources[address.text]
    }

    /// Whether it can be written down: an address that cannot be shown without its password is no name for a store.
    var canBeWritten: Bool { address.text != "postgres:" }

    /// Writes a source down; false when it stands there already or cannot be written down.
    func write(_ name: KeySourceName, into configuration: inout Configuration) -> Bool {
        guard canBeWritten, written(in: configuration) != name.text else { return false }
        if isUsual {
            configuration.keySource = name.text
        } else {
            configuration.keySources[address.text] = name.text
        }
        return true
    }

    /// What a person has to do for later commands, where nothing could be written down; empty otherwise.
    func remark(on name: KeySourceName) -> String {
        canBeWritten ? "" : " Name it from now on: --key-source \(PrivatePlace.shellQuoted(name.text))"
    }

    private var isUsual: Bool { invocation.places.isUsual(address) }

    private func choice(_ text: String, _ origin: Origin) throws(CommandFailure) -> Choice {
        Choice(name: try KeySourceName(text, absolute: invocation.places.absolute), origin: origin)
    }
}
