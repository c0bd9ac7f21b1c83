internal import Foundation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A file system of two mebibytes in memory, mounted for a test.
package enum SmallDisk {
    /// Whether one can be mounted here; tried once.
    package static let isPossible: Bool = {
        guard geteuid() == 0 else { return false }
        let path = NSTemporaryDirectory() + "authkit-disk-\(UUID().uuidString)"
        guard unsafe mkdir(path, 0o700) == 0 else { return false }
        defer { unsafe rmdir(path) }
        guard mountSmall(at: path) else { return false }
        return unsafe umount2(path, Int32(MNT_DETACH)) == 0
    }()

    /// Runs a body with the path of a new one.
    package static func with(_ body: (String) async throws -> Void) async throws {
        try await withPlace { place in
            guard mountSmall(at: place) else { throw CocoaError(.fileWriteUnknown) }
            defer { unsafe umount2(place, Int32(MNT_DETACH)) }
            try await body(place)
        }
    }

    /// Writes a file until there is no block left.
    package static func fill(_ place: String) throws -> String {
        let path = "\(place)/filler"
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0xFF, count: 4096)
        while unsafe write(descriptor, block, block.count) > 0 {}
        guard errno == ENOSPC else { throw CocoaError(.fileWriteUnknown) }
        return path
    }

    private static func mountSmall(at path: String) -> Bool {
        unsafe "size=2m,mode=0700".withCString { unsafe mount("none", path, "tmpfs", 0, $0) } == 0
    }
}
