import AuthKitCore
import AuthKitTesting
import Testing

@Suite struct TokenStoreConformanceTests {
    @Test(arguments: FlawedStore.Flaw.allCases)
    func `a store with a flaw breaks the rule against it`(_ flaw: FlawedStore.Flaw) async throws {
        let rule = try #require(TokenStoreConformance.all.first { $0.name == flaw.rule })
        let failure = await #expect(throws: ConformanceFailure.self) {
            try await rule.check(patience: .seconds(2)) { FlawedStore(flaw) }
        }
        #expect(failure?.rule == rule.name)
    }

    @Test func `rules have names of their own`() {
        let names = TokenStoreConformance.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 30)
    }
}
