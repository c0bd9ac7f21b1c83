#if Postgres
internal import AuthKitCore
internal import CPostgres

/// libpq as opened at first use: a table of its functions, valid until the process ends.
// @unchecked: the table is written once, before anyone else can see it, and only read from then on.
// The library is never closed, since connections may outlive every store.
@safe final class PostgresLibrary: @unchecked Sendable {
    /// The functions, as the shim's calls take them.
    let api: UnsafePointer<ak_pq_api>

    /// The library every store shares, or why there is none.
    static let shared = Result { () throws(StoreError) in try open("libpq.so.5") }

    private init(owning api: UnsafePointer<ak_pq_api>) {
        unsafe self.api = unsafe api
    }

    /// Opens a library by its soname.
    static func open(_ name: String) throws(StoreError) -> PostgresLibrary {
        let api = UnsafeMutablePointer<ak_pq_api>.allocate(capacity: 1)
        // Filled whole or thrown away: a C struct of pointers needs no other initialisation.
        let missing: String? = unsafe name.withCString { name in
            unsafe ak_pq_load(api, name).map { unsafe String(cString: $0) }
        }
        if let missing {
            unsafe api.deallocate()
            throw StoreError(
                .cannotCreate,
                "A PostgreSQL store needs libpq, of which \(missing) is missing; install the package libpq5."
            )
        }
        return unsafe PostgresLibrary(owning: UnsafePointer(api))
    }
}
#endif
