#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// usage: AuthKitBenchmarks [jwt|refresh|store|cli]… [--filter TEXT] [--json FILE] [--rounds N]
//            [--postgres PROGRAM] [--command AUTHKIT --print-only PROGRAM] [--peer-folder FOLDER --peer NAME=PROGRAM…]
// What scripts/bench builds, prepares and runs: see there.

/// Measures what was asked for, on this machine, now.
@main
struct AuthKitBenchmarks {
    static func main() async {
        do {
            try await run(try BenchmarkOptions(CommandLine.arguments.dropFirst()))
        } catch {
            print("AuthKitBenchmarks: \(error)")
            exit(1)
        }
    }

    private static func run(_ options: BenchmarkOptions) async throws {
        var report = Report()
        if options.groups.contains(.jwt) { try await JWTCases(options).run(into: &report) }
        if options.groups.contains(.refresh) { try await RefreshCases(options).run(into: &report) }
        if options.groups.contains(.refresh) || options.groups.contains(.store) {
            let cases = try await SessionCases(options)
            defer { cases.removeFiles() }
            if options.groups.contains(.refresh) { try await cases.runRefresh(into: &report) }
            if options.groups.contains(.store) { try await cases.runStore(into: &report) }
        }
        if options.groups.contains(.store) { try await StoreCases(options: options).run(into: &report) }
        if options.groups.contains(.cli), let command = options.command, let printOnly = options.printOnly {
            try CommandCases(options: options, command: command, printOnly: printOnly).run(into: &report)
        }
        print(report.table)
        if let file = options.jsonFile { try TextFile.write(report.json + "\n", to: file) }
    }
}
