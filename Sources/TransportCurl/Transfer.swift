internal import AuthKitCore
internal import CCurl

/// One exchange as libcurl carries it out.
///
/// Stays on the loop's thread, where libcurl calls back into it.
@safe final class Transfer {
    /// Whose exchange it is.
    let exchange: Exchange
    /// libcurl's side of it.
    let easy: EasyHandle

    /// What arrived of the header.
    private(set) var head = ResponseHead()
    /// What arrived of the body.
    private(set) var body: [UInt8] = []
    /// Whether libcurl had a connection and went on to send.
    private(set) var wasSent = false

    private var failure: TransportError?
    private var lastByte = MonotonicTime.now
    private var bytesMoved: Int64 = 0

    private init(_ exchange: Exchange, on easy: EasyHandle) {
        self.exchange = exchange
        self.easy = easy
    }

    /// Makes a transfer that is ready to be added to libcurl's set.
    static func make(
        _ exchange: Exchange,
        trust: Trust,
        product: String,
        library: CurlLibrary
    ) throws(TransportError) -> Transfer {
        let transfer = Transfer(exchange, on: try .make(library))
        try transfer.easy.configure(for: exchange.request, trust: trust, product: product)
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        try transfer.easy.check(
            unsafe ak_curl_set_callbacks(
                library.api,
                transfer.easy.pointer,
                context,
                { unsafe Transfer.of($3)?.takeHeader($0, $1 * $2) ?? 0 },
                { unsafe Transfer.of($3)?.takeBody($0, $1 * $2) ?? 0 },
                { unsafe Transfer.of($0)?.progress(Int64($2 &+ $4)) ?? 1 },
                { context, _, _, _, _ in unsafe Transfer.of(context)?.willSend() ?? CURL_PREREQFUNC_ABORT },
                { unsafe Transfer.of($0)?.openSocket($2) ?? -1 }
            )
        )
        return transfer
    }

    /// When it has taken too long: as a whole, or since the last byte.
    var overdueAt: MonotonicTime {
        min(exchange.deadline, lastByte.advanced(by: exchange.request.idleDeadline))
    }

    /// What the caller is told when libcurl is done.
    func outcome(of code: CURLcode, at moment: Moment, library: CurlLibrary) -> Result<HTTPResponse, any Error> {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK else { return .failure(error(for: code, library: library)) }
        guard head.status >= 200 else { return .failure(error(for: CURLE_GOT_NOTHING, library: library)) }
        let url = exchange.request.url
        return .success(
            HTTPResponse(status: head.status, fields: head.fields, body: body, url: url, receivedAt: moment)
        )
    }

    // MARK: Called by libcurl

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        // The set holds each transfer until its handle is removed, so the reference is good during callbacks.
        unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Anything but the given count makes libcurl end the transfer (CURLOPT_HEADERFUNCTION).
    private func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        lastByte = .now
        guard head.take(unsafe Self.copy(bytes, count)) else {
            return refuse("The header of the answer from \(host) has more than \(ResponseHead.limit) bytes.")
        }
        return count
    }

    private func takeBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        lastByte = .now
        let limit = exchange.request.bodyLimit
        guard count <= limit - body.count else {
            return refuse("The answer from \(host) has more than \(limit) bytes; check the configured URL.")
        }
        body += unsafe Self.copy(bytes, count)
        return count
    }

    /// Notes bytes that went up or down without reaching the other callbacks.
    private func progress(_ moved: Int64) -> Int32 {
        if moved != bytesMoved {
            bytesMoved = moved
            lastByte = .now
        }
        return 0
    }

    /// Comes when there is a connection, TLS included, and before each sending: a second one is a resending.
    private func willSend() -> Int32 {
        if wasSent && !exchange.request.mayResend { return CURL_PREREQFUNC_ABORT }
        wasSent = true
        lastByte = .now
        return CURL_PREREQFUNC_OK
    }

    private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> Int32 {
        guard let address = unsafe address else { return -1 }
        return unsafe ak_curl_open_socket(address, exchange.request.url.isLoopback ? 1 : 0)
    }

    private func refuse(_ detail: String) -> Int {
        failure = TransportError(.bodyTooLarge, delivery: .sentNoAnswer, detail: detail)
        return -1
    }

    private var host: String { exchange.request.url.host }

    private static func copy(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    }
}
