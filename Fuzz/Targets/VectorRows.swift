import AuthKitCore
import Glibc

/// The tests' vectors.
enum VectorRows {
    struct Unusable: Error {}

    /// Reads the rows of the files that AUTHKIT_VECTORS names, with colons between them.
    static func read() throws -> [JSONObject] {
        guard let paths = getenv("AUTHKIT_VECTORS") else { throw Unusable() }
        return try String(cString: paths).split(separator: ":").flatMap { path in try rows(of: String(path)) }
    }

    private static func rows(of path: String) throws -> [JSONObject] {
        guard let file = fopen(path, "r") else { throw Unusable() }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeSubrange(fread(&bytes, 1, bytes.count, file)...)
        guard let rows = try JSONValue(parsing: bytes).array else { throw Unusable() }
        return rows.compactMap(\.object)
    }
}
