internal import AuthKitCore
internal import CCurl

/// One libcurl transfer and the memory that libcurl reads while it lasts.
///
/// Stays on the thread that made it.
@safe final class EasyHandle {
    /// The handle itself.
    let pointer: UnsafeMutableRawPointer

    private let library: CurlLibrary
    private let errorText: UnsafeMutablePointer<CChar>
    private var body: UnsafeMutableBufferPointer<UInt8>?
    private var lists: [UnsafeMutablePointer<curl_slist>]

    private init(owning pointer: UnsafeMutableRawPointer, of library: CurlLibrary) {
        unsafe self.pointer = pointer
        self.library = library
        unsafe lists = []
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        unsafe library.api.pointee.easy_cleanup(pointer)
        while let list = unsafe lists.popLast() { unsafe library.api.pointee.slist_free_all(list) }
        unsafe body?.deallocate()
        unsafe errorText.deallocate()
    }

    /// Makes a handle with libcurl's own settings.
    static func make(_ library: CurlLibrary) throws(TransportError) -> EasyHandle {
        guard let raw = unsafe library.api.pointee.easy_init() else {
            throw TransportError(.unusable, delivery: .notSent, detail: "libcurl has no memory for a transfer.")
        }
        let handle = unsafe EasyHandle(owning: raw, of: library)
        try handle.check(unsafe ak_curl_set_pointer(library.api, raw, CURLOPT_ERRORBUFFER, handle.errorText))
        return handle
    }

    /// Tells handles apart while they live.
    var id: UInt { unsafe UInt(bitPattern: pointer) }

    /// libcurl's own words for the last failure; empty when it has none.
    var failureText: String { unsafe String(cString: errorText) }

    /// Sets a number.
    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(unsafe ak_curl_set_long(library.api, pointer, option, value))
    }

    /// Sets a number where the library has the option; false where it is too old.
    func setIfKnown(_ option: CURLoption, _ value: Int) throws(TransportError) {
        let code = unsafe ak_curl_set_long(library.api, pointer, option, value)
        if code != CURLE_UNKNOWN_OPTION { try check(code) }
    }

    /// Sets a text, which libcurl copies; nil takes a built-in one away.
    func set(_ option: CURLoption, _ value: String?) throws(TransportError) {
        if let value {
            try check(unsafe ak_curl_set_string(library.api, pointer, option, value))
        } else {
            try check(unsafe ak_curl_set_string(library.api, pointer, option, nil))
        }
    }

    /// Sets a list of lines, which lives as long as the handle.
    func set(_ option: CURLoption, _ lines: [String]) throws(TransportError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = unsafe library.api.pointee.slist_append(list, line) else {
                unsafe library.api.pointee.slist_free_all(list)
                throw TransportError(.unusable, delivery: .notSent, detail: "libcurl has no memory for a list.")
            }
            unsafe list = longer
        }
        guard let list = unsafe list else { return }
        unsafe lists.append(list)
        try check(unsafe ak_curl_set_list(library.api, pointer, option, list))
    }

    /// Sets what is sent; libcurl reads it from memory of this handle, so that nothing is copied twice.
    func setBody(_ bytes: [UInt8]) throws(TransportError) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        _ = unsafe copy.initialize(from: bytes)  // the iterator and the end: all of it fits
        unsafe body = unsafe copy
        try check(
            unsafe ak_curl_set_offset(library.api, pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
        )
        try check(unsafe ak_curl_set_pointer(library.api, pointer, CURLOPT_POSTFIELDS, copy.baseAddress))
    }

    /// Allows http and https, nothing else that libcurl can do.
    func restrictProtocols() throws(TransportError) {
        try check(unsafe ak_curl_set_protocols(library.api, pointer))
    }

    /// Reads a number; zero where libcurl has none.
    func number(_ info: CURLINFO) -> Int {
        var value = 0
        let code = unsafe ak_curl_get_long(library.api, pointer, info, &value)
        return code == CURLE_OK ? value : 0
    }

    /// Throws what a refused option means: this libcurl lacks something that is needed.
    func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else {
            throw TransportError(
                .unusable,
                delivery: .notSent,
                detail: "libcurl refuses a setting (\(library.describe(code))); install libcurl4 7.80 or later."
            )
        }
    }
}
