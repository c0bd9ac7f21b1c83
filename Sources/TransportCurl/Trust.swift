internal import AuthKitCore
#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

/// Certificate authorities of the process, for requests that name none.
struct Trust: Sendable {
    /// A PEM file, instead of the system's.
    let file: String?
    /// A directory of hashed certificates, instead of the system's.
    let directory: String?

    /// Takes the first of: these options, `SSL_CERT_FILE` and `SSL_CERT_DIR` of the environment, the system's.
    init(_ options: TLSOptions) {
        if options.authorityFile != nil || options.authorityDirectory != nil {
            file = options.authorityFile
            directory = options.authorityDirectory
        } else {
            file = Self.variable("SSL_CERT_FILE")
            directory = Self.variable("SSL_CERT_DIR")
        }
    }

    /// Whether the system's authorities are the ones to trust.
    var isSystem: Bool { file == nil && directory == nil }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}

extension TLSOptions {
    /// Whether a request names its own authorities.
    var namesAuthorities: Bool { authorityFile != nil || authorityDirectory != nil }

    /// These options, with what they leave out taken from others: authorities and client certificate as pairs.
    func filled(from others: TLSOptions) -> TLSOptions {
        var result = self
        if !namesAuthorities {
            result.authorityFile = others.authorityFile
            result.authorityDirectory = others.authorityDirectory
        }
        if clientCertificateFile == nil {
            result.clientCertificateFile = others.clientCertificateFile
            result.clientKeyFile = others.clientKeyFile
        }
        return result
    }
}
