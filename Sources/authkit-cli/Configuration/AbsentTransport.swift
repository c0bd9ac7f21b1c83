internal import AuthKitCore

/// Stands for a network where a provider is made only to be checked.
struct AbsentTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        throw CommandFailure(.software, "internal", "A check asked the network; report this.")
    }
}
