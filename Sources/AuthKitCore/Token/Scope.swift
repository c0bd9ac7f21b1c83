/// An ordered set of scope tokens (RFC 6749 §3.3).
public struct Scope: Sendable, Hashable {
    /// The tokens in the order given, each once.
    public let values: [String]

    /// Keeps the first of each token, in order; empty ones are dropped.
    public init(_ values: some Sequence<String>) {
        var (kept, seen): ([String], Set<String>) = ([], [])
        for value in values where !value.isEmpty {
            // A look through a few costs less than a set.
            if kept.count < Self.few {
                if kept.contains(value) { continue }
            } else {
                if seen.isEmpty { seen = Set(kept) }
                guard seen.insert(value).inserted else { continue }
            }
            kept.append(value)
        }
        self.values = kept
    }

    /// Up to how many tokens are looked through one by one.
    private static var few: Int { 8 }

    /// Reads the space-delimited form.
    public init(_ text: String) {
        self.init(text.isEmpty ? [] : text.split(separator: " ").map(String.init))
    }

    /// Whether it names nothing.
    public var isEmpty: Bool { values.isEmpty }

    /// Whether a token is among them.
    public func contains(_ value: String) -> Bool { values.contains(value) }

    /// Whether every token of another scope is among these.
    public func covers(_ other: Scope) -> Bool { Set(values).isSuperset(of: other.values) }

    /// Compares as sets: the order that a server writes means nothing.
    public static func == (left: Scope, right: Scope) -> Bool {
        left.values == right.values || Set(left.values) == Set(right.values)
    }

    /// Hashes as a set: in whatever order the same tokens are, their hashes come to the same.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values.reduce(values.count) { $0 ^ $1.hashValue })
    }
}

extension Scope: CustomStringConvertible {
    /// The space-delimited form.
    public var description: String { values.joined(separator: " ") }
}
