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

    @Test(arguments: FlawedDueStore.Flaw.allCases)
    func `a store whose claims have a flaw breaks the rule against it`(_ flaw: FlawedDueStore.Flaw) async throws {
        let rule = try #require(TokenStoreConformance.due.first { $0.name == flaw.rule })
        let failure = await #expect(throws: ConformanceFailure.self) {
            try await rule.check(patience: .seconds(4)) { FlawedDueStore(flaw) }
        }
        #expect(failure?.rule == rule.name)
    }

    @Test func `a store that keeps no due times breaks every rule about them`() async {
        for rule in TokenStoreConformance.due {
            await #expect(throws: ConformanceFailure.self) {
                try await rule.check { FlawedStore(.losesLastByte) }
            }
        }
    }

    @Test func `rules have names of their own`() {
        let names = (TokenStoreConformance.all + TokenStoreConformance.due).map(\.name)
        #expect(Set(names).count == names.count)
        #expect(TokenStoreConformance.all.count >= 30)
        #expect(Set(FlawedDueStore.Flaw.allCases.map(\.rule)).count == TokenStoreConformance.due.count)
    }
}
