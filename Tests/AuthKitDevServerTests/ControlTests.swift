import AuthKitCore
import AuthKitDevServer
import LoopbackHTTP
import Testing

@Suite struct ControlTests {
    private func send(
        _ bench: IssuerBench,
        _ method: String,
        _ path: String,
        _ body: String = "",
        type: String = "application/json"
    )
        -> IssuerAnswer
    {
        let fields = [HTTPField("Content-Type", type)]
        return bench.issuer.answer(ServerRequest(method: method, target: path, fields: fields, body: Array(body.utf8)))
    }

    @Test func `faults are added, listed and cleared while it runs`() throws {
        let bench = try IssuerBench { $0.faults = [Fault(.jwks, .close)] }
        let added = send(bench, "POST", "/dev/faults", #"["token:503*2"]"#)
        #expect(try added.json()["faults"] == ["jwks:close", "token:503*2"])
        #expect(bench.redeem("x").status == 503)
        #expect(try send(bench, "GET", "/dev/faults").json()["faults"] == ["jwks:close", "token:503"])
        #expect(try send(bench, "DELETE", "/dev/faults").json()["faults"] == [])
        #expect(bench.redeem("x").error == "invalid_grant")
    }

    @Test func `faults that are wrong, too many or a page's form change nothing`() throws {
        let bench = try IssuerBench()
        #expect(send(bench, "POST", "/dev/faults", #"["token:503","token:x"]"#).status == 400)
        #expect(send(bench, "POST", "/dev/faults", #"["token:503"]"#, type: "text/plain").status == 415)
        let half = "[" + Array(repeating: "\"token:503\"", count: 600).joined(separator: ",") + "]"
        #expect(send(bench, "POST", "/dev/faults", half).status == 200)
        #expect(send(bench, "POST", "/dev/faults", half).status == 409)
        #expect(bench.issuer.faults.count == 600)
    }

    @Test func `statistics count requests and list refreshes in a line each`() throws {
        let bench = try IssuerBench()
        let token = try bench.tokens().text("refresh_token")
        _ = bench.refresh(token)
        let statistics = try bench.get("/dev/stats").json()
        #expect(statistics["requests"]?["token"] == 2)
        #expect(statistics["requests"]?["authorize"] == 1)
        #expect(statistics["refreshes_granted"] == 1)
        #expect(statistics["active_families"] == 1)
        let line = try #require(statistics["refreshes"]?.array?.first?.string)
        let fingerprint = Hexadecimal.encode(Array(TokenFingerprint(of: Secret(token ?? "")).bytes.prefix(4)))
        #expect(line == "2027-01-15T08:00:00Z \(fingerprint) granted")
    }

    @Test func `the index shows clients, users and faults`() throws {
        let bench = try IssuerBench { $0.faults = [Fault(.token, .status(503))] }
        for path in ["/", "/dev"] {
            let page = bench.get(path).text
            #expect(page.contains("dev-conf") && page.contains("alice") && page.contains("token:503"))
            #expect(!page.contains("dev-secret"))
        }
    }

    @Test func `what is not there is 404`() throws {
        #expect(try IssuerBench().get("/elsewhere").status == 404)
    }
}
