import AuthKitCore
import Testing

@Suite struct JSONReaderTests {
    private func read(_ text: String, limits: JSONLimits = JSONLimits()) throws -> JSONValue {
        try JSONValue(parsing: Array(text.utf8), limits: limits)
    }

    private func code(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONError.Code? {
        do {
            _ = try JSONValue(parsing: bytes, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `every kind of value is read`() throws {
        let value = try read(#" {"a":[null,true,false,-1.5e3,"x"],"b":{},"c":[]} "#)
        #expect(
            value == ["a": [.null, true, false, .number(try #require(read("-1.5e3").number)), "x"], "b": [:], "c": []]
        )
        #expect(value["a"]?.array?[3].double == -1500)
        #expect(value.object?.names == ["a", "b", "c"])
    }

    @Test(arguments: [
        "", " ", "{", "[", "}", "]", "[1,]", "[,1]", "[1 2]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{'a':1}", "{\"a\":}",
        "{1:2}", "nul", "nulL", "True", "NaN", "Infinity", "-Infinity", "-", "1.", ".5", "+1", "1e", "1e+",
        "\"", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"a\u{1}\"", "\"a\nb\"", "\"\t\"",
        "// x\n1",
        "/*x*/1", "\u{FEFF}1", "[1}", "{\"a\":1]", "\u{A0}1", "\u{0C}1", "\"\\", "\"\\\"", "[\"a\", tru]",
    ])
    func `what RFC 8259 does not have is refused`(_ text: String) {
        #expect(code(Array(text.utf8)) == .malformed)
    }

    @Test(arguments: ["1 2", "{} {}", "null,", "\"a\"b", "1\0", "[]]", "0 0", "00", "01", "-01", "0x10", "1_0"])
    func `anything behind the value is refused`(_ text: String) {
        #expect(code(Array(text.utf8)) == .trailingBytes)
    }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"x":{"a":1,"b":2,"a":3}}"#, #"[{"":1,"":2}]"#,
    ])
    func `a name twice in one object is refused`(_ text: String) {
        #expect(code(Array(text.utf8)) == .duplicateMember)
    }

    @Test func `names that are only canonically equivalent are different`() throws {
        let value = try read("{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(value["\u{E9}"]?.int64 == 1)
        #expect(value["e\u{301}"]?.int64 == 2)
        #expect(JSONValue.string("\u{212A}") != JSONValue.string("K"))
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0xE2, 0x82, 0x22],
        ] as [[UInt8]]
    )
    func `a string that is not UTF-8 is refused`(_ bytes: [UInt8]) {
        #expect(code(bytes) == .invalidUTF8)
    }

    @Test(arguments: [
        #""\uD800""#, #""\uDC00""#, #""\uD800\u0041""#, #""\uD800x""#, #""\uDBFF\uDBFF""#, #""\uDC00\uD800""#,
        #""\uD800\n""#,
    ])
    func `half of a surrogate pair is refused`(_ text: String) {
        #expect(code(Array(text.utf8)) == .loneSurrogate)
    }

    @Test func `escapes are read`() throws {
        let value = try read(#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00\u0000é😀""#)
        #expect(value.string == "\"\\/\u{8}\u{C}\n\r\t\u{E9}\u{1F600}\0é😀")
    }

    @Test func `depth is bounded and the bound can be moved`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(code(nested(16)) == nil)
        #expect(code(nested(17)) == .tooDeep)
        #expect(code(nested(3), limits: JSONLimits(depth: 2)) == .tooDeep)
        #expect(code(nested(600), limits: JSONLimits(depth: .max)) == .tooDeep)
        #expect(code(Array(repeating: UInt8(ascii: "["), count: 1 << 20)) == .tooDeep)
        #expect(code(Array("[[],[],[{}]]".utf8), limits: JSONLimits(depth: 3)) == nil)
    }

    @Test func `size is bounded`() {
        #expect(code(Array("[1,2]".utf8), limits: JSONLimits(byteCount: 5)) == nil)
        #expect(code(Array("[1,2]".utf8), limits: JSONLimits(byteCount: 4)) == .tooLarge)
    }

    @Test func `every prefix of a document is refused, none crashes`() {
        let document = Array(#"{"a":[1.5e-3,"\u00e9é\uD83D\uDE00",true],"b":null}"#.utf8)
        for count in 0..<document.count {
            #expect(code(Array(document.prefix(count))) != nil)
        }
    }
}
