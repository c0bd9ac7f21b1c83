import AuthKitCore
import AuthKitTesting
import Testing

@testable import ProviderOIDC

/// What is learned of the issuer's clock from `Date`, and what it is not used for.
@Suite struct ClockOffsetTests {
    private let now = Moment(wall: WallTime(seconds: 784_111_777), sinceBoot: .seconds(60), boot: "b")
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"  // 784,111,777, RFC 9110 §5.6.7

    private static let silent: [[HTTPField]] = [
        [], [HTTPField("Date", date), HTTPField("Age", "0")], [HTTPField("Date", date), HTTPField("Date", date)],
        [HTTPField("Date", "Sunday, 06-Nov-94 08:49:37 GMT")], [HTTPField("Date", "Sun Nov  6 08:49:37 1994")],
        [HTTPField("Date", "sun, 06 nov 1994 08:49:37 gmt")], [HTTPField("Date", "Sun, 06 Nov 1994 08:49:37 UTC")],
        [HTTPField("Date", "Sun, 06 Nov 1994 08:49:7  GMT")], [HTTPField("Date", "")],
    ]

    private func learned(
        _ fields: [HTTPField],
        ahead: Duration = .zero,
        exchange: Duration = .zero
    ) throws -> Duration? {
        let sent = Moment(wall: now.wall - ahead, sinceBoot: now.sinceBoot, boot: "b")
        let url = try #require(WebURL("https://op.example/token"))
        let received = Moment(wall: sent.wall + exchange, sinceBoot: sent.sinceBoot + exchange, boot: "b")
        let response = HTTPResponse(status: 200, fields: fields, url: url, receivedAt: received)
        return ClockOffset.learned(from: response, sentAt: sent)
    }

    @Test func `it is the date against the middle of the exchange, both ways`() throws {
        let date = [HTTPField("Date", Self.date)]
        #expect(try learned(date, ahead: .seconds(600)) == .milliseconds(600_500))
        #expect(try learned(date, ahead: .seconds(-600)) == .milliseconds(-599_500))
        #expect(try learned(date, ahead: .seconds(600), exchange: .seconds(8)) == .milliseconds(596_500))
    }

    @Test func `a small difference is none`() throws {
        #expect(try learned([HTTPField("date", Self.date)]) == .zero)
        #expect(try learned([HTTPField("date", Self.date)], ahead: .seconds(1)) == .zero)
        #expect(try learned([HTTPField("date", Self.date)], ahead: .seconds(-2)) == .zero)
        #expect(try learned([HTTPField("date", Self.date)], ahead: .seconds(2)) == .milliseconds(2500))
    }

    @Test func `no issuer moves our clock further than a day`() throws {
        let date = [HTTPField("Date", Self.date)]
        #expect(try learned(date, ahead: .seconds(1_000_000)) == .seconds(86_400))
        #expect(try learned(date, ahead: .seconds(-1_000_000)) == .seconds(-86_400))
    }

    @Test(arguments: ClockOffsetTests.silent)
    func `a cached answer and any other form of a date say nothing`(_ fields: [HTTPField]) throws {
        #expect(try learned(fields, ahead: .seconds(600)) == nil)
    }

    @Test func `a slow exchange says nothing`() throws {
        #expect(try learned([HTTPField("Date", Self.date)], ahead: .seconds(600), exchange: .seconds(11)) == nil)
    }

    /// Lets the issuer's answers carry a date that is ten minutes ahead of our clock.
    private func party(_ date: String = "Fri, 15 Jan 2027 08:10:00 GMT") throws -> RelyingParty {
        let party = try RelyingParty()
        party.issuer.script { script in
            script.replace = { path, response in
                guard path == "/tenant/token" else { return response }
                var dated = response
                dated.fields.append(HTTPField("Date", date))
                return dated
            }
        }
        return party
    }

    @Test func `sign-in and refresh keep it, and an answer that says nothing changes nothing`() async throws {
        let party = try party()
        var held = try await party.signIn()
        #expect(held.clockOffset == .milliseconds(600_500))
        held.clockOffset = .zero
        held = try await party.renew(held)
        #expect(held.clockOffset == .milliseconds(600_500))
        party.issuer.script { $0.replace = { $1 } }
        #expect(try await party.renew(held).clockOffset == .milliseconds(600_500))
    }

    @Test func `an ID token is checked by this machine's clock alone`() async throws {
        // By the issuer's clock, as Date has it, the token has not ended yet; by ours it has.
        let late = try party("Fri, 15 Jan 2027 07:00:00 GMT")
        late.issuer.script { $0.claims = { $0["exp"] = .integer(1_800_000_000 - 600) } }
        #expect(await code { try await late.signIn() } == .invalidIDToken)
        let early = try party()
        early.issuer.script { $0.claims = { $0["iat"] = .integer(1_800_000_000 + 600) } }
        #expect(await code { try await early.signIn() } == .invalidIDToken)
    }
}
