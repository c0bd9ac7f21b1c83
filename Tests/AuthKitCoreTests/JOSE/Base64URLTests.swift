import AuthKitCore
import Testing

@Suite struct Base64URLTests {
    @Test(arguments: [
        // RFC 4648 §10 without padding, RFC 7515 Appendix C.
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `texts of the standard go both ways`(_ plain: String, _ encoded: String) throws {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(try Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test func `every byte and length goes both ways`() throws {
        #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
        for count in 0..<260 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
            #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }

    @Test(arguments: [
        "Zg==", "Zg=", "Z", "Zm9vY", "Zm9v\n", " Zm9v", "Zm 9", "Zm+v", "Zm/v", "Zm9v.", "Zmé", "Zm9v\0AA", "=", "Zm=v",
    ])
    func `padding, other characters and impossible lengths are refused`(_ text: String) {
        #expect(throws: Base64URLError.self) { try Base64URL.decode(text) }
    }

    @Test func `a byte outside the alphabet is refused wherever it stands`() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for position in 0..<44 {
            for byte in UInt8.min...UInt8.max {
                var text = [UInt8](repeating: UInt8(ascii: "A"), count: 44)
                text[position] = byte
                #expect(((try? Base64URL.decode(bytes: text[...])) != nil) == alphabet.contains(byte))
            }
        }
    }

    @Test(arguments: ["Zh", "Zv", "Zm9", "Zm-", "AB", "AAB"])
    func `set bits beyond the last byte are refused`(_ text: String) {
        #expect(throws: Base64URLError.self) { try Base64URL.decode(text) }
    }
}
