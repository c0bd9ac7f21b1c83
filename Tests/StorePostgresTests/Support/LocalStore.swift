#if Postgres
import AuthKitCore
import StoreFile
import StoreSQLite

/// The kinds of store that one machine has for itself.
enum LocalStore: CaseIterable, Sendable {
    case memory, file, sqlite

    /// Opens one below a directory.
    func open(_ name: String, in place: String) async throws -> any TokenStore {
        switch self {
        case .memory: InMemoryStore()
        case .file: try await FileStore.open(path: "\(place)/\(name)")
        case .sqlite: try await SQLiteStore.open(path: "\(place)/\(name).db")
        }
    }
}
#endif
