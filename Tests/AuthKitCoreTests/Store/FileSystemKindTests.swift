import Testing

@testable import AuthKitCore

@Suite struct FileSystemKindTests {
    private let table = """
        23 30 0:22 / /proc rw,nosuid - proc proc rw
        30 1 254:0 / / rw,noatime shared:1 - ext4 /dev/vda rw
        41 30 0:38 / /home rw shared:7 master:2 - nfs4 server:/home rw,vers=4.2
        42 30 0:39 / /mnt/x rw - fuse.sshfs host:/ rw
        43 30 0:39 / /mnt/y rw - fuse.gocryptfs plain rw
        """

    @Test(arguments: [(UInt64(38), "nfs4"), (0xFE00, "ext4"), (39, "fuse.gocryptfs")])
    func `the type of a device is found`(_ device: UInt64, _ type: String) {
        #expect(FileSystemKind.type(device: device, in: table) == type)
    }

    @Test func `a device that is not mounted has no type`() {
        #expect(FileSystemKind.type(device: 0x1234, in: table) == nil)
        #expect(FileSystemKind.type(device: 38, in: "malformed\n1 2 0:38 -\n") == nil)
    }

    @Test(arguments: ["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "fuse", "fuse.sshfs", "fuse.rclone", "virtiofs"])
    func `network file systems are refused`(_ type: String) {
        #expect(FileSystemKind.isRemote(type))
    }

    @Test(arguments: ["ext4", "btrfs", "xfs", "tmpfs", "overlay", "zfs", "fuseblk", "fuse.gocryptfs"])
    func `disks of this machine are taken`(_ type: String) {
        #expect(!FileSystemKind.isRemote(type))
    }
}
