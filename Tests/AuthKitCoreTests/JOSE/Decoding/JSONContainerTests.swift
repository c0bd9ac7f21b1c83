import AuthKitCore
import Testing

@Suite struct JSONContainerTests {
    private enum Key: String, CodingKey { case a, b, c }

    /// Runs a test's own reading with a decoder over a value.
    private struct Probe: Decodable {
        @TaskLocal static var read: @Sendable (any Decoder) throws -> Void = { _ in }
        init(from decoder: any Decoder) throws { try Self.read(decoder) }
    }

    private func probe(_ value: JSONValue, _ read: @escaping @Sendable (any Decoder) throws -> Void) throws {
        try Probe.$read.withValue(read) { _ = try value.decode(Probe.self) }
    }

    @Test func `an object tells what it has`() throws {
        try probe(["a": 1, "b": .null, "other": 2]) { decoder in
            let container = try decoder.container(keyedBy: Key.self)
            #expect(container.allKeys == [.a, .b])
            #expect(container.contains(.a))
            #expect(container.contains(.b))
            #expect(!container.contains(.c))
            #expect(try !container.decodeNil(forKey: .a))
            #expect(try container.decodeNil(forKey: .b))
            #expect(Refusal { try container.decodeNil(forKey: .c) } == .keyNotFound("c", ""))
            #expect(try container.decodeIfPresent(Int.self, forKey: .a) == 1)
            #expect(try container.decodeIfPresent(Int.self, forKey: .b) == nil)
            #expect(try container.decodeIfPresent(Int.self, forKey: .c) == nil)
            #expect(decoder.userInfo.isEmpty)
        }
    }

    @Test func `containers nest, with their paths`() throws {
        try probe(["a": ["b": [1, ["c": true], [2]]]]) { decoder in
            let outer = try decoder.container(keyedBy: Key.self)
            let inner = try outer.nestedContainer(keyedBy: Key.self, forKey: .a)
            var list = try inner.nestedUnkeyedContainer(forKey: .b)
            #expect(list.count == 3)
            #expect(Refusal { try list.nestedContainer(keyedBy: Key.self) } == .typeMismatch("a.b.#0"))
            #expect(list.currentIndex == 0)
            #expect(try list.decode(Int.self) == 1)
            let element = try list.nestedContainer(keyedBy: Key.self)
            #expect(try element.decode(Bool.self, forKey: .c))
            #expect(Refusal { try element.decode(Int.self, forKey: .c) } == .typeMismatch("a.b.#1.c"))
            var last = try list.nestedUnkeyedContainer()
            #expect(try last.decode(Int.self) == 2)
            #expect(list.isAtEnd)
            #expect(Refusal { try outer.nestedUnkeyedContainer(forKey: .a) } == .typeMismatch("a"))
            #expect(Refusal { try outer.nestedContainer(keyedBy: Key.self, forKey: .b) } == .keyNotFound("b", ""))
        }
    }

    @Test func `a list is read in order and not beyond its end`() throws {
        try probe([1, .null, "x"]) { decoder in
            var list = try decoder.unkeyedContainer()
            #expect(try !list.decodeNil())
            #expect(list.currentIndex == 0)
            #expect(Refusal { try list.decode(String.self) } == .typeMismatch("#0"))
            #expect(list.currentIndex == 0)
            #expect(try list.decode(Int.self) == 1)
            #expect(try list.decodeNil())
            #expect(list.currentIndex == 2)
            #expect(try list.decode(String.self) == "x")
            #expect(Refusal { try list.decode(Int.self) } == .valueNotFound("#3"))
            #expect(Refusal { try list.decodeNil() } == .valueNotFound("#3"))
            #expect(Refusal { try list.superDecoder() } == .valueNotFound("#3"))
            #expect(try list.decodeIfPresent(Int.self) == nil)
        }
    }

    @Test func `the widest integers are read from a list element by element`() throws {
        try probe([1, 2, 3]) { decoder in
            var list = try decoder.unkeyedContainer()
            #expect(try list.decode(Int128.self) == 1)
            #expect(try list.decode(UInt128.self) == 2)
            #expect(list.currentIndex == 2)
        }
    }

    @Test func `superclasses are read from where they are written`() throws {
        try probe(["super": ["a": 1], "b": 2, "c": [[3]]]) { decoder in
            let container = try decoder.container(keyedBy: Key.self)
            let parent = try container.superDecoder()
            #expect(try parent.container(keyedBy: Key.self).decode(Int.self, forKey: .a) == 1)
            #expect(try container.superDecoder(forKey: .b).singleValueContainer().decode(Int.self) == 2)
            #expect(try container.superDecoder(forKey: .a).singleValueContainer().decodeNil())
            var list = try container.nestedUnkeyedContainer(forKey: .c)
            var first = try list.superDecoder().unkeyedContainer()
            #expect(try first.decode(Int.self) == 3)
            #expect(list.isAtEnd)
        }
        try probe([:]) { decoder in
            let parent = try decoder.container(keyedBy: Key.self).superDecoder()
            #expect(try parent.singleValueContainer().decodeNil())
            #expect(Refusal { try parent.container(keyedBy: Key.self) } == .valueNotFound("super"))
        }
    }

    @Test func `a single value is read as what it is`() throws {
        try probe("x") { decoder in
            let container = try decoder.singleValueContainer()
            #expect(!container.decodeNil())
            #expect(try container.decode(String.self) == "x")
            #expect(try container.decode(Optional<String>.self) == "x")
            #expect(Refusal { try container.decode([String].self) } == .typeMismatch(""))
            #expect(Refusal { try decoder.container(keyedBy: Key.self) } == .typeMismatch(""))
        }
        #expect(try JSONValue.null.decode(Int?.self) == nil)
        #expect(Refusal { try JSONValue.null.decode(String.self) } == .valueNotFound(""))
    }
}
