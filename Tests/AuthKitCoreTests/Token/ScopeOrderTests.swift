import AuthKitCore
import Testing

@Suite struct ScopeOrderTests {
    @Test(arguments: [0, 1, 2, 7, 8, 9, 10, 40]) func `each token is kept once, in the order in which it first came`(
        count: Int
    ) {
        let names = (0..<count).map { "scope-\($0)" }
        let twice = names + ["", ""] + names.reversed() + names
        #expect(Scope(twice).values == names)
        #expect(Scope(twice.joined(separator: " ")).values == names)
        #expect(Scope(names.flatMap { [$0, $0] }).values == names)
    }

    @Test(arguments: [1, 2, 9]) func `the same tokens in another order are the same scope, with the same hash`(
        count: Int
    ) {
        let names = (0..<count).map { "scope-\($0)" }
        let (scope, other) = (Scope(names), Scope(names.reversed()))
        #expect(scope == other && scope.hashValue == other.hashValue)
        #expect(scope != Scope(names.dropLast()) && scope != Scope(names + ["more"]))
        #expect(Set((0..<count).map { Scope([names[$0]]).hashValue }).count == count)
    }
}
