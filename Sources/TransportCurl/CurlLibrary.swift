internal import AuthKitCore
internal import CCurl

/// libcurl as opened at first use: a table of its functions, valid until the process ends.
// @unchecked: the table is written once, before anyone else can see it, and only read from then on.
// The library is never closed, since its own threads may outlive every transfer.
@safe final class CurlLibrary: @unchecked Sendable {
    /// The functions, as the shim's calls take them.
    let api: UnsafePointer<ak_curl_api>

    /// The library every transport shares, or why there is none.
    static let shared = Result { () throws(TransportError) in try open(CurlTransport.library.name) }

    private init(owning api: UnsafePointer<ak_curl_api>) {
        unsafe self.api = unsafe api
    }

    /// Opens a library by its soname and starts it up (curl_global_init).
    static func open(_ name: String) throws(TransportError) -> CurlLibrary {
        let api = UnsafeMutablePointer<ak_curl_api>.allocate(capacity: 1)
        // Filled whole or thrown away: a C struct of pointers needs no other initialisation.
        let missing: String? = unsafe name.withCString { name in
            unsafe ak_curl_load(api, name).map { unsafe String(cString: $0) }
        }
        if let missing {
            unsafe api.deallocate()
            throw TransportError(
                .unusable,
                delivery: .notSent,
                detail:
                    "HTTP needs libcurl, of which \(missing) is missing; install the package \(CurlTransport.library.package)."
            )
        }
        guard unsafe api.pointee.global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            unsafe api.deallocate()
            throw TransportError(
                .unusable,
                delivery: .notSent,
                detail: "libcurl does not start; reinstall the package \(CurlTransport.library.package)."
            )
        }
        return unsafe CurlLibrary(owning: UnsafePointer(api))
    }

    /// What a result code means, in libcurl's words.
    func describe(_ code: CURLcode) -> String {
        unsafe String(cString: api.pointee.easy_strerror(code))
    }
}
