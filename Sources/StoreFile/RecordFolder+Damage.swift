internal import AuthKitCore

extension RecordFolder {
    /// The version of a record for whoever replaces it; nil when there is none.
    ///
    /// A file that cannot be read is told by its error, unless the caller expects just that file.
    func version(
        of key: RecordKey,
        expecting expected: RecordVersion?
    ) throws(StoreError) -> RecordVersion? {
        do throws(StoreError) {
            return try head(key)?.version
        } catch {
            guard error.isDamage, let version = try husk(key)?.version, version == expected else { throw error }
            return version
        }
    }

    /// A record of which only the key is known, in place of what cannot be read; nil when there is nothing.
    ///
    /// It belongs to no life, and its revision is the microsecond in which the file was changed: what replaces it is
    /// newer than what stood there, whose revision nobody can read any more, and a file that changes meanwhile is
    /// another version. The directory alone is asked: it may be no file.
    func husk(_ key: RecordKey) throws(StoreError) -> SealedRecord? {
        guard let microsecond = try directory.microsecondOfChange(Self.name(of: key)) else { return nil }
        return SealedRecord(unreadable: key, version: RecordVersion(unreadableSince: microsecond))
    }

    /// Opens a record's file; nil when there is none.
    ///
    /// What is no file of ours in its place (a link, a pipe, a directory, somebody else's file, one that others may
    /// use) is not read, and told as `corrupt`: one damaged record.
    func file(of key: RecordKey) throws(StoreError) -> PrivateFile? {
        do throws(StoreError) {
            return try directory.openExisting(Self.name(of: key))
        } catch {
            guard error.isOfEntry else { throw error }
            let isHeader = key == .header
            let remedy = isHeader ? "nothing in the store opens without it." : "or sign in again to replace it."
            // What mends a mode is worth telling; to choose another place does not help a record.
            let isMode = error.code == .loosePermissions
            let reason = isMode ? error.detail : String(error.detail.prefix { $0 != ";" })
            throw StoreError(.corrupt, "The store's file cannot be used: \(reason); \(remedy)", cause: error)
        }
    }

    /// Opens the room that is promised to a record; nil when there is none, or something else in its place, which goes.
    func room(of name: String) throws(StoreError) -> PrivateFile? {
        do throws(StoreError) {
            return try directory.openExisting(name + Self.roomSuffix, forWriting: true)
        } catch {
            guard error.isOfEntry else { throw error }
            try directory.remove(name + Self.roomSuffix)
            return nil
        }
    }

    static func damaged(_ path: String, _ key: RecordKey) -> StoreError {
        guard key != .header else {
            return StoreError(.corrupt, "\(path) holds the store's header and is damaged\(headerRemedy)")
        }
        return StoreError(
            .corrupt,
            "\(path) is damaged or no record; put back a copy of it, or sign in again to replace what it held."
        )
    }

    /// Nothing in a store opens without its header, and a sign-in does not make another.
    private static let headerRemedy =
        ", without which nothing in the store opens; put it back from a copy, or move the store away to begin a new one."
}

extension StoreError {
    /// Whether it tells of one file that cannot be read as a record, which is not to hold up the others.
    ///
    /// One of a newer format counts as such: a store whose records may have that format says so in `format` first, and
    /// is not opened.
    var isDamage: Bool { code == .corrupt || code == .newerFormat }

    /// Whether it tells what stands in the place of a file, and not how the disk is.
    fileprivate var isOfEntry: Bool {
        [.unsupportedPlace, .wrongOwner, .loosePermissions, .cannotCreate].contains(code)
    }
}
