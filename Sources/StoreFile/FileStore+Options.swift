public import AuthKitCore

extension FileStore {
    /// How a store is opened.
    public struct Options: Sendable {
        /// How long a call waits for another process's write of the same record before it throws `busy`.
        public var busyTimeout: Duration = .seconds(5)
        /// Leaves owner-only modes unchecked, for mounts that cannot keep them.
        ///
        /// Others may then read the store.
        public var insecureFileModes = false
        /// What waits and claims are counted by.
        public var time: any TimeSource = SystemTime()

        /// Takes the values that are right unless there is a reason.
        public init() {}
    }
}
