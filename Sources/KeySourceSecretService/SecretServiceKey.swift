public import AuthKitCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A key in the desktop's keyring (GNOME Keyring, KWallet, KeePassXC), by the Secret Service interface.
///
/// 32 random bytes in base64url are kept there as an item of the default collection, and the store's header has the
/// item's name; tokens stay in the store. libsecret is opened when the source is first used.
public struct SecretServiceKey: KeySource {
    /// The parameter that names the item.
    private static let item = "item"

    private let library: String
    private let limit: Duration
    private let lookUp: @Sendable (String) -> String?

    /// Says how variables are read: they tell whether there is a session bus.
    ///
    /// `limit` is how long one call may take, a person's unlocking included.
    public init(limit: Duration = .seconds(60), lookUp: @escaping @Sendable (String) -> String?) {
        self.init(library: "libsecret-1.so.0", limit: limit, lookUp: lookUp)
    }

    /// Takes the soname of the library as well.
    init(library: String, limit: Duration, lookUp: @escaping @Sendable (String) -> String?) {
        self.library = library
        self.limit = limit
        self.lookUp = lookUp
    }

    /// `secret-service`.
    public var kind: String { "secret-service" }

    /// Draws a key and keeps it as an item of its own; gives the item's name.
    ///
    /// The item stays where what follows fails, such as the write of the header that is to name it: a write that was
    /// reported as failed may have taken effect, and a store whose item is gone cannot be opened by anybody. An item
    /// too many opens nothing; a person may remove it from the keyring once another source or item opens the store.
    public func makeParameters() async throws -> [String: String] {
        let name = Base64URL.encode(try Random.bytes(16))
        try await withService { service in
            try await service.makeKey(as: name)
        }
        return [Self.item: name]
    }

    /// Reads the item.
    public func wrappingKey(for parameters: [String: String]) async throws -> SecretBytes {
        guard let name = parameters[Self.item] else {
            throw VaultError(.tampered, "The store's header does not name the item of its key; restore the store.")
        }
        return try await withService { service in try await service.key(name) }.key.copy()
    }

    /// Calls the service, and gives up after the limit, or when the caller is cancelled.
    private func withService<Result: Sendable>(
        _ body: (SecretService) async throws -> Result
    ) async throws -> Result {
        try requireBus()
        let call = try SecretCall.make(try SecretLibrary.open(library))
        let timer = Task { [limit] in
            try await Task.sleep(for: limit)
            call.cancel()
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await body(SecretService(call))
        } onCancel: {
            call.cancel()
        }
    }

    /// GLib would otherwise start a bus of its own, for whoever has a display and none yet.
    private func requireBus() throws(VaultError) {
        if let address = lookUp("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return }
        if let directory = lookUp("XDG_RUNTIME_DIR"), unsafe access("\(directory)/bus", R_OK | W_OK) == 0 { return }
        throw VaultError(
            .keyUnavailable,
            "There is no session bus (D-Bus) and so no Secret Service; start this from a desktop session, or name another "
                + "key source, such as keyfile:PATH."
        )
    }
}
