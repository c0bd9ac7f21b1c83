import AuthKitCore
import Testing

@testable import authkit_cli

/// How strictly a URL that is handed over is read.
@Suite struct AnswerReadingTests {
    private let nsdk = "nsdk-samples://signin/redirect"

    @Test func `a fragment is passed over for OAuth, and refused where there is no state`() {
        let url = nsdk + "?refreshToken=a#_=_"
        #expect(AnswerReading.usual.answer(in: url, to: nsdk)?.single("refreshToken") == "a")
        #expect(AnswerReading.exact.answer(in: url, to: nsdk) == nil)
        #expect(AnswerReading.exact.answer(in: nsdk + "?refreshToken=a#", to: nsdk) == nil)
        #expect(AnswerReading.exact.answer(in: nsdk + "?refreshToken=a", to: nsdk)?.single("refreshToken") == "a")
    }

    @Test(arguments: [
        "nsdk-external://signin/redirect?refreshToken=a", "nsdk-samples://signin/other?refreshToken=a",
        "nsdk-samples://other/redirect?refreshToken=a", "nsdk-samples:/signin/redirect?refreshToken=a",
        "nsdk-samples://signin/redirect/?refreshToken=a", "nsdk-samples://signin:1/redirect?refreshToken=a",
    ])
    func `another scheme, host or path belongs to no sign-in`(_ url: String) {
        #expect(AnswerReading.exact.answer(in: url, to: nsdk) == nil)
        #expect(AnswerReading.usual.answer(in: url, to: nsdk) == nil)
    }

    @Test func `an address on loopback is read as it comes`() {
        let redirect = "http://127.0.0.1:8080/login/success"
        let answer = AnswerReading.exact.answer(in: redirect + "?RefreshToken=a", to: redirect)
        #expect(answer?.single("RefreshToken") == "a")
        #expect(AnswerReading.exact.answer(in: redirect + "?RefreshToken=a#b", to: redirect) == nil)
    }
}
