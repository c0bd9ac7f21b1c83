import AuthKitCore
import AuthKitTesting
import Testing

@Suite struct InMemoryStoreTests {
    @Test(arguments: TokenStoreConformance.all + TokenStoreConformance.due)
    func `meets the store contract`(_ rule: TokenStoreConformance.Rule) async throws {
        try await rule.check { InMemoryStore() }
    }
}
