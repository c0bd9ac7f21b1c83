import AuthKitCore
import Testing

@Suite struct JSONNumberDecodingTests {
    private func decode<T: Decodable>(_ literal: String, _ type: T.Type) throws -> T {
        try JSONValue(parsing: Array(literal.utf8)).decode(type)
    }

    @Test func `integers of every width are exact`() throws {
        #expect(try decode("127", Int8.self) == 127)
        #expect(try decode("-128", Int8.self) == -128)
        #expect(try decode("32767", Int16.self) == .max)
        #expect(try decode("2147483647", Int32.self) == .max)
        #expect(try decode("9223372036854775807", Int64.self) == .max)
        #expect(try decode("-9223372036854775808", Int.self) == .min)
        #expect(try decode("65535", UInt16.self) == .max)
        #expect(try decode("4294967295", UInt32.self) == .max)
        #expect(try decode("18446744073709551615", UInt64.self) == .max)
        #expect(try decode("18446744073709551615", UInt.self) == .max)
    }

    @Test func `the widest integers are exact wherever they are`() throws {
        struct Wide: Decodable {
            let signed: Int128
            let unsigned: UInt128
        }
        let (signed, unsigned) = ("170141183460469231731687303715884105727", "340282366920938463463374607431768211455")
        #expect(try decode(signed, Int128.self) == .max)
        #expect(try decode(unsigned, UInt128.self) == .max)
        #expect(try decode("[\(signed)]", [Int128].self) == [.max])
        #expect(try decode("[\(unsigned)]", [UInt128].self) == [.max])
        let wide = try decode(#"{"signed":\#(signed),"unsigned":\#(unsigned)}"#, Wide.self)
        #expect(wide.signed == .max)
        #expect(wide.unsigned == .max)
        #expect(Refusal { try decode(unsigned, Int128.self) } == .dataCorrupted(""))
    }

    @Test func `integers that do not fit are refused`() throws {
        #expect(Refusal { try decode("128", Int8.self) } == .dataCorrupted(""))
        #expect(Refusal { try decode("256", UInt8.self) } == .dataCorrupted(""))
        #expect(Refusal { try decode("-1", UInt8.self) } == .dataCorrupted(""))
        #expect(Refusal { try decode("-1", UInt64.self) } == .dataCorrupted(""))
        #expect(Refusal { try decode("9223372036854775808", Int64.self) } == .dataCorrupted(""))
        #expect(Refusal { try decode("18446744073709551616", UInt64.self) } == .dataCorrupted(""))
        #expect(Refusal { try decode("1e400", Int.self) } == .dataCorrupted(""))
    }

    @Test func `whole numbers are whole however they are written, others are none`() throws {
        #expect(try decode("10.0", Int.self) == 10)
        #expect(try decode("1e1", UInt8.self) == 10)
        #expect(try decode("-0", UInt8.self) == 0)
        #expect(Refusal { try decode("10.5", Int.self) } == .dataCorrupted(""))
        #expect(Refusal { try decode("1e-1", Int.self) } == .dataCorrupted(""))
        #expect(Refusal { try decode(#""10""#, Int.self) } == .typeMismatch(""))
        #expect(Refusal { try decode("true", Int.self) } == .typeMismatch(""))
    }

    @Test func `floating-point numbers are finite`() throws {
        #expect(try decode("0.1", Double.self) == 0.1)
        #expect(try decode("1", Double.self) == 1)
        #expect(try decode("0.5", Float.self) == 0.5)
        #expect(Refusal { try decode("1e400", Double.self) } == .dataCorrupted(""))
        #expect(Refusal { try decode("1e39", Float.self) } == .dataCorrupted(""))
        #expect(Refusal { try decode(#""NaN""#, Double.self) } == .typeMismatch(""))
        #expect(Refusal { try decode("null", Double.self) } == .valueNotFound(""))
        #expect(Refusal { try decode("null", Float.self) } == .valueNotFound(""))
    }
}
