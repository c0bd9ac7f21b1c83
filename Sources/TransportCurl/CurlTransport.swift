public import AuthKitCore

/// Carries out HTTP exchanges with libcurl, on one thread of its own that starts with the first request.
///
/// libcurl (`libcurl.so.4`, Debian's libcurl4) is opened then too; without it every request fails as `unusable`.
/// Authorities are the request's, else those given here, else `SSL_CERT_FILE` and `SSL_CERT_DIR`, else the system's.
/// Proxies are those of the environment, in libcurl's reading, and never serve loopback. Connections are kept and
/// used again by requests that `mayResend`; any other gets a fresh one over HTTP/1.1. TLS is 1.2 or later and always
/// verified. Plain `http` goes to loopback only. No cookie, `.netrc` or compressed answer is ever taken.
///
/// At most 256 exchanges run at once, 10,000 more wait, and waiting counts towards the deadline. After fork(2) a
/// child makes its own.
public final class CurlTransport: HTTPTransport, Sendable {
    /// The library that is opened at first use, and Debian's package of it.
    package static let library = (name: "libcurl.so.4", package: "libcurl4")

    private let loop: TransferLoop
    private let tls: TLSOptions

    /// Makes a transport; nothing is opened yet.
    ///
    /// The options serve requests that name no authorities, or no client certificate, of their own.
    public init(
        time: any TimeSource = SystemTime(),
        tls: TLSOptions = .init(),
        userAgent: String = "AuthKit/0.1.0"
    ) {
        self.tls = tls
        let product = String(userAgent.unicodeScalars.filter { $0.value >= 32 && $0.value < 127 })
        loop = TransferLoop(.init(time: time, trust: Trust(tls), product: product))
    }

    deinit {
        loop.stop()
    }

    /// Sends a request, follows redirects as its policy says, and returns the whole answer.
    ///
    /// The deadline covers everything: waiting, connecting, redirects. A cancelled task's connection is closed.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let deadline = MonotonicTime.now.advanced(by: request.deadline)
        var next = request
        next.tls = request.tls.filled(from: tls)
        try RequestCheck.check(next)
        var followed = 0
        while true {
            let answer = try await exchange(next, until: deadline, isFirst: followed == 0)
            guard let following = try Redirection.next(after: answer, to: next, followed: followed) else {
                return answer
            }
            next = following
            followed += 1
        }
    }

    private func exchange(
        _ request: HTTPRequest,
        until deadline: MonotonicTime,
        isFirst: Bool
    ) async throws -> HTTPResponse {
        do {
            return try await loop.perform(request, until: deadline)
        } catch let error as TransportError where !isFirst && error.delivery == .notSent {
            // The redirect was an answer, but what became of the request is not known any more.
            throw TransportError(error.reason, delivery: .answeredUnclear, detail: error.detail)
        }
    }
}
