import AuthKitCore
import AuthKitTesting
import LoopbackHTTP
import Testing

@testable import authkit_cli

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Which URLs a sign-in takes for its answer: at its own address, and with an answer that it waits for.
@Suite(.timeLimit(.minutes(1))) struct ReceiverTests {
    private static let redirect = "dev.authkit.example:/callback"

    private func paste(_ text: String, accepting: @escaping @Sendable (RedirectAnswer) -> Bool) async throws -> String?
    {
        let receiver = PasteReceiver(input: TextInput(text: text), place: try PastePlace.hold(Self.redirect)) { _ in }
        do {
            _ = try await receiver.present("https://issuer.example/", accepting: accepting)
            return nil
        } catch {
            return (error as? CommandFailure)?.code
        }
    }

    @Test func `a pasted URL must be at the address of the sign-in and be wanted`() async throws {
        #expect(try await paste("\(Self.redirect)?state=s") { $0.single("state") == "s" } == nil)
        #expect(try await paste("\(Self.redirect)?state=t") { $0.single("state") == "s" } == "wrong_callback")
        for address in ["other.example:/callback", "dev.authkit.example:/callback2", "dev.authkit.example:/"] {
            #expect(try await paste("\(address)?state=s") { _ in true } == "wrong_callback")
        }
    }

    @Test func `a handed over URL must be at the address of the sign-in and be wanted`() async throws {
        let harness = try CommandHarness()
        let home = harness.home
        let place = PrivatePlace(user: geteuid(), insecureFileModes: false)
        let rendezvous = try Rendezvous.open(in: [home], store: "s", place: place, time: ManualTime())
        let receiver = SchemeReceiver(
            rendezvous: rendezvous,
            redirectURI: Self.redirect,
            announce: { _ in },
            browse: { _ in }
        )
        let waiting = Task {
            try await receiver.present("https://issuer.example/") { $0.single("state") == "s" }
        }
        for (url, verdict) in [
            ("other.example:/callback?state=s", Rendezvous.Verdict.refused),
            ("dev.authkit.example:/callback2?state=s", .refused), ("\(Self.redirect)?state=t", .refused),
            ("\(Self.redirect)?state=s", .accepted),
        ] {
            let told = await ProcessTests.blocking { Rendezvous.offer(url, in: [home], user: geteuid()) }
            #expect(told == verdict, "\(url)")
        }
        #expect(try await waiting.value.single("state") == "s")
        await receiver.finish(.signedIn(account: nil))
        #expect(Directory.names(in: home).isEmpty)
    }

    @Test(arguments: [AnswerReading.usual, .exact])
    func `while an answer is tried the next waits for seconds, then is turned away; after a refusal it is taken`(
        _ reading: AnswerReading
    ) async throws {
        let home = try CommandHarness().home
        let place = PrivatePlace(user: geteuid(), insecureFileModes: false)
        let time = ManualTime()
        let receiver = SchemeReceiver(
            rendezvous: try Rendezvous.open(in: [home], store: "s", place: place, time: time),
            redirectURI: "nsdk-samples://signin/redirect",
            reading: reading,
            time: time,
            announce: { _ in },
            browse: { _ in }
        )
        @Sendable func offer(_ state: String) async -> Rendezvous.Verdict? {
            await ProcessTests.blocking {
                Rendezvous.offer(
                    "nsdk-samples://signin/redirect?state=\(state)",
                    in: [home],
                    user: geteuid(),
                    patience: .max
                )
            }
        }
        let waiting = Task { try await receiver.present("https://issuer.example/") { _ in true } }
        #expect(await offer("stranger") == .accepted)
        #expect(try await waiting.value.single("state") == "stranger")
        async let soon = offer("second")
        let again = Task { try await receiver.waitAgain(refusing: "No.") { $0.single("state") != "late" } }
        #expect(await soon == .accepted)
        #expect(try await again.value.single("state") == "second")
        // Somebody is asked for long: who comes now is not left waiting, so that no other login is offered it.
        await time.waitForSleepers(1)
        time.advance(by: .seconds(5))
        #expect(await offer("early") == (reading == .exact ? .busy : .refused))
        let last = Task { try await receiver.waitAgain(refusing: "No.") { $0.single("state") == "own" } }
        while await offer("own") != .accepted { await Task.yield() }
        #expect(try await last.value.single("state") == "own")
        await receiver.finish(.signedIn(account: nil))
        #expect(await offer("late") == nil)
    }
}
