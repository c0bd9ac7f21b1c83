import Foundation

/// Runs a body with a new directory, 0700, that is removed afterwards with all in it.
func withPlace<Result>(_ body: (String) async throws -> Result) async throws -> Result {
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
func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
}

/// Sets the permission bits of a file.
func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

/// Makes a file 0600 with the bytes given.
func makeFile(_ path: String, _ contents: Data) throws {
    guard FileManager.default.createFile(atPath: path, contents: contents, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
}
