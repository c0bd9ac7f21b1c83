import AuthKitCore
import AuthKitTesting
import Testing

@testable import LoopbackHTTP

@Suite(.timeLimit(.minutes(1))) struct OneShotRedirectTests {
    private let secret = Secret("https://issuer.example/end?id_token_hint=e.y.J&state=a%26b")

    @Test func `one fetch is sent to the secret URL, then the port closes`() async throws {
        let shot = try OneShotRedirect.listen(time: ManualTime())
        let place = try Place(shot.address)
        #expect(place.path.count == 33)
        #expect(!shot.address.contains("hint"))
        #expect(try await place.get().status == 404)
        shot.send(to: secret)
        async let fetched = shot.waitUntilFetched(within: .seconds(60))
        let answer = try await place.get()
        #expect(answer.status == 303)
        #expect(answer.fields.first(named: "Location") == secret.reveal())
        #expect(answer.fields.first(named: "Cache-Control") == "no-store")
        #expect(answer.fields.first(named: "Referrer-Policy") == "no-referrer")
        #expect(await fetched)
        #expect(RawClient.connect(place.port) == nil)
    }

    @Test func `a second fetch is 410, other paths 404, methods 405, hosts 421`() async throws {
        let shot = try OneShotRedirect.listen(signedOutAt: "http://127.0.0.1:0/signed-out", time: ManualTime())
        let place = try Place(shot.address)
        shot.send(to: secret)
        #expect(
            try await RawClient.request("GET", "/" + String(repeating: "0", count: 32), port: place.port).status == 404
        )
        #expect(try await RawClient.request("HEAD", place.path, port: place.port).status == 405)
        #expect(try await RawClient.request("GET", place.path, port: place.port, host: "evil.example").status == 421)
        #expect(try await place.get().status == 303)
        let second = try await place.get()
        #expect(second.status == 410)
        #expect(second.fields.first(named: "Location") == nil)
        await shot.close()
    }

    @Test func `addresses differ each time`() async throws {
        let shots = [try OneShotRedirect.listen(), try OneShotRedirect.listen()]
        #expect(try Place(shots[0].address).path != Place(shots[1].address).path)
        for shot in shots { await shot.close() }
    }

    @Test func `the person who comes back sees that they are signed out`() async throws {
        let shot = try OneShotRedirect.listen(
            signedOutAt: "http://127.0.0.1:0/signed-out",
            accepting: { $0.single("state") == "s1" },
            time: ManualTime()
        )
        let place = try Place(shot.address)
        #expect(shot.signedOutURI == "http://127.0.0.1:\(place.port)/signed-out")
        shot.send(to: secret)
        #expect(try await RawClient.request("GET", "/signed-out?state=s1", port: place.port).status == 400)
        #expect(try await place.get().status == 303)
        #expect(await shot.waitUntilFetched(within: .seconds(60)))
        #expect(try await RawClient.request("GET", "/signed-out?state=s2", port: place.port).status == 400)
        async let answer = shot.waitUntilSignedOut(within: .seconds(60))
        let page = try await RawClient.request("GET", "/signed-out?state=s1", port: place.port)
        #expect(page.status == 200)
        #expect(page.body.contains("You are signed out"))
        #expect(await answer?.single("state") == "s1")
        #expect(RawClient.connect(place.port) == nil)
    }

    @Test func `nobody coming closes the port in time`() async throws {
        let time = ManualTime()
        let shot = try OneShotRedirect.listen(time: time)
        let place = try Place(shot.address)
        shot.send(to: secret)
        async let fetched = shot.waitUntilFetched(within: .seconds(60))
        await time.waitForSleepers(1)
        time.advance(by: .seconds(60))
        #expect(await fetched == false)
        #expect(RawClient.connect(place.port) == nil)
    }

    @Test func `the object shows neither address nor destination`() async throws {
        let shot = try OneShotRedirect.listen()
        shot.send(to: secret)
        var text = "\(shot) "
        dump(shot, to: &text)
        #expect(!text.contains("issuer.example"))
        #expect(!text.contains(try Place(shot.address).path))
        await shot.close()
    }

    private struct Place {
        let port: UInt16
        let path: String

        init(_ address: String) throws {
            let url = try #require(WebURL(address))
            port = try #require(UInt16(exactly: url.port))
            path = url.path
        }

        func get() async throws -> RawResponse { try await RawClient.request("GET", path, port: port) }
    }
}
