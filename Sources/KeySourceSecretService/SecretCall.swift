internal import AuthKitCore
internal import CSecret

/// Calls of libsecret that can be given up, from any thread.
// @unchecked: the cancellable is an object of GLib that may be cancelled from any thread while it is referenced; it is
// referenced as long as this lives.
@safe final class SecretCall: @unchecked Sendable {
    private let library: SecretLibrary
    private let cancellable: UnsafeMutableRawPointer

    private init(owning cancellable: UnsafeMutableRawPointer, _ library: SecretLibrary) {
        unsafe self.cancellable = unsafe cancellable
        self.library = library
    }

    deinit { unsafe library.api.pointee.object_unref(cancellable) }

    /// Makes a call that nothing was asked of yet.
    static func make(_ library: SecretLibrary) throws(VaultError) -> SecretCall {
        guard let cancellable = unsafe library.api.pointee.cancellable_new() else {
            throw VaultError(.keyUnavailable, "GLib made no object; try again.")
        }
        return unsafe SecretCall(owning: cancellable, library)
    }

    /// Ends the call early, wherever it stands.
    func cancel() {
        unsafe library.api.pointee.cancellable_cancel(cancellable)
    }

    /// Reads an item's text; nil when there is none, or none that is unlocked.
    func lookUp(_ name: String) throws(VaultError) -> SecretBytes? {
        try connect()
        var error: UnsafeMutablePointer<ak_secret_error>?
        let text = unsafe ak_secret_lookup(library.api, name, cancellable, &error)
        try unsafe check(error)
        guard let text = unsafe text else { return nil }
        // Memory of libsecret's that is not paged out and is wiped when it is freed.
        defer { unsafe library.api.pointee.free_password(text) }
        let length = unsafe ak_secret_length(text)
        var bytes = unsafe Array(UnsafeRawBufferPointer(start: text, count: length))
        return SecretBytes(wiping: &bytes)
    }

    /// Keeps an item; false when the collection stayed locked.
    ///
    /// The text is base64url, which has no zero in it.
    func store(_ text: borrowing SecretBytes, as name: String, label: String) throws(VaultError) -> Bool {
        try connect()
        var error: UnsafeMutablePointer<ak_secret_error>?
        let isStored = unsafe text.withUnsafeBytes { bytes in
            unsafe ak_secret_store(library.api, name, label, bytes.baseAddress, bytes.count, cancellable, &error)
        }
        try unsafe check(error)
        return isStored != 0
    }

    private func connect() throws(VaultError) {
        var error: UnsafeMutablePointer<ak_secret_error>?
        let isConnected = unsafe ak_secret_connect(library.api, cancellable, &error)
        try unsafe check(error)
        guard isConnected != 0 else {
            throw VaultError(.keyUnavailable, "The session bus (D-Bus) does not answer; name another key source.")
        }
    }

    /// Throws what a call left, in its own words, which name no secret.
    private func check(_ error: UnsafeMutablePointer<ak_secret_error>?) throws(VaultError) {
        guard let error = unsafe error else { return }
        let message = unsafe String(cString: ak_secret_message(error))
        unsafe library.api.pointee.error_free(error)
        throw VaultError(
            .keyUnavailable,
            "The Secret Service did not answer with the store's key (\(message)); unlock the keyring, or name another key "
                + "source."
        )
    }
}
