import AuthKitCore

/// Where the NSDK's sign-in page sends a browser back to.
enum SignInTarget: Sendable, Hashable {
    /// An app's scheme.
    case scheme(String)
    /// A port on loopback.
    case loopback(port: UInt16)

    /// The address for a session token; two of the vendor's clients write the parameter in other letters.
    func success(_ parameters: [(name: String, value: String)]) -> String {
        switch self {
        case .scheme(let name): "\(name)://signin/redirect\(Self.query(parameters))"
        case .loopback(let port):
            "http://127.0.0.1:\(port)/login/success"
                + Self.query(parameters.map { ($0.name == "refreshToken" ? "RefreshToken" : $0.name, $0.value) })
        }
    }

    /// The address for an error.
    func failure(_ error: String, _ description: String) -> String {
        failurePlace + Self.query([("error", error), ("error_description", description)])
    }

    /// The address of a sign-in that failed, with nothing said of why.
    var failurePlace: String {
        switch self {
        case .scheme(let name): "\(name)://signin/redirect"
        case .loopback(let port): "http://127.0.0.1:\(port)/login/failure"
        }
    }

    private static func query(_ parameters: [(name: String, value: String)]) -> String {
        guard !parameters.isEmpty else { return "" }
        return "?" + parameters.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }
}
