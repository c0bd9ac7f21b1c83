internal import AuthKitCore

extension StoreOpening {
    /// Says what a store's key comes from, where what was named does not open it, and how to go on.
    func explained(
        _ error: VaultError,
        _ store: any TokenStore,
        at address: StoreAddress,
        by choice: KeySourceSetting.Choice
    ) async -> VaultError {
        guard let kind = try? await Vault.sourceKind(of: store) else { return error }
        // A typing error is the likely reason, and the sentence for that is the vault's own.
        if error.code == .wrongKey, [.passphrase, .secretService].contains(choice.name) { return error }
        let usual = await usualKeyFile(opening: store, of: kind, insteadOf: choice.name)
        let again = "; after a `store rekey --to` that was cut short, run that again"
        let detail: String
        if error.code == .wrongKey {
            let remedy =
                usual.map { "the usual key file does: pass --key-source keyfile:\(PrivatePlace.shellQuoted($0))" }
                ?? "pass --key-source with the one that it was made with"
            detail = "The key of \(address.text) is not that of \(choice.name.words): \(remedy)\(again)."
        } else {
            let (origin, option) = Self.words(kind, usual: usual)
            let flag = invocation.places.storeFlagToType
            detail =
                "The key of \(address.text) comes from \(origin), and \(Self.words(choice)); pass --key-source \(option), "
                + "or write that down with `authkit store init\(flag) --key-source \(option)`\(again)."
        }
        return VaultError(error.code, detail, cause: error)
    }

    /// The usual key file, if it opens the store and is not what was tried.
    func usualKeyFile(
        opening store: any TokenStore,
        of kind: String,
        insteadOf name: KeySourceName
    ) async -> String? {
        guard kind == "keyfile", let path = try? invocation.places.usualKeyFile, name != .keyFile(path),
            FileStatus(path) != nil
        else { return nil }
        let file = KeyFile(path: path, insecureLooseModes: invocation.insecureFileModes)
        return (try? await Vault.open(store, keySource: file)) == nil ? nil : path
    }

    /// What a kind of source is to people, and how it is named in a flag.
    private static func words(_ kind: String, usual: String?) -> (origin: String, option: String) {
        switch kind {
        case "keyfile":
            usual.map { ("the usual key file", "keyfile:\(PrivatePlace.shellQuoted($0))") }
                ?? ("a key file other than the usual one (kind keyfile)", "keyfile:PATH")
        case "env": ("a variable (kind env)", "env:NAME")
        case "passphrase": ("a passphrase (kind passphrase)", "passphrase")
        case "command": ("a key command (kind command)", "command:CMD")
        case "systemd-credential": ("a systemd credential (kind systemd-credential)", "systemd-credential:NAME")
        case "secret-service": ("the desktop's keyring (kind secret-service)", "secret-service")
        default: ("a source of the kind \(SafeText.quoted(kind))", "SOURCE")
        }
    }

    private static func words(_ choice: KeySourceSetting.Choice) -> String {
        switch choice.origin {
        case .flag(let flag): "\(flag) names \(choice.name.words)"
        case .variable: "AUTHKIT_KEY_SOURCE names \(choice.name.words)"
        case .configuration, .inherited: "the configuration names \(choice.name.words)"
        case .nobody: "no source is named, so that \(choice.name.words) was taken"
        }
    }
}
