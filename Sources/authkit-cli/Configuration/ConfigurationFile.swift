internal import AuthKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The configuration file: read whole, edited under a lock, replaced atomically.
struct ConfigurationFile: Sendable {
    /// Where it lies.
    let path: String
    /// Whose it must be.
    let place: PrivatePlace
    /// Whether somebody named this very file: then it must be there to be read, and its directory is not ours alone.
    let isNamed: Bool
    /// For waiting on the lock.
    let time: any TimeSource
    /// Where that wait is told.
    let waits: LockWaits

    private static let limit = 1 << 20
    private static let patience: Duration = .seconds(10)

    /// Makes one; nothing is touched.
    init(
        path: String,
        place: PrivatePlace,
        isNamed: Bool = false,
        time: any TimeSource,
        waits: LockWaits = LockWaits()
    ) {
        self.path = path
        self.place = place
        self.isNamed = isNamed
        self.time = time
        self.waits = waits
    }

    /// Reads it; an absent file is an empty configuration, unless it was named and is not about to be made.
    func load(toEdit: Bool = false) throws(CommandFailure) -> Configuration {
        try place.checkDirectory(Places.parent(of: path), shared: isNamed)
        guard let bytes = try place.contents(of: path, limit: Self.limit) else {
            guard toEdit || !isNamed else {
                throw .configuration(
                    "The configuration file \(path) does not exist; name another, or make it with `authkit profile add`.",
                    code: "no_configuration"
                )
            }
            return Configuration()
        }
        return try Configuration(parsing: bytes, from: path)
    }

    /// Changes it: takes the lock, reads again, and replaces the file.
    ///
    /// Throws 75 when the lock is not had in 10 s.
    func edit<Result: Sendable>(_ change: (inout Configuration) throws -> Result) async throws -> Result {
        try await exclusively { try $0.edit(change) }
    }

    /// Runs a body that changes it, and something else that must fit it, while nobody else changes it.
    ///
    /// Throws 75 when the lock is not had in 10 s.
    func exclusively<Result>(_ body: (Held) async throws -> Result) async throws -> Result {
        try place.makeDirectory(Places.parent(of: path), shared: isNamed)
        let lock = try await waits.during { try await self.lock() }
        defer { Descriptor.release(lock) }
        return try await body(Held(file: self))
    }

    /// The file while its lock is held.
    struct Held: Sendable {
        fileprivate let file: ConfigurationFile

        /// Reads it and replaces it, if that changes anything.
        func edit<Result>(_ change: (inout Configuration) throws -> Result) throws -> Result {
            var configuration = try file.load(toEdit: true)
            let before = configuration
            let result = try change(&configuration)
            if configuration != before || FileStatus(file.path) == nil {
                try file.place.replace(file.path, with: configuration.serialized)
            }
            return result
        }
    }

    /// A descriptor that holds the lock until it is closed; the lock file stays.
    private func lock() async throws -> Int32 {
        let file = path + ".lock"
        let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let reason = SystemError.last
            throw CommandFailure(
                .cannotCreate,
                "cannot_create",
                "\(file) cannot be made (\(reason)); make its directory writable or choose another."
            )
        }
        let deadline = Deadline(Self.patience, from: time.now)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            guard number == EWOULDBLOCK || number == EINTR else {
                Descriptor.release(descriptor)
                throw CommandFailure.inputOutput("\(file) cannot be locked (\(SystemError.text(number))).")
            }
            guard !deadline.hasPassed(at: time.now) else {
                Descriptor.release(descriptor)
                throw CommandFailure(.tryAgain, "busy", "Another authkit is changing \(path); try again.")
            }
            do {
                try await time.sleep(for: .milliseconds(20))
            } catch {
                Descriptor.release(descriptor)
                throw error
            }
        }
        return descriptor
    }
}
