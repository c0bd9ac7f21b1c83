internal import AuthKitCore
internal import CCurl

extension EasyHandle {
    /// Sets everything that a request asks for, and everything that no request may change.
    func configure(for request: HTTPRequest, trust: Trust, product: String) throws(TransportError) {
        try setPolicy()
        try setDestination(request.url)
        try setTLS(request.tls, trust: trust)
        try setMessage(request, product: product)
        if !request.mayResend {
            // libcurl sends again by itself on a dead kept-alive connection and on an HTTP/2 stream that was
            // refused; neither exists on a fresh HTTP/1.1 connection.
            try set(CURLOPT_FRESH_CONNECT, 1)
            try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        } else {
            try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        }
    }

    private func setPolicy() throws(TransportError) {
        // Signals of the process are not libcurl's: the loop's thread blocks them, SIGPIPE included.
        try set(CURLOPT_NOSIGNAL, 1)
        try restrictProtocols()
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Our own deadlines are shorter than its 300 seconds, or as long as the caller wants.
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        // Without it a slow name server holds up every transfer when one is taken back (libcurl 7.87 and later).
        try setIfKnown(CURLOPT_QUICK_EXIT, 1)
    }

    private func setDestination(_ url: WebURL) throws(TransportError) {
        try set(CURLOPT_URL, url.text)
        try set(CURLOPT_PATH_AS_IS, 1)
        if url.isLoopback { try set(CURLOPT_PROXY, "") }
        // RFC 6761 §6.3: localhost is loopback, whatever a name server says.
        if url.host == "localhost" { try set(CURLOPT_RESOLVE, ["localhost:\(url.port):127.0.0.1,[::1]"]) }
    }

    private func setTLS(_ options: TLSOptions, trust: Trust) throws(TransportError) {
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // Both are set even when one is nil: otherwise the system's would be trusted beside the given ones.
        if options.namesAuthorities {
            try set(CURLOPT_CAINFO, options.authorityFile)
            try set(CURLOPT_CAPATH, options.authorityDirectory)
        } else if !trust.isSystem {
            try set(CURLOPT_CAINFO, trust.file)
            try set(CURLOPT_CAPATH, trust.directory)
        }
        if !trust.isSystem {
            try set(CURLOPT_PROXY_CAINFO, trust.file)
            try set(CURLOPT_PROXY_CAPATH, trust.directory)
        }
        if let certificate = options.clientCertificateFile {
            try set(CURLOPT_SSLCERT, certificate)
            try set(CURLOPT_SSLKEY, options.clientKeyFile ?? certificate)
        }
    }

    private func setMessage(_ request: HTTPRequest, product: String) throws(TransportError) {
        try set(CURLOPT_USERAGENT, product)
        var lines = request.fields.map { field in
            // libcurl's way to write a field without a value; with a colon it would leave the field out.
            field.value.trimmingSpaces().isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
        }
        let names = Set(request.fields.map { $0.name.lowercased() })
        if let body = request.body {
            try set(CURLOPT_POST, 1)
            try setBody(body.bytes)
            if !names.contains("content-type") { lines.append("Content-Type: \(body.contentType)") }
        } else if request.method == "HEAD" {
            try set(CURLOPT_NOBODY, 1)
        } else if ["POST", "PUT", "PATCH"].contains(request.method) {
            // RFC 9110 §8.6: a method that wants content says so with a length of zero.
            try set(CURLOPT_POST, 1)
            try setBody([])
            if !names.contains("content-type") { lines.append("Content-Type:") }
        }
        try set(CURLOPT_CUSTOMREQUEST, request.method)
        lines.append("Expect:")
        try set(CURLOPT_HTTPHEADER, lines)
    }
}

extension HTTPBody {
    fileprivate var bytes: [UInt8] {
        switch self {
        case .bytes(let bytes, _), .secretBytes(let bytes, _): bytes
        case .form(let parameters): Array(FormEncoding.encode(parameters).utf8)
        }
    }

    fileprivate var contentType: String {
        switch self {
        case .bytes(_, let contentType), .secretBytes(_, let contentType): contentType
        case .form: "application/x-www-form-urlencoded"
        }
    }
}
