#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A key that systemd hands to a service: 32 bytes in base64url in `$CREDENTIALS_DIRECTORY/NAME`.
///
/// Set with `LoadCredentialEncrypted=`, `LoadCredential=` or `SetCredentialEncrypted=` (systemd.exec(5)).
public struct SystemdCredential: KeySource {
    private static let limit = 256

    private let name: String
    private let lookUp: @Sendable (String) -> String?

    /// Names the credential and says how variables are read.
    public init(name: String, lookUp: @escaping @Sendable (String) -> String?) {
        self.name = name
        self.lookUp = lookUp
    }

    /// `systemd-credential`.
    public var kind: String { "systemd-credential" }

    /// Checks that the credential holds a key; nothing is made.
    public func makeParameters() async throws -> [String: String] {
        let key = try await wrappingKey(for: [:])
        precondition(key.count == 32, "a key that was read has 32 bytes")
        return [:]
    }

    /// Reads the credential.
    public func wrappingKey(for parameters: [String: String]) async throws -> SecretBytes {
        // A credential's name is a file name (systemd.exec(5)); a path could lead anywhere.
        guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= 255,
            name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
        else {
            throw VaultError(
                .keyUnavailable,
                "A systemd credential is named by a plain file name; name it as LoadCredential= does."
            )
        }
        guard let directory = lookUp("CREDENTIALS_DIRECTORY"), directory.hasPrefix("/") else {
            throw VaultError(
                .keyUnavailable,
                "CREDENTIALS_DIRECTORY is not set: run this in a systemd service with LoadCredential=\(name):…, "
                    + "or name another key source with --key-source."
            )
        }
        let text: SecretBytes
        do {
            text = try read("\(directory)/\(name)")
        } catch let error as StoreError {
            throw error.ofKey
        }
        return try EncodedKey.read(text, from: "the systemd credential \(name)")
    }

    /// Reads the file; its owner may be the service manager, which gives the service a right to it by an access list.
    private func read(_ path: String) throws -> SecretBytes {
        let descriptor = PrivateFile.openAt(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR {
                throw VaultError(
                    .keyUnavailable,
                    "There is no systemd credential \(name); add LoadCredential=\(name):… to the service."
                )
            }
            throw StoreError.system("open", path, errno)
        }
        let file = PrivateFile(owning: descriptor, path: path)
        let status = try file.status()
        try PrivateFile.requireRegular(status, at: path)
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw StoreError(
                .wrongOwner,
                "\(path) belongs to user \(status.st_uid); a credential belongs to root or to the service's user."
            )
        }
        // With an access list the mode of the group shows the list's mask, so that its reading bit says nothing.
        guard status.st_mode & 0o037 == 0 else {
            throw StoreError(.loosePermissions, "Others may use \(path); let systemd make the credential.")
        }
        return try file.read(limit: Self.limit)
    }
}
