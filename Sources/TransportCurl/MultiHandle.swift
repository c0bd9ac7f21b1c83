internal import AuthKitCore
internal import CCurl

/// libcurl's set of transfers with its cache of connections.
// @unchecked: `wake` is the one call that libcurl allows from any thread (curl_multi_wakeup(3)); everything else,
// the last release included, happens on the loop's thread, which lets go of it only after all others have.
@safe final class MultiHandle: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer
    private let library: CurlLibrary

    private init(owning pointer: UnsafeMutableRawPointer, of library: CurlLibrary) {
        unsafe self.pointer = pointer
        self.library = library
    }

    deinit {
        // Nothing can be done about a failure here: the handle is gone either way.
        _ = unsafe library.api.pointee.multi_cleanup(pointer)
    }

    /// Makes an empty set that keeps at most so many idle connections.
    static func make(_ library: CurlLibrary, idleConnections: Int) throws(TransportError) -> MultiHandle {
        guard let raw = unsafe library.api.pointee.multi_init() else {
            throw TransportError(.unusable, delivery: .notSent, detail: "libcurl has no memory for its transfers.")
        }
        let multi = unsafe MultiHandle(owning: raw, of: library)
        let code = unsafe ak_curl_multi_set_long(library.api, raw, CURLMOPT_MAXCONNECTS, idleConnections)
        guard code == CURLM_OK else {
            throw TransportError(
                .unusable,
                delivery: .notSent,
                detail: "libcurl refuses a limit on its connections; install libcurl4 7.80 or later."
            )
        }
        return multi
    }

    /// Ends a wait, now or the next one; callable from any thread.
    func wake() {
        // It fails only where the set has no pipe of its own; then the wait ends by its time limit.
        _ = unsafe library.api.pointee.multi_wakeup(pointer)
    }

    /// Adds a transfer; false when libcurl does not take it.
    func add(_ easy: EasyHandle) -> Bool {
        unsafe library.api.pointee.multi_add_handle(pointer, easy.pointer) == CURLM_OK
    }

    /// Takes a transfer out, which closes its connection unless the exchange is complete.
    func remove(_ easy: EasyHandle) {
        // Refused only for a handle that is not in the set, which is what is wanted.
        _ = unsafe library.api.pointee.multi_remove_handle(pointer, easy.pointer)
    }

    /// Does what can be done without waiting; false when libcurl is broken.
    func perform() -> Bool {
        var running: Int32 = 0
        return unsafe library.api.pointee.multi_perform(pointer, &running) == CURLM_OK
    }

    /// Waits for something to do; false when libcurl cannot wait.
    func wait(milliseconds: Int32) -> Bool {
        unsafe library.api.pointee.multi_poll(pointer, nil, 0, milliseconds, nil) == CURLM_OK
    }

    /// The next transfer that has ended, with its result.
    func nextEnded() -> (id: UInt, code: CURLcode)? {
        var code = CURLE_OK
        guard let easy = unsafe ak_curl_next_ended(library.api, pointer, &code) else { return nil }
        return (UInt(bitPattern: easy), code)
    }
}
