#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Tells disks of this machine from places whose locks and shared memory cannot be trusted.
enum FileSystemKind {
    /// File systems that live elsewhere or are shared with other machines, as mountinfo names them.
    private static let remote: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "coda", "lustre", "gpfs", "ncpfs", "gfs2", "ocfs2",
        "vboxsf", "vmhgfs", "virtiofs", "prl_fs",
    ]

    /// FUSE file systems that are known to keep files on this machine.
    private static let localFUSE: Set<String> = [
        "fuseblk", "fuse.fuse-overlayfs", "fuse.gocryptfs", "fuse.encfs", "fuse.mergerfs", "fuse.bindfs",
        "fuse.ntfs-3g",
    ]

    /// Throws `unsupported_place` when a directory is on a network file system.
    ///
    /// A device that is not in the table, such as a subvolume of btrfs, is on this machine.
    static func require(localDisk directory: PrivateFile) throws(StoreError) {
        guard let table = readMountInformation() else { return }
        let device = UInt64(try directory.status().st_dev)
        guard let type = type(device: device, in: table), isRemote(type) else { return }
        throw StoreError(
            .unsupportedPlace,
            "\(directory.path) is on a network file system (\(type)), where a store could break; "
                + "choose a directory on a local disk, or memory: to keep nothing on disk."
        )
    }

    /// Whether a file system of this type is refused; of FUSE all but those known to be local.
    static func isRemote(_ type: String) -> Bool {
        remote.contains(type) || type.hasPrefix("fuse") && !localFUSE.contains(type) && type != "fusectl"
    }

    /// Looks up a device's type in the text of /proc/self/mountinfo: the field behind the lone hyphen.
    ///
    /// proc_pid_mountinfo(5): the third field is major:minor; the last mount of a device counts.
    static func type(device: UInt64, in table: String) -> String? {
        // The numbers as in glibc's gnu_dev_major and gnu_dev_minor, which are the kernel's own.
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & ~0xFF
        for line in table.split(separator: "\n").reversed() {
            let fields = line.split(separator: " ")
            guard fields.count > 2, fields[2] == "\(major):\(minor)" else { continue }
            guard let hyphen = fields.firstIndex(of: "-") else { continue }
            return fields[(hyphen + 1)...].first.map(String.init)
        }
        return nil
    }

    private static func readMountInformation() -> String? {
        let path = "/proc/self/mountinfo"
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = PrivateFile(owning: descriptor, path: path)
        var table: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while table.count < 4 << 20 {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(file.descriptor, $0.baseAddress, $0.count) }
            if count < 0 { return nil }
            if count == 0 { return String(decoding: table, as: UTF8.self) }
            table += chunk[..<count]
        }
        return nil
    }
}
