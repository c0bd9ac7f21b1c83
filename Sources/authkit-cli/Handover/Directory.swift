#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Lists directories.
enum Directory {
    /// The names in a directory, at most 10 000; none where it cannot be read.
    static func names(in path: String) -> [String] {
        guard let stream = unsafe opendir(path) else { return [] }
        // Only read from: closing it can lose nothing.
        defer { _ = unsafe closedir(stream) }
        var result: [String] = []
        while result.count < 10_000, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { result.append(name) }
        }
        return result
    }
}
