import Foundation
import Testing

/// The NSDK example as a program of its own, compiled from `Examples/NSDKSession`.
@Suite struct ExampleTests {
    @Test func `the example goes through the document's steps`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("example-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(CommandLine.arguments.first))
            .deletingLastPathComponent().appendingPathComponent("NSDKSessionExample").resolvingSymlinksInPath()
        process.arguments = [folder.path + "/kept"]
        process.standardInput = FileHandle.nullDevice
        // A file, since nobody reads a pipe before the end.
        let output = folder.appendingPathComponent("output")
        try Data().write(to: output)
        process.standardOutput = try FileHandle(forWritingTo: output)
        let status = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(status == 0)
        let lines = String(decoding: try Data(contentsOf: output), as: UTF8.self)
            .split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(
            lines == [
                "1. Configure (AuthConstants)",
                "2. Begin session management and subscribe (NSSampleSessionManager.start, setupSessionAccess)",
                "3. Sign in (LoginManager.startAuth)",
                "the browser comes back to nsdk-samples://signin/redirect",
                "asked: sign in as alice@example.org? yes",
                "signed in as alice@example.org",
                "4. Three steps (AuthRequests), then setAccessToken",
                "the service made 1, 1 and 1",
                "5. Look at the token (AuthUtils, getAccessAuthInfo)",
                "user user-alice, expired or expiring soon: false",
                "6. Use it, and once more where it is refused (AuthRetryHelper)",
                "done at the second try, with another token: true",
                "7. The next run restores the session",
                "restored with 0 requests",
                "8. Log out (NSDKSession.logout)",
                "cleared; the browser signs out at signout",
            ]
        )
    }
}
