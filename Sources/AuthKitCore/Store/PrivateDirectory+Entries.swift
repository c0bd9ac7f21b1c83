#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension PrivateDirectory {
    /// Opens a file that exists, for reading or for both, never through a symbolic link; nil when there is none.
    package func openExisting(_ name: String, forWriting: Bool = false) throws(StoreError) -> PrivateFile? {
        let path = path(of: name)
        // O_NONBLOCK: a FIFO of that name must not hold us up; it is refused below.
        let flags = (forWriting ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = PrivateFile.openAt(file.descriptor, name, flags)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            let number = errno
            if number == EACCES || number == EPERM { try requireReadable(name) }
            throw .system("open", path, number)
        }
        let opened = PrivateFile(owning: descriptor, path: path)
        let status = try opened.status()
        try PrivateFile.requireRegular(status, at: path)
        try require(status, at: path, mode: 0o600)
        return opened
    }

    /// Says by a file's entry why it could not be opened: it is no file, somebody else's, or closed to its owner too.
    private func requireReadable(_ name: String) throws(StoreError) {
        guard let status = try entry(name) else { return }
        let path = path(of: name)
        try PrivateFile.requireRegular(status, at: path)
        try require(status, at: path, mode: 0o600)
        guard status.st_mode & 0o600 != 0o600 else { return }
        throw StoreError(
            .loosePermissions,
            "\(path) has mode \(String(status.st_mode & 0o777, radix: 8)), which keeps out its owner too; run: chmod 600 "
                + path.shellQuoted
        )
    }

    /// Makes an empty file 0600 and opens it for reading and writing; nil when there is one of that name.
    package func createFile(_ name: String) throws(StoreError) -> PrivateFile? {
        let path = path(of: name)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = PrivateFile.openAt(file.descriptor, name, flags, mode: 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return nil }
            throw .system("create", path, errno)
        }
        let made = PrivateFile(owning: descriptor, path: path)
        guard fchmod(descriptor, 0o600) == 0 || insecureFileModes else {
            throw .system("set the mode of", path, errno)
        }
        try require(made.status(), at: path, mode: 0o600)
        return made
    }

    /// Gives a file another name, in place of what has that name: others see the one or the other, whole.
    ///
    /// A directory that something else made there goes if it is empty.
    package func rename(_ name: String, to other: String) throws(StoreError) {
        if unsafe renameat(file.descriptor, name, file.descriptor, other) == 0 { return }
        guard errno == EISDIR else { throw .system("replace", path(of: other), errno) }
        try removeDirectory(other)
        guard unsafe renameat(file.descriptor, name, file.descriptor, other) == 0 else {
            throw .system("replace", path(of: other), errno)
        }
    }

    /// Removes a file, a link itself and not what it leads to, or an empty directory; false when there was none.
    @discardableResult
    package func remove(_ name: String) throws(StoreError) -> Bool {
        if unsafe unlinkat(file.descriptor, name, 0) == 0 { return true }
        switch errno {
        case ENOENT: return false
        case EISDIR:
            try removeDirectory(name)
            return true
        default: throw .system("remove", path(of: name), errno)
        }
    }

    private func removeDirectory(_ name: String) throws(StoreError) {
        if unsafe unlinkat(file.descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return }
        guard errno == ENOTEMPTY || errno == EEXIST else { throw .system("remove", path(of: name), errno) }
        throw StoreError(
            .inputOutput,
            "\(path(of: name)) is a directory with files in it, where the store has a file of its own; move it away and "
                + "try again."
        )
    }

    /// Whether anything has a name, whatever it is.
    package func has(_ name: String) throws(StoreError) -> Bool { try entry(name) != nil }

    /// When what has a name was changed, whatever it is, in microseconds since 1970; nil when nothing has it.
    package func microsecondOfChange(_ name: String) throws(StoreError) -> Int64? {
        guard let status = try entry(name) else { return nil }
        // The kernel's two words are read as such; see `SystemTime`.
        let (seconds, nanoseconds) = unsafe withUnsafeBytes(of: status.st_mtim) { words in
            unsafe (words.load(as: Int.self), words.load(fromByteOffset: MemoryLayout<Int>.size, as: Int.self))
        }
        // Anybody may give a file any time; what is added to this must not overflow.
        return min(max(Int64(seconds), 0), 1 << 40) * 1_000_000 + Int64(nanoseconds / 1000)
    }

    /// Whether the path still leads to this directory.
    package func isInPlace() throws(StoreError) -> Bool {
        let mine = try file.status()
        var found = stat()
        guard unsafe stat(path, &found) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw .system("inspect", path, errno)
        }
        return found.st_dev == mine.st_dev && found.st_ino == mine.st_ino
    }

    /// Calls `body` with the name of each entry but `.` and `..`, in no order.
    package func forEachName(_ body: (String) -> Void) throws(StoreError) {
        // A descriptor of its own: reading moves it, and closing the stream closes it.
        let descriptor = PrivateFile.openAt(file.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("list", path, errno) }
        guard let stream = unsafe fdopendir(descriptor) else {
            let number = errno
            _ = close(descriptor)  // Nothing was written through it.
            throw .system("list", path, number)
        }
        defer { _ = unsafe closedir(stream) }  // Fails on a bad stream only.
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw .system("list", path, errno) }
                return
            }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { body(name) }
        }
    }

    /// When the directory's entries were last changed, with the grain of the kernel's clock.
    package struct Stamp: Sendable, Hashable {
        private let changed: WallTime
        private let read: WallTime

        init(changed: WallTime, read: WallTime) {
            self.changed = changed
            self.read = read
        }

        /// Whether the change is so recent that another one may bear the same time.
        package var isFresh: Bool { read - changed < .milliseconds(50) }

        /// Whether both are of one change.
        package static func == (left: Stamp, right: Stamp) -> Bool { left.changed == right.changed }

        /// Hashes the time of change.
        package func hash(into hasher: inout Hasher) { hasher.combine(changed) }
    }

    /// Reads when entries were last made, removed or renamed.
    package func stamp() throws(StoreError) -> Stamp {
        let status = try file.status()
        // The kernel's two words are read as such; see `SystemTime`.
        let changed = unsafe withUnsafeBytes(of: status.st_mtim) { words in
            unsafe Duration.seconds(words.load(as: Int.self))
                + .nanoseconds(unsafe words.load(fromByteOffset: MemoryLayout<Int>.size, as: Int.self))
        }
        return Stamp(changed: WallTime(sinceEpoch: changed), read: SystemTime().now.wall)
    }
}
