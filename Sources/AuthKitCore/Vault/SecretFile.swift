/// Small files that only their owner may read: key files and the like.
package enum SecretFile: Sendable {
    /// Reads a file whole into memory that is wiped; nil when there is none.
    ///
    /// Refuses links, pipes, files of another owner, files that others can read, and files larger than the limit.
    package static func contents(
        _ path: String,
        limit: Int,
        insecureLooseModes: Bool = false
    ) throws(StoreError) -> SecretBytes? {
        guard let file = try PrivateFile.open(reading: path, insecureFileModes: insecureLooseModes) else { return nil }
        return try file.read(limit: limit)
    }

    /// Reads a file that holds a key or a passphrase; nil when there is none.
    ///
    /// Throws `key_unavailable` for what cannot be one or cannot be opened.
    static func key(_ path: String, limit: Int, insecureLooseModes: Bool) throws -> SecretBytes? {
        do {
            return try contents(path, limit: limit, insecureLooseModes: insecureLooseModes)
        } catch {
            throw error.ofKey
        }
    }

    /// Reads a file whole as text, under the same conditions; nil when there is none, `corrupt` when it is no UTF-8.
    ///
    /// For tokens and credentials, which are text wherever they are used; key bytes stay in `contents`. Loose modes are
    /// taken only where the caller was told so, for mounts that have no others.
    package static func text(
        _ path: String,
        limit: Int,
        insecureLooseModes: Bool = false
    ) throws(StoreError) -> String? {
        guard let bytes = try contents(path, limit: limit, insecureLooseModes: insecureLooseModes) else { return nil }
        guard let text = bytes.withSpan({ String(validating: $0.array(), as: UTF8.self) }) else {
            throw StoreError(.corrupt, "\(path) is no text; name the file that was meant.")
        }
        return text
    }

    /// Makes a file with its contents, whole or not at all; false when one was there already.
    ///
    /// Its directory is made 0700 when absent, and must be ours alone.
    package static func create(
        _ path: String,
        contents: borrowing SecretBytes,
        insecureLooseModes: Bool = false
    ) throws -> Bool {
        let place = try PrivateDirectory.split(path)
        let directory = try PrivateDirectory.open(place.directory, insecureFileModes: insecureLooseModes)
        return try directory.makeFile(place.name, contents: contents)
    }
}

extension StoreError {
    /// The same where a key was to be read: a pipe, a link, a device or an endless file there is a key that cannot be
    /// had.
    ///
    /// What says how to mend owner or mode stays as it is, and so does a disk that fails.
    var ofKey: any Error {
        guard [.unsupportedPlace, .corrupt, .cannotCreate].contains(code) else { return self }
        return VaultError(.keyUnavailable, detail, cause: self)
    }
}
