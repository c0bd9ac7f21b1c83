internal import AuthKitCore

/// Disk blocks held in a side file, so that a save that was promised room finds some on a full disk.
///
/// Its size is changed only within a write transaction of the database: one process at a time.
struct ReservedRoom: Sendable {
    private let directory: PrivateDirectory
    private let name: String

    /// Names the side file; it is made at the first reservation.
    init(_ name: String, in directory: PrivateDirectory) {
        self.directory = directory
        self.name = name
    }

    /// What the next save of a record may need on disk when it grows by so many bytes; zero for none.
    ///
    /// The log takes each changed page whole, with 24 bytes before it (fileformat2.html §4.1): the pages of the new
    /// record, those of the old one, which secure_delete overwrites, and some of the tree. Its index grows by 32 KiB.
    static func size(reserve: Int, for record: SealedRecord) -> Int64 {
        guard reserve > 0 else { return 0 }
        let stored = Int64(record.payload.count + record.metadata.count)
        let content = 2 * stored + Int64(min(reserve, 16 << 20))
        let pages = content / 4000 + 16
        return pages * (4096 + 24) + 2 * 32_768
    }

    /// Whether anything is held.
    func isHeld() throws(StoreError) -> Bool {
        guard try directory.checkFile(name) else { return false }
        return try directory.openFile(name).size() > 0
    }

    /// Makes sure that at least so many bytes are held; throws `full` and holds what it held otherwise.
    func grow(to size: Int64) throws(StoreError) {
        try directory.openFile(name).allocate(upTo: Int(size))
    }

    /// Gives back all but so many bytes; does nothing when no more than that is held.
    func shrink(to size: Int64) throws(StoreError) {
        guard try directory.checkFile(name) else { return }
        let file = try directory.openFile(name)
        guard try file.size() > Int(size) else { return }
        try file.resize(to: max(0, Int(size)))
    }
}
