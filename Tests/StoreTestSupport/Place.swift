package import Foundation

/// Runs a body with a new directory, 0700, that is removed afterwards with all in it.
package func withPlace<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = NSTemporaryDirectory() + "authkit-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700]
    )
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

/// The permission bits of a file.
package func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
}

/// Sets the permission bits of a file.
package func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

/// Makes a file 0600 with the bytes given.
package func makeFile(_ path: String, _ contents: Data) throws {
    guard FileManager.default.createFile(atPath: path, contents: contents, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
}

/// The names in a directory, in order.
package func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
}

/// Waits for a file with a number in it.
package func number(in path: String) async throws -> Int64 {
    for _ in 0..<6000 {
        if let data = FileManager.default.contents(atPath: path) {
            guard let number = Int64(String(decoding: data, as: UTF8.self)) else { throw CocoaError(.fileReadUnknown) }
            return number
        }
        try await Task.sleep(for: .milliseconds(10))
    }
    throw CancellationError()
}
