/// What a statement's parameter is given.
enum SQLiteValue: Sendable {
    case null
    case integer(Int64)
    case blob([UInt8])
}
