#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files that others read.
enum TextFile {
    /// Writes a text, in place of what was there.
    static func write(_ text: String, to path: String) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BenchmarkError("'\(path)' cannot be written.") }
        defer { _ = close(file) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe writeBytes(file, $0) }
            guard count > 0 else { throw BenchmarkError("'\(path)' cannot be written to its end.") }
            rest = rest.dropFirst(count)
        }
    }
}

// A free function, where the C name is not hidden by our own.
private func writeBytes(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(file, bytes.baseAddress, bytes.count)
}
