internal import AuthKitCore

/// Stands for a browser where nobody is shown anything.
struct AbsentAgent: UserAgent {
    func prepare(_ redirects: [String]) async throws -> any RedirectReceiver {
        throw CommandFailure(.software, "internal", "A page was to be shown where nobody signs in; report this.")
    }
}
