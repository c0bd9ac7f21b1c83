internal import AuthKitCore

/// Checks one token a line and answers in order, as the lines come.
struct BatchVerification {
    private static let pieceCount = 65_536

    private let time: any TimeSource
    private var splitter = LineSplitter(limit: BatchLine.byteLimit, headLimit: BatchLine.headLimit)
    private var keys = BatchKeys()
    private var areAllValid = true

    /// Makes one; lines without a time of their own are checked as of now.
    init(time: any TimeSource) {
        self.time = time
    }

    /// Reads to the end; returns whether every token was valid.
    mutating func run(_ source: any ByteSource, _ sink: any OutputSink) async throws -> Bool {
        while true {
            let piece = try await source.piece(atMost: Self.pieceCount)
            let lines = piece.isEmpty ? splitter.finish().map { [$0] } ?? [] : splitter.take(piece)
            let answers = self.answers(to: lines)
            if !answers.isEmpty { try sink.writeData(answers) }
            if piece.isEmpty { return areAllValid }
        }
    }

    private mutating func answers(to lines: [LineSplitter.Line]) -> [UInt8] {
        var result: [UInt8] = []
        for line in lines {
            switch line {
            case .text(let text) where BatchLine.isBlank(text): continue
            case .text(let text):
                let line = BatchLine(text)
                append(outcome(of: line), line.id, to: &result)
            case .tooLong(let head):
                append(.failure(Refusal(code: "too_large")), BatchLine.id(inHead: head), to: &result)
            }
        }
        return result
    }

    private mutating func append(_ outcome: Result<[UInt8], Refusal>, _ id: [UInt8], to result: inout [UInt8]) {
        result += #"{"id":"#.utf8
        result += id
        switch outcome {
        case .success(let payload):
            result += #","valid":true,"payload":""#.utf8
            result += Base64URL.encode(payload).utf8
        case .failure(let refusal):
            areAllValid = false
            result += #","valid":false,"code":""#.utf8
            result += refusal.code.utf8
        }
        result += "\"}\n".utf8
    }

    private struct Refusal: Error {
        let code: String
    }

    private mutating func outcome(of line: BatchLine) -> Result<[UInt8], Refusal> {
        guard let question = line.question, let checker = keys.checker(for: question) else {
            return .failure(Refusal(code: "bad_request"))
        }
        do throws(JWTError) {
            return .success(try checker.payload(of: question.token, at: question.time ?? time.now.wall))
        } catch {
            return .failure(Refusal(code: error.code.description))
        }
    }
}
