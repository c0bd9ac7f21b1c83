import AuthKitCore
import Testing

@Suite struct JSONValueTests {
    private func number(_ text: String) throws -> JSONNumber {
        try #require(try JSONValue(parsing: Array(text.utf8)).number)
    }

    @Test func `what is written is read back the same`() throws {
        let value: JSONValue = [
            "text": "\"\\/\u{8}\u{C}\n\r\t\u{1}\u{7F}é😀", "numbers": [0, -1, 1.5, 1e300], "empty": [:],
            "list": [[], ""],
            "flag": true, "nothing": .null,
        ]
        #expect(try JSONValue(parsing: value.serialized()) == value)
        #expect(try JSONValue(parsing: value.serialized(pretty: true)) == value)
    }

    @Test func `the compact form has no spaces and keeps the order`() {
        let value: JSONValue = ["b": [1, 2], "a": "x/y\u{1F}"]
        #expect(String(decoding: value.serialized(), as: UTF8.self) == #"{"b":[1,2],"a":"x/y\u001f"}"#)
    }

    @Test func `the pretty form is indented by two`() {
        let value: JSONValue = ["a": [1, [:]], "b": []]
        let expected = """
            {
              "a": [
                1,
                {}
              ],
              "b": []
            }
            """
        #expect(String(decoding: value.serialized(pretty: true), as: UTF8.self) == expected)
    }

    @Test func `numbers are written back as they were read`() throws {
        for text in ["1.0", "1E2", "-0", "123456789012345678901234567890", "0.10"] {
            let value = try JSONValue(parsing: Array(text.utf8))
            #expect(String(decoding: value.serialized(), as: UTF8.self) == text)
        }
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("10.0", 10), ("1e3", 1000), ("1.5e1", 15), ("100e-2", 1), ("-2.50e2", -250),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("0.0e99999999999", 0),
        ] as [(String, Int64)]
    )
    func `whole numbers are exact however they are written`(_ text: String, _ expected: Int64) throws {
        #expect(try number(text).int64 == expected)
    }

    @Test(arguments: ["0.5", "1e-1", "9223372036854775808", "1e400", "1e19", "1e99999999999999999999", "15e-1"])
    func `what is no whole number in range is none`(_ text: String) throws {
        #expect(try number(text).int64 == nil)
    }

    @Test func `durations are exact to the nanosecond`() throws {
        #expect(try number("1.000000001").seconds == .nanoseconds(1_000_000_001))
        #expect(try number("-1.5").seconds == .milliseconds(-1500))
        #expect(try number("4102444800.25").seconds == .seconds(4_102_444_800) + .milliseconds(250))
        #expect(try number("1.5e3").seconds == .seconds(1500))
        #expect(try number("1e-30").seconds == .zero)
        #expect(try number("1e400").seconds == nil)
    }

    @Test func `floating-point values are finite or absent`() throws {
        #expect(try number("1e400").double == nil)
        #expect(try number("2.5").double == 2.5)
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(-Double.infinity) == nil)
        #expect(JSONNumber(3.0)?.literal == "3")
    }

    @Test func `members are set, replaced and removed in order`() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["c"] = 3
        object["a"] = "one"
        object["b"] = nil
        #expect(object.names == ["a", "c"])
        #expect(object["a"]?.string == "one")
        #expect(object["b"] == nil)
        #expect(object == ["c": 3, "a": "one"])
        #expect(object.hashValue == (["c": 3, "a": "one"] as JSONObject).hashValue)
    }

    @Test func `accessors answer only for their own kind`() {
        let value: JSONValue = ["n": 1, "s": "1", "b": true]
        #expect(value["n"]?.string == nil)
        #expect(value["s"]?.int64 == nil)
        #expect(value["b"]?.int64 == nil)
        #expect(value["n"]?.bool == nil)
        #expect(value["missing"] == nil)
        #expect(JSONValue.array([]).object == nil)
        #expect(JSONValue.null.isNull)
    }
}
