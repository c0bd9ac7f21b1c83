/// Where input comes from: standard input, or a test's own text.
protocol LineInput: Sendable {
    /// Reads one line of at most so many bytes, without its line end; what there is when the input ends before.
    func line(limit: Int) async throws -> String

    /// Reads everything, of at most so many bytes.
    func everything(limit: Int) async throws -> [UInt8]

    /// The same input piece by piece, for what is answered while it comes.
    var pieces: any ByteSource { get }
}

extension LineInput {
    /// All of it as one piece.
    var pieces: any ByteSource { WholeInput(self) }
}
