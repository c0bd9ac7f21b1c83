import Foundation
import Glibc

/// A session bus and a keyring of GNOME's own, in a directory of their own, for the life of the test process.
///
/// libsecret finds the bus by the process's environment, which is therefore set once, before libsecret is opened.
final class PrivateKeyring {
    private static let daemons = ["/usr/bin/dbus-daemon", "/usr/bin/gnome-keyring-daemon", "/usr/bin/dbus-send"]
    private static let collection = "/org/freedesktop/secrets/collection/login"

    /// Why there can be none here; nil when there can.
    static var obstacle: String? {
        let missing = daemons.filter { !FileManager.default.isExecutableFile(atPath: $0) }
        guard missing.isEmpty else {
            return "\(missing.joined(separator: ", ")) missing: install dbus-daemon, dbus-bin and gnome-keyring"
        }
        let library = ["/usr/lib", "/lib"].contains { root in
            ["x86_64-linux-gnu", "aarch64-linux-gnu"].contains {
                FileManager.default.fileExists(atPath: "\(root)/\($0)/libsecret-1.so.0")
            }
        }
        return library ? nil : "libsecret-1.so.0 missing: install libsecret-1-0"
    }

    /// Whether tests of it run: where there can be one, and in CI, where what is missing is a failure.
    static var isTested: Bool { obstacle == nil || ProcessInfo.processInfo.environment["CI"] == "true" }

    /// Why there is none.
    private struct Unavailable: Error {
        let reason: String
    }

    let directory: String
    private let bus: Process
    private let keyring: Process

    private init(directory: String, bus: Process, keyring: Process) {
        self.directory = directory
        self.bus = bus
        self.keyring = keyring
    }

    deinit {
        keyring.terminate()
        bus.terminate()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Starts both, unlocks the keyring, and waits until it answers.
    static func start() throws -> PrivateKeyring {
        if let obstacle { throw Unavailable(reason: obstacle) }
        let directory = NSTemporaryDirectory() + "authkit-\(UUID().uuidString)"
        let mode = [FileAttributeKey.posixPermissions: 0o700]
        for path in [directory, "\(directory)/run", "\(directory)/data"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: mode)
        }
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>unix:path=\(directory)/run/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy></busconfig>
            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: "\(directory)/bus.conf"))
        let variables = [
            "HOME": directory, "XDG_DATA_HOME": "\(directory)/data", "XDG_RUNTIME_DIR": "\(directory)/run",
            "XDG_CONFIG_HOME": directory, "PATH": "/usr/bin:/bin",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory)/run/bus",
        ]
        _ = unsafe setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(directory)/run/bus", 1)
        let bus = try run(daemons[0], ["--config-file=\(directory)/bus.conf", "--nofork"], variables)
        try wait { FileManager.default.fileExists(atPath: "\(directory)/run/bus") }
        let keyring = try run(daemons[1], ["--unlock", "--components=secrets", "--foreground"], variables, input: "pw")
        let made = PrivateKeyring(directory: directory, bus: bus, keyring: keyring)
        try wait { (try? made.call("org.freedesktop.DBus.Peer.Ping", [])) == 0 }
        return made
    }

    /// Locks the collection, as a person does who walks away.
    func lock() throws {
        let status = try call("org.freedesktop.Secret.Service.Lock", ["array:objpath:\(Self.collection)"])
        guard status == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private func call(_ method: String, _ arguments: [String]) throws -> Int32 {
        let words = [
            "--bus=unix:path=\(directory)/run/bus", "--print-reply", "--dest=org.freedesktop.secrets",
            "/org/freedesktop/secrets", method,
        ]
        let process = try Self.run(Self.daemons[2], words + arguments, [:])
        process.waitUntilExit()
        return process.terminationStatus
    }

    private static func run(
        _ path: String,
        _ words: [String],
        _ variables: [String: String],
        input: String? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = words
        process.environment = variables
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardInput = input == nil ? FileHandle.nullDevice : pipe
        try process.run()
        if let input {
            pipe.fileHandleForWriting.write(Data(input.utf8))
            try pipe.fileHandleForWriting.close()
        }
        return process
    }

    /// Asks again until something is so; ten seconds at most.
    private static func wait(_ isSo: () -> Bool) throws {
        for _ in 0..<500 {
            if isSo() { return }
            usleep(20_000)
        }
        throw CocoaError(.fileReadUnknown)
    }
}
