#if Postgres
internal import AuthKitCore

/// What keeps libpq from connecting and is told in words alone, since no SQLSTATE stands for it.
///
/// The words are those of libpq in English: where a program has set another locale, it is told as a server that cannot
/// be reached.
enum PostgresTrouble: Sendable, CaseIterable {
    case unknownHost
    case otherName
    case otherAuthority
    case noRootCertificate
    case unusableFile
    case noTLS
    case unusableAddress

    /// Finds what a message is about; nil when it is about none of these.
    init?(_ message: String) {
        let found = Self.allCases.first { trouble in trouble.words.contains { message.contains($0) } }
        guard let found else { return nil }
        self = found
    }

    private var words: [String] {
        switch self {
        case .unknownHost: ["could not translate host name", "could not look up host name"]
        case .otherName: ["does not match host name"]
        case .otherAuthority: ["certificate verify failed"]
        case .noRootCertificate: ["root certificate file", "root.crt"]
        case .unusableFile: ["certificate file", "private key file", "certificate present, but not private key"]
        case .noTLS: ["does not support SSL"]
        case .unusableAddress:
            [
                "invalid port number", "invalid sslmode", "invalid integer value", "invalid value",
                "invalid connection option", "definition of service", "port numbers to",
                "must be specified for a verified SSL", "may not be used with",
            ]
        }
    }

    /// Whether the same call may work in a moment.
    var isPassing: Bool { self == .unknownHost }

    /// The code, and one sentence that says what to do next.
    func verdict(of server: String) -> (StoreError.Code, String) {
        switch self {
        case .unknownHost:
            (
                .unavailable,
                "The name of \(server) cannot be resolved; correct it, or try again when the network is there."
            )
        case .otherName:
            (
                .untrusted,
                "The certificate of \(server) does not match host name or address; name the server in the address as its "
                    + "certificate does (hostaddr may say where it is)."
            )
        case .otherAuthority:
            (
                .untrusted,
                "The certificate of \(server) is by no authority that is trusted here, or has expired (certificate verify "
                    + "failed); name the file of its authority with sslrootcert in the address."
            )
        case .noRootCertificate:
            (
                .misconfigured,
                "The authority's certificate by which \(server) is to be checked cannot be read; name its file with "
                    + "sslrootcert in the address."
            )
        case .unusableFile:
            (
                .misconfigured,
                "The certificate or key to sign in to \(server) with cannot be used; name files that are there, the key for "
                    + "its owner only, with sslcert and sslkey in the address."
            )
        case .noTLS:
            (
                .untrusted,
                "\(server) does not offer TLS, which the address asks for; turn it on there (ssl = on), or ask for another "
                    + "sslmode in the address where the way to it is safe."
            )
        case .unusableAddress:
            (
                .misconfigured,
                "The address of the PostgreSQL store has a value that libpq does not take; write it as "
                    + "postgres://USER@HOST/DATABASE."
            )
        }
    }
}
#endif
