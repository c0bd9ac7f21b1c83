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
                "1. Register a callback scheme",
                "nsdk-samples://signin/redirect",
                "2. Start login (onLoginTapped)",
                "3. Handle the login callback (startAuth)",
                "the page is asked for redirectType=nsdk-samples",
                "the browser comes back to nsdk-samples://signin/redirect",
                "4. Establish the sample session (handleCallback)",
                "an address that somebody made up is refused",
                "asked: sign in as mallory@example.org? no",
                "told: The sign-in as mallory@example.org was declined, and nothing was sent; sign in again.",
                "asked: sign in as alice@example.org? yes",
                "signed in as alice@example.org",
                "5. Exchange session tokens for NSDK access tokens (viewDidLoad)",
                "the service made 1, 1 and 1",
                "setAccessToken was called: true",
                "6. Use tokens in your app",
                "NSDKSession(accessToken:): a session of user-alice",
                "setAccessToken: another token: true, set: true",
                "isAccessExpiredOrExpiringSoon: now false, 60 and 59 s before the end [false, true]",
                "logout: cleared true, expired or expiring soon true",
                "whoever is subscribed has a token still: true",
                "7. Use it, and once more where it is refused (AuthRetryHelper)",
                "done at the second try, with another token: true",
                "8. The next run restores the session",
                "restored with 0 requests",
                "9. Log out (AuthManager)",
                "cleared; the browser signs out at signout",
            ]
        )
    }
}
