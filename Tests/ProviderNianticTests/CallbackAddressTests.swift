import AuthKitCore
import ProviderNiantic
import Testing

/// Which URL is the redirect address at all.
@Suite struct CallbackAddressTests {
    private let address = CallbackAddress(scheme: "nsdk-samples")

    @Test(arguments: [
        "nsdk-samples://signin/redirect?refreshToken=t", "NSDK-SAMPLES://SignIn/redirect?refreshToken=t",
    ])
    func `the address with a query is read`(_ url: String) {
        #expect(address.answer(in: url)?.single("refreshToken") == "t")
    }

    @Test(arguments: [
        "nsdk-external://signin/redirect?refreshToken=t", "nsdk-samplesx://signin/redirect?refreshToken=t",
        "nsdk-samples://signin.evil/redirect?refreshToken=t", "nsdk-samples://login/redirect?refreshToken=t",
        "nsdk-samples://signin/Redirect?refreshToken=t", "nsdk-samples://signin/redirect/?refreshToken=t",
        "nsdk-samples://signin/redirect/x?refreshToken=t", "nsdk-samples://signin/?refreshToken=t",
        "nsdk-samples://signin?refreshToken=t", "nsdk-samples:signin/redirect?refreshToken=t",
        "nsdk-samples://user@signin/redirect?refreshToken=t", "nsdk-samples://signin:80/redirect?refreshToken=t",
        "nsdk-samples://signin/redirect#refreshToken=t", "nsdk-samples://signin/redirect?refreshToken=t#x",
        "nsdk-samples://signin/redirect", "nsdk-samples://signin/redirect?refreshToken=%G1",
        "nsdk-samples://signin/redirect?refreshToken=%FF", "nsdk-samples://signin/redirect?refreshToken=t\u{7F}",
        "nsdk-samples://signin/re%64irect?refreshToken=t", " nsdk-samples://signin/redirect?refreshToken=t", "",
    ])
    func `anything else is not`(_ url: String) {
        #expect(address.answer(in: url) == nil)
    }

    @Test func `more than is reasonable is not looked at`() {
        let many = (0...100).map { "p\($0)=x" }.joined(separator: "&")
        #expect(address.answer(in: "\(address.text)?\(many)") == nil)
        let long = String(repeating: "a", count: CallbackAddress.sizeLimit)
        #expect(address.answer(in: "\(address.text)?refreshToken=\(long)") == nil)
    }
}
