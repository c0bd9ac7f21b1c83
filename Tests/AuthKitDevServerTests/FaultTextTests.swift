import AuthKitCore
import AuthKitDevServer
import Testing

@Suite struct FaultTextTests {
    @Test(arguments: [
        ("token:503", Fault(.token, .status(503))),
        ("refresh:hang-after-commit*2", Fault(.refresh, .hangAfterCommit, count: 2)),
        ("refresh:429;retry-after=3", Fault(.refresh, .status(429, retryAfter: 3))),
        ("jwks:503;html*", Fault(.jwks, .status(503, asPage: true), count: nil)),
        ("authorize:wrong-state", Fault(.authorize, .wrongState)),
        ("refresh:hang=5", Fault(.refresh, .hang(seconds: 5))),
        ("refresh:error=invalid_grant", Fault(.refresh, .error("invalid_grant"))),
        ("end-session:close", Fault(.endSession, .close)),
    ])
    func `a fault is read and written alike`(_ text: String, _ fault: Fault) throws {
        #expect(try Fault(parsing: text) == fault)
        #expect(fault.description == text)
    }

    @Test(arguments: ["jwks:503**", "jwks:503*always", "jwks:503*"])
    func `always has three spellings`(_ text: String) throws {
        #expect(try Fault(parsing: text).count == nil)
    }

    @Test(arguments: [
        "", "token", "nowhere:503", "token:", "token:200", "token:teapot", "token:503;retry-after=x",
        "token:503;later=1",
        "token:hang=0", "token:hang=x", "token:503*0", "token:503*-1", "token:503*x", "token:error=", "token:error=a b",
        "token:close;html",
    ])
    func `what is no fault is refused`(_ text: String) {
        let error = #expect(throws: DevServerError.self) { try Fault(parsing: text) }
        #expect(error?.code == .badFault)
    }

    @Test(arguments: [
        "jwks:wrong-nonce", "discovery:wrong-state", "userinfo:wrong-aud", "refresh:missing-nonce", "jwks:error=x",
    ])
    func `a kind belongs to its points, and the sentence lists them`(_ text: String) throws {
        let error = #expect(throws: DevServerError.self) { try Fault(parsing: text) }
        #expect(error?.code == .badFault)
        #expect(error?.description.contains("hang-after-commit") == true)
    }

    @Test func `an unknown point is told the points`() {
        let error = #expect(throws: DevServerError.self) { try Fault(parsing: "x:503") }
        #expect(error?.description.contains("discovery, jwks, authorize, token, refresh, userinfo") == true)
    }

    @Test func `a JSON list has texts and objects`() throws {
        let text = #"["token:503*2", {"point":"refresh","kind":"close"}, {"point":"jwks","kind":"500","count":"*"}]"#
        let faults = try Fault.list(parsing: Array(text.utf8))
        #expect(faults.map(\.description) == ["token:503*2", "refresh:close", "jwks:500*"])
    }

    @Test(arguments: ["{}", "[1]", "[", #"[{"point":"token"}]"#, #"[{"point":"token","kind":"503","often":2}]"#])
    func `another list is refused`(_ text: String) {
        let error = #expect(throws: DevServerError.self) { try Fault.list(parsing: Array(text.utf8)) }
        #expect(error?.code == .badFault)
    }

    @Test func `a script gives each fault as often as it says, in order`() throws {
        var script = FaultScript([
            Fault(.token, .close, count: 2), Fault(.token, .page), Fault(.jwks, .page, count: nil),
        ])
        #expect((0..<4).map { _ in script.take(.token) } == [.close, .close, .page, nil])
        #expect((0..<3).allSatisfy { _ in script.take(.jwks) == .page })
        #expect(script.take(.refresh) == nil)
    }
}
