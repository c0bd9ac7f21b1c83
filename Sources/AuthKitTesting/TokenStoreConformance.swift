public import AuthKitCore

/// The contract of `TokenStore` as rules to run: a store that keeps them all is done.
///
///     @Test(arguments: TokenStoreConformance.all)
///     func `meets the store contract`(_ rule: TokenStoreConformance.Rule) async throws {
///         try await rule.check { try await MyStore.open(at: freshPlace()) }
///     }
public enum TokenStoreConformance: Sendable {
    /// One rule.
    public struct Rule: Sendable, CustomStringConvertible {
        /// What must hold.
        public let name: String
        private let body: @Sendable (Bench) async throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (Bench) async throws -> Void) {
            self.name = name
            self.body = body
        }

        /// Runs the rule on a new, empty store that `make` gives.
        ///
        /// Throws `ConformanceFailure` when the rule is broken. A call that should return at once and has not within
        /// `patience` breaks its rule too; it is long so that a busy machine breaks none.
        public func check(
            patience: Duration = .seconds(20),
            make: @escaping @Sendable () async throws -> any TokenStore
        ) async throws {
            let bench = Bench(rule: name, store: try await make(), patience: patience)
            try await bench.promptly("the rule as a whole", limit: patience * 6) { [body] in
                do {
                    try await body(bench)
                } catch let failure as ConformanceFailure {
                    throw failure
                } catch {
                    throw ConformanceFailure(rule: bench.rule, detail: "it threw \(error)")
                }
            }
        }

        /// The name.
        public var description: String { name }
    }

    /// All rules of a `TokenStore`: records, compare-and-swap, listing, leases, concurrency; see also `due`.
    public static let all: [Rule] = records + compareAndSwap + listing + leases + leaseWaits + concurrency
}
