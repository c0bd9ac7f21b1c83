import AuthKitCore
import Foundation
import Testing

/// Vectors of standards: each file is a list whose rows name their source.
enum VectorFile {
    /// Reads the rows of a file in `Vectors`.
    static func rows(_ name: String) throws -> [JSONObject] {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors"))
        let value = try JSONValue(parsing: Array(try Data(contentsOf: url)))
        return try #require(value.array).compactMap(\.object)
    }

    /// The bytes of a hexadecimal text.
    static func bytes(hex text: String) -> [UInt8] {
        stride(from: 0, to: text.utf8.count, by: 2).compactMap { offset in
            UInt8(text.dropFirst(offset).prefix(2), radix: 16)
        }
    }
}
