internal import AuthKitCore
internal import CCurl
#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

extension Transfer {
    /// Says what a failure of libcurl means for the caller.
    ///
    /// libcurl's own text is shown for TLS only: elsewhere it may quote the address of a proxy, password included.
    func error(for code: CURLcode, library: CurlLibrary) -> TransportError {
        let url = exchange.request.url
        let delivery: Delivery = wasSent ? .sentNoAnswer : .notSent
        let place = "\(url.host):\(url.port)"
        let reason = Self.reason(for: code, wasSent: wasSent)
        let detail =
            switch reason {
            case .nameNotFound where code == CURLE_COULDNT_RESOLVE_PROXY:
                "The name of the proxy was not found; check the proxy variables."
            case .nameNotFound:
                "The name \(url.host) was not found; check the URL and the network."
            case .tlsFailed:
                "No trusted TLS connection to \(place): \(tlsText(code, library)); check certificates and authorities."
            case .timedOut:
                "\(place) did not answer in time; try again."
            case .unusable:
                "libcurl cannot send to \(place): \(library.describe(code)); check the URL and the installed libcurl4."
            case .bodyTooLarge:
                "The answer from \(place) is larger than allowed; check the configured URL."
            case .connectionLost:
                "The connection to \(place) ended before the answer (\(library.describe(code))); try again."
            default:
                "Could not connect to \(place) (\(connectText(code, library))); check that it runs, or try again."
            }
        return TransportError(reason, delivery: delivery, detail: detail)
    }

    private static func reason(for code: CURLcode, wasSent: Bool) -> TransportError.Code {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_FILESIZE_EXCEEDED: .bodyTooLarge
        case CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_OUT_OF_MEMORY, CURLE_UNSUPPORTED_PROTOCOL,
            CURLE_URL_MALFORMAT:
            .unusable
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            .tlsFailed
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameNotFound
        default: wasSent ? .connectionLost : .cannotConnect
        }
    }

    private func tlsText(_ code: CURLcode, _ library: CurlLibrary) -> String {
        let text = easy.failureText
        return text.isEmpty ? library.describe(code) : text
    }

    private func connectText(_ code: CURLcode, _ library: CurlLibrary) -> String {
        guard code == CURLE_COULDNT_CONNECT else { return library.describe(code) }
        return switch Int32(truncatingIfNeeded: easy.number(CURLINFO_OS_ERRNO)) {
        case ECONNREFUSED: "connection refused"
        case ENETUNREACH, EHOSTUNREACH: "no route"
        default: library.describe(code)
        }
    }
}
