import AuthKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A directory of its own for files with keys and tokens.
struct KeyPlace {
    struct Failed: Error {}

    let directory: String

    init() throws {
        let name = Hexadecimal.encode(try Random.bytes(8))
        directory = "/tmp/niantic-keys-\(name)"
        guard unsafe mkdir(directory, 0o700) == 0 else { throw Failed() }
    }

    /// Writes a file, 0600 unless asked otherwise, and returns its path.
    func write(_ text: String, to name: String = "key", mode: mode_t = 0o600) throws -> String {
        let path = "\(directory)/\(name)"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failed() }
        defer { _ = close(descriptor) }
        let bytes = Array(text.utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe Self.put(descriptor, $0) }
        guard count == bytes.count, fchmod(descriptor, mode) == 0 else { throw Failed() }
        return path
    }

    func remove() {
        for name in ["key", "other", "token", "fields"] { _ = unsafe unlink("\(directory)/\(name)") }
        _ = unsafe rmdir(directory)
    }

    private static func put(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        unsafe systemWrite(descriptor, bytes.baseAddress, bytes.count)
    }
}

// A free function, where the C name is not hidden by our own.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, buffer, count)
}
