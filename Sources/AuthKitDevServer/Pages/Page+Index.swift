import AuthKitCore
import LoopbackHTTP

extension Page {
    /// Shows what an issuer offers and what it has done.
    static func index(
        issuer: String,
        endpoints: [(methods: String, url: String)],
        clients: [(id: String, kind: String)],
        users: [String],
        faults: [String],
        activity: [(name: String, count: Int)]
    ) -> ServerResponse {
        let addresses = HTML(
            endpoints.map { "<tr><td>\($0.methods)</td><td><a href=\"\($0.url)\">\($0.url)</a></td></tr>" }
        )
        let clientRows = HTML(clients.map { "<li>\($0.id), \($0.kind)</li>" })
        let userRows = HTML(users.map { "<li>\($0)</li>" })
        let counts = HTML(activity.map { "<tr><td>\($0.name)</td><td>\($0.count)</td></tr>" })
        let pending: HTML =
            faults.isEmpty ? "<p>None.</p>" : "<ul>\(HTML(faults.map { "<li>\($0)</li>" }))</ul>"
        let points = HTML(
            Fault.Point.allCases.map {
                "<li><b>\($0.rawValue)</b>: \(FaultKind.known(at: $0).joined(separator: ", "))</li>"
            }
        )
        return render(
            "Development issuer",
            """
            <h1>Development issuer</h1><p>\(issuer)</p>
            <h2>Clients</h2><ul>\(clientRows)</ul>
            <h2>Users</h2><ul>\(userRows)</ul>
            <h2>So far</h2><table>\(counts)</table>
            <h2>Faults to come</h2>\(pending)
            <h2>Addresses</h2><table>\(addresses)</table>
            <h2>Faults there are</h2><ul>\(points)</ul>
            <p>Add them by posting a JSON list such as ["token:503", "refresh:hang-after-commit*2"]; DELETE clears them.</p>
            """
        )
    }
}
