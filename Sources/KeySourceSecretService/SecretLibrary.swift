internal import AuthKitCore
internal import CSecret

/// libsecret as opened at first use: a table of its functions, valid until the process ends.
// @unchecked: the table is written once, before anyone else can see it, and only read from then on.
// The library is never closed, since its own threads outlive every call.
@safe final class SecretLibrary: @unchecked Sendable {
    /// The functions, as the shim's calls take them.
    let api: UnsafePointer<ak_secret_api>

    private init(owning api: UnsafePointer<ak_secret_api>) {
        unsafe self.api = unsafe api
    }

    /// Opens a library by its soname; `key_unavailable` names the package of one that is missing.
    static func open(_ name: String) throws(VaultError) -> SecretLibrary {
        let api = UnsafeMutablePointer<ak_secret_api>.allocate(capacity: 1)
        // Filled whole or thrown away: a C struct of pointers needs no other initialisation.
        let missing: String? = unsafe name.withCString { name in
            unsafe ak_secret_load(api, name).map { unsafe String(cString: $0) }
        }
        if let missing {
            unsafe api.deallocate()
            throw VaultError(
                .keyUnavailable,
                "The Secret Service needs libsecret, of which \(missing) is missing; install the package libsecret-1-0, or "
                    + "name another key source."
            )
        }
        return unsafe SecretLibrary(owning: UnsafePointer(api))
    }
}
