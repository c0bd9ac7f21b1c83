/// A decoding error as tests compare it: its case and its path, elements as `#0`.
enum Refusal: Equatable {
    case typeMismatch(String)
    case valueNotFound(String)
    case keyNotFound(String, String)
    case dataCorrupted(String)
    case other

    /// The refusal of a read; nil when it succeeds.
    init?(_ read: () throws -> some Any) {
        do {
            _ = try read()
            return nil
        } catch let error as DecodingError {
            self =
                switch error {
                case .typeMismatch(_, let context): .typeMismatch(Self.path(context))
                case .valueNotFound(_, let context): .valueNotFound(Self.path(context))
                case .keyNotFound(let key, let context): .keyNotFound(key.stringValue, Self.path(context))
                case .dataCorrupted(let context): .dataCorrupted(Self.path(context))
                @unknown default: .other
                }
        } catch {
            self = .other
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        context.codingPath.map { key in key.intValue.map { "#\($0)" } ?? key.stringValue }.joined(separator: ".")
    }
}
