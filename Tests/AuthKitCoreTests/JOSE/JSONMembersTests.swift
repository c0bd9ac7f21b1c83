import AuthKitCore
import Testing

@Suite struct JSONMembersTests {
    private func members(_ text: String) throws -> JSONMembers { try JSONMembers(parsing: Array(text.utf8)) }

    private func code(_ text: String, limits: JSONLimits = JSONLimits()) -> JSONError.Code? {
        do {
            _ = try JSONMembers(parsing: Array(text.utf8), limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    /// An object of so many members, with names of any length.
    private func object(_ count: Int, last: String = "last", name: (Int) -> String = { "\($0)" }) -> String {
        "{" + (0..<count).map { "\"\(name($0))\":\($0)," }.joined() + "\"\(last)\":true}"
    }

    @Test func `every kind of value is found by its name`() throws {
        let text = #" { "a" : 1 , "longer than eight":"x\n","":null,"o":{"a":{"b":[2,{}]}},"l":[ ],"e":"é","t":true } "#
        let members = try members(text)
        let whole = try #require(JSONValue(parsing: Array(text.utf8)).object)
        #expect(members.count == 7)
        #expect(members.object == whole)
        for name in whole.names { #expect(members[name] == whole[name]) }
        for name in ["b", "A", "longer than eight ", "longer than eigh", "a\0", "longer t"] {
            #expect(members[name] == nil)
            #expect(!members.has(name))
        }
        #expect(members.has(""))
    }

    @Test func `names are compared without their escapes`() throws {
        let members = try members(#"{"\u0069ss":1,"\u006conger than eight":2,"a\u0000":3,"\uD83D\uDE00":4}"#)
        #expect(members["iss"]?.int64 == 1)
        #expect(members["longer than eight"]?.int64 == 2)
        #expect(members["a\0"]?.int64 == 3)
        #expect(members["a"] == nil)
        #expect(members["😀"]?.int64 == 4)
    }

    @Test(arguments: [
        #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"longer than eight":1,"b":2,"longer than eight":3}"#,
        #"{"longer than eight":1,"\u006conger than eight":3}"#, #"{"o":{"a":1,"b":{"a":1,"a":2}}}"#,
        #"{"l":[[{"a":1},{"a":1,"a":1}]]}"#, #"{"":1,"":2}"#, #"{"😀":1,"\uD83D\uDE00":2}"#,
    ])
    func `a name twice is refused at every depth`(_ text: String) {
        #expect(code(text) == .duplicateMember)
    }

    @Test func `a name twice is found among few, some and many`() {
        for count in [1, 2, 31, 32, 33, 34, 63, 64, 65, 1000] {
            #expect(code(object(count)) == nil)
            for last in ["0", "\(count - 1)", "\\u0030"] {
                #expect(code(object(count, last: last)) == .duplicateMember, "\(count) \(last)")
            }
            let long = { (number: Int) in "the same beginning \(number)" }
            #expect(code(object(count, name: long)) == nil)
            #expect(code(object(count, last: long(count - 1), name: long)) == .duplicateMember)
            #expect(code("{\"nested\":[\(object(count, last: "0"))]}") == .duplicateMember)
        }
    }

    @Test func `every member of an object of any size is found, in order`() throws {
        for count in 0...70 {
            let whole = try members(object(count))
            #expect(whole.count == count + 1)
            #expect(whole.object.names == (0..<count).map(String.init) + ["last"])
            for number in 0..<count { #expect(whole["\(number)"]?.int64 == Int64(number)) }
            #expect(try members("{\"o\":\(object(count))}")["o"]?.object == whole.object)
        }
    }

    @Test func `spaces may stand between all tokens, and nothing else`() throws {
        let tokens = ["{", "\"a\"", ":", "12", ",", "\"b\"", ":", "\"x\"", ",", "\"c\"", ":", "{", "}", "}"]
        let expected = try members(tokens.joined()).object
        for gap in 0...tokens.count {
            let (before, after) = (tokens[..<gap].joined(), tokens[gap...].joined())
            for space in [" ", "\t", "\n", "\r", " \r\n\t "] {
                #expect(try members(before + space + after).object == expected)
            }
            for other in ["\u{B}", "\0", "\u{A0}", "/", " \u{1F}"] {
                #expect(throws: JSONError.self) { try members(before + other + after) }
            }
        }
    }

    @Test func `the same name in different objects is none twice`() throws {
        let members = try members(#"{"a":{"a":{"a":[{"a":1},{"a":2}]}},"b":{"a":1,"b":2},"c":{"b":1}}"#)
        #expect(members["b"] == ["a": 1, "b": 2])
        #expect(members.count == 3)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a hostile object of many members takes no quadratic time`() {
        let names = { (number: Int) in String(number, radix: 36) }
        #expect(code(object(60_000, name: names)) == nil)
        #expect(code("{\"n\":[\(object(60_000, last: "0", name: names))]}") == .duplicateMember)
    }

    @Test func `only an object is accepted, within the bounds`() {
        for text in ["[]", "1", "\"a\"", "null", "[{}]"] { #expect(code(text) == .malformed) }
        #expect(code("{} {}") == .trailingBytes)
        #expect(code(#"{"a":"\#("\u{1}")"}"#) == .malformed)
        #expect(code(String(repeating: #"{"a":"#, count: 16) + "1" + String(repeating: "}", count: 16)) == nil)
        #expect(code(String(repeating: #"{"a":"#, count: 17) + "1" + String(repeating: "}", count: 17)) == .tooDeep)
        #expect(code("{}", limits: JSONLimits(byteCount: 1)) == .tooLarge)
    }

    @Test func `strings are checked wherever in sixteen bytes something stands`() {
        for lead in 0...36 {
            let start = "{\"" + String(repeating: "n", count: lead) + "\":\"" + String(repeating: "v", count: lead)
            #expect(code(start + "\"}") == nil)
            #expect(code(start + "é\\n\"}") == nil)
            #expect(code(start + "\u{1F}\"}") == .malformed)
            #expect(code(start + "\\x\"}") == .malformed)
            #expect(code(start + "\\uD800\"}") == .loneSurrogate)
            #expect(code(start) == .malformed)
            for wrong in [[0xFF], [0xC3], [0xE2, 0x82], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]] {
                #expect(throws: JSONError.self) {
                    try JSONMembers(parsing: Array(start.utf8) + wrong + Array("\"}".utf8))
                }
            }
        }
    }

    @Test func `names and strings of any length are found, whatever follows them`() throws {
        for count in 0...36 {
            let text = String(repeating: "x", count: count)
            for tail in ["}", " }", ",\"b\":1}", ",\"b\":\"0123456789abcdef\"}"] {
                let members = try JSONMembers(parsing: Array("{\"\(text)\":\"\(text)\"\(tail)".utf8))
                #expect(members[text]?.string == text)
                #expect(members[text + "x"] == nil)
                #expect(code("{\"\(text)\":1,\"\(text)\":\"\(text)\"\(tail)") == .duplicateMember)
            }
        }
    }

    @Test func `numbers are checked wherever in sixteen bytes they end`() {
        for count in 1...36 {
            let digits = String(repeating: "7", count: count)
            for good in [digits, "-" + digits, digits + ".5", "0." + digits, digits + "e" + digits, "1E-" + digits] {
                #expect(code("{\"a\":\(good)}") == nil)
                #expect(code("{\"a\":\(good),\"b\":[\(good) ]}") == nil)
            }
            for wrong in [digits + ".", "0" + digits, digits + "/", digits + ":", digits + "e", "-", "+" + digits] {
                #expect(code("{\"a\":\(wrong)}") == .malformed)
                #expect(code("{\"a\":\(wrong)        }") == .malformed)
            }
        }
    }
}
