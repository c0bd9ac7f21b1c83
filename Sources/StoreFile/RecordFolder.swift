internal import AuthKitCore

/// The files of a store: what each is called, how a record is read, and how it is replaced whole or not at all.
///
/// Whoever changes a record holds the kernel lock of its writers.
struct RecordFolder: Sendable {
    static let lockName = "lock"
    /// A record that is being written.
    static let newSuffix = ".new"
    /// Disk space held for a record's next save, which is written into it.
    static let roomSuffix = ".room"
    private static let probeName = "probe"
    private static let firstRead = 4096
    /// What a record may grow by beside its payload: a longer problem, another time.
    private static let slack = 4096

    let directory: PrivateDirectory

    /// The path of a record's file.
    func path(of key: RecordKey) -> String { directory.path(of: Self.name(of: key)) }

    static func name(of key: RecordKey) -> String { Hexadecimal.encode(key.bytes) }

    // MARK: Reading

    /// Reads a record; nil when there is none, `corrupt` when its file is something else.
    func load(_ key: RecordKey) throws(StoreError) -> SealedRecord? {
        guard let file = try file(of: key) else { return nil }
        let (head, front) = try self.head(of: file, key)
        var record = head.record
        if front.count >= head.fileSize {
            record.payload = Array(front[head.payloadStart..<head.fileSize])
        } else {
            record.payload = try file.read(at: head.payloadStart, count: head.payloadCount)
            guard record.payload.count == head.payloadCount else { throw Self.damaged(file.path, key) }
        }
        return record
    }

    /// Reads all but the payload; nil when there is no such record.
    func head(_ key: RecordKey) throws(StoreError) -> SealedRecord? {
        guard let file = try file(of: key) else { return nil }
        return try head(of: file, key).head.record
    }

    /// The keys of all records, in no order.
    func keys() throws(StoreError) -> [RecordKey] {
        var keys: [RecordKey] = []
        try directory.forEachName { name in
            if let key = RecordKey(fileName: name) { keys.append(key) }
        }
        return keys
    }

    /// The keys of the records to whose next save room is promised.
    func keysWithRoom() throws(StoreError) -> Set<RecordKey> {
        var keys: Set<RecordKey> = []
        try directory.forEachName { name in
            guard name.hasSuffix(Self.roomSuffix) else { return }
            if let key = RecordKey(fileName: String(name.dropLast(Self.roomSuffix.count))) { keys.insert(key) }
        }
        return keys
    }

    private func head(
        of file: PrivateFile,
        _ key: RecordKey
    ) throws(StoreError) -> (head: RecordFile.Head, front: [UInt8]) {
        let size = try file.size()
        guard size <= RecordFile.sizeLimit else { throw Self.damaged(file.path, key) }
        var count = min(size, Self.firstRead)
        while true {
            let front = try file.read(at: 0, count: count)
            let head: RecordFile.Head?
            do throws(RecordFile.Fault) {
                head = try RecordFile.head(in: front)
            } catch {
                switch error {
                case .unreadable: throw Self.damaged(file.path, key)
                case .newer(let format): throw Self.newer(file.path, format: String(format))
                }
            }
            if let head {
                guard head.fileSize == size, head.record.key == key else { throw Self.damaged(file.path, key) }
                return (head, front)
            }
            guard count < size else { throw Self.damaged(file.path, key) }
            count = size
        }
    }

    // MARK: Replacing

    /// Puts a record in place of the one with its key; durable with the next sync of the directory.
    ///
    /// Room is promised to it or given up.
    func replace(with record: SealedRecord) throws(StoreError) {
        let name = Self.name(of: record.key)
        let bytes = RecordFile.bytes(of: record)
        if record.reserve > 0 {
            try promise(bytes.count + min(record.reserve, RecordFile.sizeLimit) + Self.slack, to: name) {
                () throws(StoreError) in
                try writeNew(bytes, as: name + Self.newSuffix, replacing: name)
            }
        } else if let room = try room(of: name) {
            // Into the room that was promised: what the disk holds for it already is all that it needs.
            try room.replaceContents(with: bytes)
            try room.sync()
            try directory.rename(name + Self.roomSuffix, to: name)
        } else {
            try writeNew(bytes, as: name + Self.newSuffix, replacing: name)
        }
    }

    /// Removes a record and what was promised to it, for good.
    func remove(_ key: RecordKey) throws(StoreError) {
        let name = Self.name(of: key)
        try directory.remove(name + Self.roomSuffix)
        try directory.remove(name)
    }

    /// Does what a save does, with a file that is no record.
    func probe() throws(StoreError) {
        let block = [UInt8](repeating: 0xA5, count: 4096)
        try writeNew(block, as: Self.probeName + Self.newSuffix, replacing: Self.probeName)
        try directory.sync()
        try directory.remove(Self.probeName)
    }

    /// Makes a file under another name, durable, and gives it its own.
    func writeNew(_ bytes: [UInt8], as temporary: String, replacing name: String) throws(StoreError) {
        // One that is there was left by a writer that died: whoever lives holds the lock that we hold.
        try directory.remove(temporary)
        guard let file = try directory.createFile(temporary) else {
            throw StoreError(
                .busy,
                "\(directory.path(of: temporary)) was made by something else; stop that and try again."
            )
        }
        do throws(StoreError) {
            try file.replaceContents(with: bytes)
            try file.sync()
            try directory.rename(temporary, to: name)
        } catch {
            tidy { () throws(StoreError) in _ = try directory.remove(temporary) }
            throw error
        }
    }

    /// Runs a write with room held for the next one; what was held before is held again when either fails.
    private func promise(
        _ size: Int,
        to name: String,
        _ write: () throws(StoreError) -> Void
    ) throws(StoreError) {
        let found = try room(of: name)
        let room = if let found { found } else { try directory.openFile(name + Self.roomSuffix) }
        let held = try room.size()
        do throws(StoreError) {
            try room.allocate(upTo: size)
            try write()
        } catch {
            tidy { () throws(StoreError) in
                if held == 0 {
                    try directory.remove(name + Self.roomSuffix)
                } else if try room.size() > held {
                    try room.resize(to: held)
                }
            }
            throw error
        }
    }

    /// Runs what is worth trying and whose failure changes nothing for the caller.
    func tidy(_ body: () throws(StoreError) -> Void) {
        do {
            try body()
        } catch {
            Trace.note("tidying up failed: \(error)")
        }
    }

    static func newer(_ path: String, format: String) -> StoreError {
        StoreError(
            .newerFormat,
            "\(path) has format \(format) and this version reads up to \(RecordFile.format); update it and try again."
        )
    }
}

extension RecordKey {
    /// The key that a record's file is named for; nil for any other name.
    init?(fileName: String) {
        let digits = fileName.utf8
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self.init(bytes: bytes)
    }
}
