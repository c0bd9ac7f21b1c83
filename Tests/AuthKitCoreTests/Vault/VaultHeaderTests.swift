import Testing

@testable import AuthKitCore

/// What the vault's own record is bound to, and what of it is told apart.
@Suite struct VaultHeaderTests {
    private let id = [UInt8](repeating: 2, count: 16)

    private var header: VaultHeader {
        VaultHeader(
            storeID: [UInt8](repeating: 1, count: 16),
            sourceKind: "passphrase",
            parameters: ["salt": "s", "cost": "1024"],
            keys: [VaultHeader.WrappedKey(id: id, wrapped: [3])],
            current: id
        )
    }

    @Test func `a wrapped key is bound to its store, its name, and how it was wrapped`() {
        var contexts: Set<[UInt8]> = [header.wrappingContext(for: id), header.wrappingContext(for: [4])]
        var store = header
        store.storeID[0] = 9
        var kind = header
        kind.sourceKind = "environment"
        var cost = header
        cost.parameters["cost"] = "2048"
        var fewer = header
        fewer.parameters["salt"] = nil
        for changed in [store, kind, cost, fewer] { contexts.insert(changed.wrappingContext(for: id)) }
        #expect(contexts.count == 6)
    }

    @Test func `parts that are joined can be read one way only`() {
        #expect(LengthPrefixed.bytes([[1], [2, 3]]) == [0, 0, 0, 1, 1, 0, 0, 0, 2, 2, 3])
        #expect(LengthPrefixed.bytes([[], [7]]) != LengthPrefixed.bytes([[7], []]))
        #expect(LengthPrefixed.bytes([[UInt8](repeating: 5, count: 258)]).prefix(4) == [0, 0, 1, 2])
    }

    @Test func `what is written is read, and a newer format is told as such`() throws {
        let text = String(decoding: header.serialized(), as: UTF8.self)
        #expect(try VaultHeader(parsing: Array(text.utf8)) == header)
        for (format, code) in [("2", VaultError.Code.newerFormat), ("0", .tampered), ("\"1\"", .tampered)] {
            let changed = text.replacing("\"format\":1", with: "\"format\":\(format)")
            #expect(changed != text)
            #expect { try VaultHeader(parsing: Array(changed.utf8)) } throws: { ($0 as? VaultError)?.code == code }
        }
    }
}
