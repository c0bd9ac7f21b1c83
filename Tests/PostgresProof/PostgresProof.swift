#if Postgres
import Foundation

/// Proves what a shared store promises: workers that die or stall, a server that restarts, and no login lost.
///
/// `run` does all of it and ends with 1 when a promise is broken; `rate` measures, `measure` too but prints numbers; `worker` is one of their workers.
@main
struct PostgresProof {
    static func main() async {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            let options = try ProofOptions(arguments.dropFirst())
            switch arguments.first {
            case "run": exit(try await ProofRun(options).run() ? 0 : 1)
            case "rate": try await RateRun(options).run()
            case "measure": try await RateRun(options, isPlain: true).run()
            case "worker": try await ProofWorker(options).run()
            default: throw ProofError("usage: PostgresProof run|rate [--credentials N] [--rate N] [--delay MS]")
            }
        } catch {
            FileHandle.standardError.write(Data("PostgresProof: \(error)\n".utf8))
            exit(error is ProofError ? 64 : 70)
        }
    }
}

/// Writes a line to standard output at once, so that it is seen while the proof goes on.
func emit(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
#else
/// Without the package trait there is nothing to prove.
@main
struct PostgresProof {
    static func main() {
        print("PostgresProof: build with '--traits Postgres'.")
    }
}
#endif
