import AuthKitCore
import Testing

@Suite struct ReferenceJSONTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `generated documents are read as the reference reads them`(_ seed: UInt64) {
        var documents = JSONDocuments(seed: seed)
        var acceptedCount = 0
        for _ in 0..<250 {
            let document = documents.document()
            if ReferenceJSON.read(document) != nil { acceptedCount += 1 }
            expectAgreement(document)
        }
        // Were all of one kind, nothing would be compared.
        #expect((100..<250).contains(acceptedCount))
    }

    @Test(arguments: 101...116 as ClosedRange<UInt64>)
    func `changed documents are read as the reference reads them`(_ seed: UInt64) {
        var documents = JSONDocuments(seed: seed)
        var refusedCount = 0
        for _ in 0..<50 {
            let document = documents.document()
            for _ in 0..<8 {
                let changed = documents.mutated(document)
                if ReferenceJSON.read(changed) == nil { refusedCount += 1 }
                expectAgreement(changed)
            }
        }
        #expect((100..<400).contains(refusedCount))
    }

    @Test(arguments: [
        "0", "-0", "-0.0", "0e5", "0.0E-5", "1E400", "-1e-400", "1.0000000000000000001", "9223372036854775807.0",
        "9223372036854775808", "-9223372036854775808", "92233720368547758070e-1", "0.1e1", "100e-2", "1e18", "1e19",
        "10000000000000000000000e-10", "1e99999999999999999999", "-1e-99999999999999999999",
        "4294967296.999999999999999999",
        "0.9999999999999999999", "123456789.123456789e3", "00", "-", "1.", ".1", "1e", "1e+", "--1", "+1", "1.e1",
        "1.2.3", "1e2e3", "0x1",
        "-01", "1 ", " 1", "1\u{0}", "１",
    ])
    func `numbers mean the same to both`(_ text: String) {
        expectAgreement(Array(text.utf8))
        expectAgreement(Array("[\(text)]".utf8))
        expectAgreement(Array("{\"exp\":\(text)}".utf8))
    }

    @Test(arguments: [
        #""\u0000""#, #""\uD834\uDD1E""#, #""\ud834\udd1e""#, #""\uD834""#, #""\uDD1E""#, #""\uD834\uD834""#,
        #""\uD834x""#,
        #""\uD834\n""#, #""\uD834\u0041""#, #""\uDD1E\uD834""#, #""\uDC00\uDC00""#, #""\uD83""#, #""\u+123""#,
        #""\u 123""#, #""\u00G0""#,
        #""\U0041""#,
        #""\a""#, #""\'""#, #""\0""#, #""\""#, #""\u""#, #""\uD800\u""#, #""\uD800\uDC0""#, "\"\u{7F}\"", "\"\u{1F}\"",
        "\"\u{2028}\"",
        "\"\u{10FFFF}\"", #""\u２０００""#, #""\uｆｆｆｆ""#, #"{"\uD800":1}"#,
    ])
    func `escapes mean the same to both`(_ text: String) {
        expectAgreement(Array(text.utf8))
    }

    @Test(arguments: [
        #"{"a":1,"\u0061":1}"#, #"{"\u0061":1,"\u0061":1}"#, #"{"a":{"b":1,"b":2}}"#, #"[{"a":1},{"a":1}]"#,
        #"{"a":{"a":{"a":1}}}"#, #"{"":1,"":2}"#, #"{"\/":1,"/":2}"#, #"{"é":1,"\u00e9":2}"#, #"{"é":1,"é":2}"#,
        #"{"😀":1,"\ud83d\ude00":2}"#, #"{"abcdefgh":1,"abcdefgh":2}"#, #"{"abcdefgh":1,"abcdefghi":2}"#,
        #"{"a":1,"a\u0000":2}"#,
        #"{"abcdefg":1,"abcdefg\u0000":2}"#, #"{"exactly8":1,"exactly\u0038":2}"#, #"{"A":1,"a":2}"#,
        #"{"longer than eight":1,"longer than eight":2}"#, #"{"longer than eight":1,"longer than \u0065ight":2}"#,
    ])
    func `names that come twice are refused by both`(_ text: String) {
        expectAgreement(Array(text.utf8))
    }

    @Test func `a name twice among many is refused by both`() {
        for count in [31, 32, 33, 34, 200] {
            let names = (0..<count).map { "\"name\($0)\":0" }
            expectAgreement(Array("{\(names.joined(separator: ","))}".utf8))
            for again in ["\"name0\":1", "\"name\(count - 1)\":1", "\"\\u006eame\(count / 2)\":1"] {
                let text = "{\((names + [again]).joined(separator: ","))}"
                #expect(ReferenceJSON.read(Array(text.utf8)) == nil)
                expectAgreement(Array(text.utf8))
            }
        }
    }

    @Test func `every byte and every pair of bytes in a string is judged alike`() {
        for byte in UInt8.min...UInt8.max {
            expectAgreement([byte])
            expectAgreement([0x22, byte, 0x22])
            expectAgreement([0x22, 0x5C, byte, 0x22])
            expectAgreement([0x5B, 0x31, byte, 0x32, 0x5D])
            for second in [0x00, 0x22, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF] as [UInt8] {
                expectAgreement([0x22, byte, second, 0x22])
                expectAgreement([0x22, byte, second, 0x80, 0x22])
                expectAgreement([0x22, byte, second, 0xBF, 0x80, 0x22])
            }
        }
    }

    @Test func `levels are counted alike`() {
        for depth in 0...20 {
            let (open, close) = (String(repeating: "[", count: depth), String(repeating: "]", count: depth))
            expectAgreement(Array("\(open)\(close)".utf8))
            expectAgreement(Array("\(open)1\(close)".utf8))
            expectAgreement(Array("\(open){}\(close)".utf8))
            expectAgreement(Array("\(open)[],{\"a\":[]}\(close)".utf8))
            let names = String(repeating: #"{"a":"#, count: depth)
            expectAgreement(Array("\(names)0\(String(repeating: "}", count: depth))".utf8))
        }
    }

    private func expectAgreement(_ document: [UInt8], _ location: SourceLocation = #_sourceLocation) {
        if let disagreement = JSONDisagreement.find(in: document) {
            Issue.record("\(disagreement): \(String(decoding: document, as: UTF8.self))", sourceLocation: location)
        }
    }
}
