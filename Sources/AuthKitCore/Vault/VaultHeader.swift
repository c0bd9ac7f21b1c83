/// The vault's own record: which store this is, and its data keys, wrapped.
struct VaultHeader: Sendable, Hashable {
    /// One wrapped data key.
    struct WrappedKey: Sendable, Hashable {
        /// Names the data key: 16 bytes.
        var id: [UInt8]
        /// Nonce and sealed key bytes.
        var wrapped: [UInt8]
    }

    /// Names the store: 16 random bytes.
    var storeID: [UInt8]
    /// The kind of key source that wraps.
    var sourceKind: String
    /// Its parameters.
    var parameters: [String: String]
    /// The data keys; more than one while a re-seal is under way.
    var keys: [WrappedKey]
    /// Which one seals.
    var current: [UInt8]

    /// What is bound to a wrapped key, so that no part of the header can be exchanged.
    ///
    /// Where there are several keys their names are bound as well, and which of them seals.
    func wrappingContext(for keyID: [UInt8]) -> [UInt8] {
        let pairs = parameters.sorted { $0.key < $1.key }.flatMap { [Array($0.key.utf8), Array($0.value.utf8)] }
        let others = keys.count > 1 ? [Array("keys".utf8)] + keys.map(\.id) + [current] : []
        let head = [Array("authkit/wrap/1".utf8), storeID, keyID, Array(sourceKind.utf8)]
        return LengthPrefixed.bytes(head + pairs + others)
    }

    /// The record that holds the header, at a revision.
    func record(revision: Int64) throws -> SealedRecord {
        guard let incarnation = Incarnation(bytes: storeID) else { throw Self.damaged }
        return SealedRecord(
            key: .header,
            version: RecordVersion(incarnation: incarnation, revision: revision),
            keyID: current,
            issuerHash: Self.noIssuer,
            due: nil,
            metadata: serialized(),
            payload: []
        )
    }
}

extension VaultHeader {
    private static let format: Int64 = 1
    private static let noIssuer = [UInt8](repeating: 0, count: 32)

    /// Reads the record that holds a header, whose columns say nothing but what the header says.
    init(_ record: SealedRecord) throws {
        try self.init(parsing: record.metadata)
        guard record.version.incarnation.bytes == storeID, record.keyID == current, record.issuerHash == Self.noIssuer,
            record.due == nil, record.payload.isEmpty
        else { throw Self.damaged }
    }

    /// Reads a header; throws `tampered` or `newerFormat`.
    init(parsing bytes: [UInt8]) throws {
        guard let object = (try? JSONValue(parsing: bytes))?.object else { throw Self.damaged }
        if let format = object["format"]?.int64, format > Self.format {
            throw VaultError(.newerFormat, "The store was written by a newer version of AuthKit; update this one.")
        }
        guard object["format"]?.int64 == Self.format, let storeID = object["store"]?.base64, storeID.count == 16,
            let source = object["source"]?.object, let kind = source["kind"]?.string,
            let current = object["current"]?.base64, let list = object["keys"]?.array, (1...8).contains(list.count)
        else { throw Self.damaged }
        self.storeID = storeID
        sourceKind = kind
        self.current = current
        parameters = [:]
        for member in source["parameters"]?.object?.members ?? [] {
            guard let text = member.value.string else { throw Self.damaged }
            parameters[member.name] = text
        }
        keys = try list.map { item in
            guard let id = item.object?["id"]?.base64, id.count == 16, let wrapped = item.object?["wrapped"]?.base64
            else { throw Self.damaged }
            return WrappedKey(id: id, wrapped: wrapped)
        }
        // One way to write a header only: a byte more, less or other is none of ours.
        guard Set(keys.map(\.id)).count == keys.count, serialized() == bytes else { throw Self.damaged }
    }

    /// The stored form.
    func serialized() -> [UInt8] {
        var named = JSONObject()
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { named[name] = .string(value) }
        let list = keys.map { key in
            JSONValue.object(["id": .base64(key.id), "wrapped": .base64(key.wrapped)])
        }
        let object: JSONObject = [
            "format": .integer(Self.format),
            "store": .base64(storeID),
            "source": .object(["kind": .string(sourceKind), "parameters": .object(named)]),
            "keys": .array(list),
            "current": .base64(current),
        ]
        return JSONValue.object(object).serialized()
    }

    private static var damaged: VaultError {
        VaultError(.tampered, "The store's header was damaged or changed; restore the store from a copy.")
    }
}
