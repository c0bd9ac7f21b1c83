/// The last few different headers of tokens that one verifier believed.
///
/// Tokens of one key have one header, to the byte. Only what a valid signature covers comes in, so that strangers
/// cannot fill it; long headers stay out.
final class KnownHeaders: Sendable {
    private struct Table {
        var headers: [KnownHeader] = []
        var next = 0
    }

    private static let limit = 8
    /// Longer headers are not kept.
    static let byteLimit = 1024

    private let table = Guarded(Table())

    /// Finds the header that a token begins with.
    func find(_ token: Span<UInt8>) -> KnownHeader? {
        table.withLock { table in
            for header in table.headers where header.begins(token) { return header }
            return nil
        }
    }

    /// Keeps a header; the oldest one goes.
    func remember(_ header: KnownHeader) {
        guard header.encoded.count <= Self.byteLimit else { return }
        table.withLock { table in
            guard !table.headers.contains(where: { $0.encoded == header.encoded }) else { return }
            if table.headers.count < Self.limit {
                table.headers.append(header)
            } else {
                table.headers[table.next] = header
                table.next = (table.next + 1) % Self.limit
            }
        }
    }
}
