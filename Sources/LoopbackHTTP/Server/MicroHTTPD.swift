import AuthKitCore
import CMicroHTTPD

/// libmicrohttpd, opened at first use and never closed.
@safe struct MicroHTTPD: @unchecked Sendable {
    // @unchecked: the table is written once, before anyone else sees it, and holds only addresses of functions
    // of a library that stays open; libmicrohttpd allows each of them from any thread.
    private let api: ak_mhd_api

    private static let installed = MicroHTTPD(opening: HTTPServer.library.name)

    private init?(opening name: String) {
        var api = ak_mhd_api()
        guard unsafe ak_mhd_load(&api, name) == 0 else { return nil }
        self.api = api
    }

    /// The library; throws the name of the package when it is not installed.
    static func shared() throws(LoopbackError) -> MicroHTTPD {
        guard let installed else { throw missing }
        return installed
    }

    /// Opens a library by another name.
    static func open(_ name: String) throws(LoopbackError) -> MicroHTTPD {
        guard let library = MicroHTTPD(opening: name) else { throw missing }
        return library
    }

    private static var missing: LoopbackError {
        LoopbackError(
            .libraryMissing,
            "\(HTTPServer.library.name) cannot be opened: install the package \(HTTPServer.library.package) "
                + "(apt install \(HTTPServer.library.package))."
        )
    }

    /// Starts a daemon; nil when it has no memory or thread for it.
    func start(_ callbacks: ak_mhd_callbacks, socket: Int32, limits: ServerLimits) -> MicroDaemon? {
        // libmicrohttpd keeps the request's head and the answer's in one pool for each connection.
        let memory = max(limits.headerBytes, 4096) + 32_768
        let timeout = UInt32(clamping: max(1, limits.idleTimeout.components.seconds))
        let daemon = unsafe withUnsafePointer(to: api) { api in
            unsafe withUnsafePointer(to: callbacks) { callbacks in
                // A few more than the limit, so that being past it can be seen.
                unsafe ak_mhd_start(api, callbacks, socket, memory, UInt32(clamping: limits.connections + 16), timeout)
            }
        }
        guard let daemon = unsafe daemon else { return nil }
        return unsafe MicroDaemon(pointer: daemon)
    }

    /// Takes no new connections from now on.
    func quiesce(_ daemon: MicroDaemon) {
        // It answers the socket or -1 where it was quiesced before: the socket is ours in both cases.
        unsafe _ = api.quiesce_daemon?(daemon.pointer)
    }

    /// Closes every connection and joins the thread: blocks; no connection may be suspended.
    func stop(_ daemon: MicroDaemon) {
        unsafe api.stop_daemon?(daemon.pointer)
    }

    func suspend(_ connection: MicroConnection) {
        unsafe api.suspend_connection?(connection.pointer)
    }

    func resume(_ connection: MicroConnection) {
        unsafe api.resume_connection?(connection.pointer)
    }

    /// The connection's socket, valid until the daemon says that it is closed; -1 when not known.
    func socket(of connection: MicroConnection) -> Int32 {
        unsafe withUnsafePointer(to: api) { unsafe ak_mhd_socket($0, connection.pointer) }
    }

    /// Calls back for each header field of the request; false when that fails.
    func eachField(
        _ connection: MicroConnection,
        _ iterator: MHD_KeyValueIteratorN,
        _ context: UnsafeMutableRawPointer
    )
        -> Bool
    {
        unsafe (api.get_connection_values_n?(connection.pointer, MHD_ValueKind.HEADER_KIND, iterator, context) ?? -1)
            >= 0
    }

    /// Answers a request; false when that fails, and the connection must be closed.
    func queue(_ response: ServerResponse, on connection: MicroConnection) -> Bool {
        var body = response.body
        let pace = response.pace.map { UInt32(clamping: Int64($0 / .milliseconds(1))) }
        let made = unsafe body.withUnsafeMutableBytes { bytes in
            guard let pace else {
                return unsafe api.create_response?(
                    bytes.count,
                    bytes.baseAddress,
                    MHD_ResponseMemoryMode.RESPMEM_MUST_COPY
                ) ?? nil
            }
            return unsafe withUnsafePointer(to: api) { api in
                unsafe ak_mhd_paced_response(api, bytes.baseAddress, bytes.count, pace)
            }
        }
        guard let made = unsafe made else { return false }
        defer { unsafe api.destroy_response?(made) }
        for field in response.fields {
            // RFC 9112 §6: framing is the server's.
            let name = field.name.lowercased()
            if name == "content-length" || name == "transfer-encoding" { continue }
            // Refused: names that are no token, values with line ends (RFC 9110 §5.5).
            guard unsafe api.add_response_header?(made, field.name, field.value) == MHD_Result.YES else { return false }
        }
        guard (200...999).contains(response.status) else { return false }
        return unsafe api.queue_response?(connection.pointer, UInt32(response.status), made) == MHD_Result.YES
    }
}

/// A running daemon.
@safe struct MicroDaemon: @unchecked Sendable {
    // @unchecked: an opaque handle that libmicrohttpd allows from any thread; who stops it takes it out of its
    // owner's state first, so that nobody uses it afterwards.
    fileprivate let pointer: OpaquePointer
}

/// A connection, alive while its request is suspended or a callback for it runs.
@safe struct MicroConnection: @unchecked Sendable {
    // @unchecked: an opaque handle; outside of callbacks it is used only to resume a suspended connection,
    // which libmicrohttpd allows from any thread and never frees before that.
    fileprivate let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }
}
