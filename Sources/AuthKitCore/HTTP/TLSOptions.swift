/// Whom to trust and who to be, for one request; absent parts fall back to the system's.
public struct TLSOptions: Sendable, Hashable {
    /// A PEM file of certificate authorities, instead of the system's.
    public var authorityFile: String?
    /// A directory of hashed certificate authorities.
    public var authorityDirectory: String?
    /// A PEM file with the client's certificate chain (RFC 8705).
    public var clientCertificateFile: String?
    /// A PEM file with the client's private key.
    public var clientKeyFile: String?

    /// Makes options.
    public init(
        authorityFile: String? = nil,
        authorityDirectory: String? = nil,
        clientCertificateFile: String? = nil,
        clientKeyFile: String? = nil
    ) {
        self.authorityFile = authorityFile
        self.authorityDirectory = authorityDirectory
        self.clientCertificateFile = clientCertificateFile
        self.clientKeyFile = clientKeyFile
    }
}
