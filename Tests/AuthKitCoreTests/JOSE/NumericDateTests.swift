import AuthKitCore
import Testing

@Suite struct NumericDateTests {
    private func date(_ literal: String) throws -> WallTime? {
        try JWTClaims(payload: Array("{\"exp\":\(literal)}".utf8)).expiresAt
    }

    @Test func `whole dates of every length are read`() throws {
        let digits = "1234567890987654"
        for count in 1...digits.count {
            let literal = String(digits.prefix(count))
            #expect(try date(literal) == WallTime(seconds: try #require(Int64(literal))), "\(literal)")
        }
        #expect(try date("0") == WallTime(seconds: 0))
        #expect(try date("9999999999") == WallTime(seconds: 9_999_999_999))
    }

    @Test func `a date is the same however its number is written`() throws {
        for literal in ["1800000000", "1800000000.0", "18e8", "1.8E+9", "18000000000e-1", "180000000000000e-5"] {
            #expect(try date(literal) == WallTime(seconds: 1_800_000_000), "\(literal)")
        }
        for count in 1...14 {
            let whole = String(repeating: "7", count: count)
            let expected = WallTime(sinceEpoch: .seconds(try #require(Int64(whole))) + .milliseconds(500))
            #expect(try date(whole + ".5") == expected, "\(whole)")
        }
    }
}
