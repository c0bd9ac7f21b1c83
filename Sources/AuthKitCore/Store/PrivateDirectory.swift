#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A directory that only its owner may use, on a disk of this machine, and the files in it.
///
/// Directories are made 0700 and files 0600, whatever the umask. What exists is checked before it is used: owner, mode,
/// kind, and that the file system keeps locks and shared memory as a store needs them.
package final class PrivateDirectory: Sendable {
    /// The absolute path.
    package let path: String
    /// Whether modes are left unchecked, for mounts that cannot keep them.
    package let insecureFileModes: Bool
    /// The open directory.
    let file: PrivateFile

    private init(owning file: PrivateFile, insecureFileModes: Bool) {
        self.file = file
        path = file.path
        self.insecureFileModes = insecureFileModes
    }

    /// Opens a directory, made with its missing parents when absent, and checks it.
    ///
    /// A symbolic link to a directory is followed, and what it leads to is checked. Throws `wrong_owner`,
    /// `loose_permissions`, `unsupported_place` (a network file system) or `cannot_create`.
    package static func open(_ path: String, insecureFileModes: Bool = false) throws(StoreError) -> PrivateDirectory {
        let path = try absolute(path)
        try make(path)
        let descriptor = PrivateFile.openAt(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open", path, errno) }
        let directory = PrivateDirectory(
            owning: PrivateFile(owning: descriptor, path: path),
            insecureFileModes: insecureFileModes
        )
        try directory.require(directory.file.status(), at: path, mode: 0o700)
        try FileSystemKind.require(localDisk: directory.file)
        guard unsafe faccessat(descriptor, ".", W_OK | X_OK, 0) == 0 else { throw .system("write to", path, errno) }
        return directory
    }

    /// Splits the path of a file into its absolute directory and its name.
    package static func split(_ path: String) throws(StoreError) -> (directory: String, name: String) {
        let path = try absolute(path)
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        guard !name.isEmpty, name != ".", name != ".." else {
            throw StoreError(.cannotCreate, "\(path) names no file; add a file name.")
        }
        let directory = String(path.utf8.dropLast(name.utf8.count + 1)) ?? ""
        return (directory.isEmpty ? "/" : directory, name)
    }

    /// The path of a file in here.
    package func path(of name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }

    /// Opens a file for reading and writing, made 0600 when absent; never through a symbolic link.
    package func openFile(_ name: String) throws(StoreError) -> PrivateFile {
        // Somebody else may make or remove the file between two of our calls.
        for _ in 0..<16 {
            if let opened = try openExisting(name, forWriting: true) { return opened }
            if let made = try createFile(name) { return made }
        }
        throw StoreError(
            .busy,
            "\(path(of: name)) is made and removed again and again by something else; stop that and try again."
        )
    }

    /// Makes an empty file 0600 without opening it, unless there is one; checks it either way.
    ///
    /// For files that another library opens: closing a descriptor of our own would drop that library's POSIX locks.
    package func makeFile(_ name: String) throws(StoreError) {
        let path = path(of: name)
        if unsafe mknodat(file.descriptor, name, S_IFREG | 0o600, 0) == 0 {
            guard unsafe fchmodat(file.descriptor, name, 0o600, 0) == 0 || insecureFileModes else {
                throw .system("set the mode of", path, errno)
            }
            try sync()
        } else if errno != EEXIST {
            throw .system("create", path, errno)
        }
        guard try checkFile(name) else { throw .system("inspect", path, ENOENT) }
    }

    /// Makes a file 0600 with its contents, whole or not at all; false when one was there already.
    ///
    /// The contents are synced under a name of their own and then linked into place, so that nobody reads half of them.
    package func makeFile(_ name: String, contents: borrowing SecretBytes) throws -> Bool {
        let temporary = ".authkit-\(Hexadecimal.encode(try Random.bytes(8)))"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = PrivateFile.openAt(file.descriptor, temporary, flags, mode: 0o600)
        guard descriptor >= 0 else { throw StoreError.system("create", path(of: name), errno) }
        // Nothing depends on it once it is linked; one that stays is 0600 and never read.
        defer { _ = unsafe unlinkat(file.descriptor, temporary, 0) }
        let made = PrivateFile(owning: descriptor, path: path(of: name))
        guard fchmod(descriptor, 0o600) == 0 || insecureFileModes else {
            throw StoreError.system("set the mode of", made.path, errno)
        }
        try made.write(contents)
        guard unsafe linkat(file.descriptor, temporary, file.descriptor, name, 0) == 0 else {
            if errno == EEXIST { return false }
            throw StoreError.system("create", made.path, errno)
        }
        try sync()
        return true
    }

    /// Checks a file by its directory entry only; false when there is none.
    package func checkFile(_ name: String) throws(StoreError) -> Bool {
        guard let status = try entry(name) else { return false }
        let path = path(of: name)
        try PrivateFile.requireRegular(status, at: path)
        try require(status, at: path, mode: 0o600)
        return true
    }

    /// Whether the name still leads to the open file.
    package func holds(_ opened: PrivateFile, as name: String) throws(StoreError) -> Bool {
        let mine = try opened.status()
        guard let status = try entry(name) else { return false }
        return status.st_dev == mine.st_dev && status.st_ino == mine.st_ino
    }

    /// Makes changes of entries durable.
    package func sync() throws(StoreError) {
        guard fsync(file.descriptor) == 0 else { throw .system("sync", path, errno) }
    }

    /// What the directory says of a name; nil when nothing has it.
    func entry(_ name: String) throws(StoreError) -> stat? {
        var status = stat()
        if unsafe fstatat(file.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
        guard errno == ENOENT else { throw .system("inspect", path(of: name), errno) }
        return nil
    }

    /// Checks owner and mode of something in here.
    func require(_ status: stat, at path: String, mode: mode_t) throws(StoreError) {
        try PrivateFile.requireOwn(status, at: path, mode: mode, insecureFileModes: insecureFileModes)
    }

    /// The path from the root; refuses an empty one and zero bytes.
    static func absolute(_ path: String) throws(StoreError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StoreError(.cannotCreate, "The path is empty or has a zero byte in it; choose another.")
        }
        guard !path.hasPrefix("/") else { return path }
        guard let current = unsafe getcwd(nil, 0) else { throw .system("find", "the current directory", errno) }
        defer { unsafe free(current) }
        return unsafe String(cString: current) + "/" + path
    }

    /// Makes a directory and its missing parents; one that exists is left to the caller's checks.
    private static func make(_ path: String) throws(StoreError) {
        var status = stat()
        if unsafe stat(path, &status) == 0 { return }
        guard errno == ENOENT else { throw .system("inspect", path, errno) }
        let parts = path.split(separator: "/")
        guard let last = parts.last else { return }
        try make("/" + parts.dropLast().joined(separator: "/"))
        // A component such as `..` behind a missing one has been made by now.
        if last == "." || last == ".." { return }
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system("create", path, errno) }
    }
}
