#if Postgres
/// What a statement's parameter is given; all travel in PostgreSQL's binary form.
enum PostgresValue: Sendable {
    case null
    case integer(Int64)
    case bytes([UInt8])
}

/// One row of an answer, in binary form.
struct PostgresRow: Sendable {
    private let columns: [[UInt8]?]

    init(_ columns: [[UInt8]?]) {
        self.columns = columns
    }

    /// The bytes in a column; nil for NULL.
    func bytes(_ column: Int) -> [UInt8]? { columns[column] }

    /// The 64-bit integer in a column; nil for NULL or another type.
    func integer(_ column: Int) -> Int64? {
        guard let bytes = columns[column], bytes.count == 8 else { return nil }
        return Int64(bitPattern: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
}
#endif
