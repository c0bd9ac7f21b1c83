import AuthKitCore
import Testing

@Suite struct KeyedHashTests {
    /// The long form of the reference implementation (vectors_sip128): key 00 to 0f, messages 00, 01, 02, …
    @Test(arguments: [
        (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
        (7, "a1f1ebbed8dbc153c0b84aa61ff08239"), (8, "3b62a9ba6258f5610f83e264f31497b4"),
        (9, "264499060ad9baabc47f8b02bb6d71ed"), (15, "5493e99933b0a8117e08ec0f97cfc3d9"),
        (16, "6ee2a4ca67b054bbfd3315bf85230577"), (17, "473d06e8738db89854c066c47ae47740"),
        (63, "5150d1772f50834a503e069a973fbd7c"),
    ])
    func `hashes agree with the reference`(_ count: Int, _ expected: String) {
        let key = (0..<16).map { UInt8($0) }
        let message = (0..<count).map { UInt8($0) }
        let hash = KeyedHash(key: key.span).hash(message.span)
        let bytes = [hash.low, hash.high].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        #expect(Hexadecimal.encode(bytes) == expected)
    }

    @Test func `every drawn key hashes in its own way`() throws {
        let text = Array("text".utf8)
        let (one, other) = (try KeyedHash(), try KeyedHash())
        let (first, again, second) = (one.hash(text.span), one.hash(text.span), other.hash(text.span))
        #expect(first == again)
        #expect(first != second)
    }
}
