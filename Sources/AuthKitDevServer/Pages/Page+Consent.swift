import AuthKitCore
import LoopbackHTTP

extension Page {
    /// Asks who it is and whether the client may.
    static func consent(
        client: String,
        scope: Scope,
        action: String,
        hidden: [(name: String, value: String)],
        users: [String],
        suggestion: String,
        isUnknown: Bool
    ) -> ServerResponse {
        let fields = HTML(hidden.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })
        let choices = HTML(users.map { "<option value=\"\($0)\">" })
        let scopes = HTML(scope.values.map { "<li>\($0)</li>" })
        let known = users.joined(separator: ", ")
        let warning: HTML =
            isUnknown
            ? "<p class=\"warning\" role=\"alert\">There is no user of that name; there are \(known).</p>" : ""
        return render(
            "Sign in",
            """
            <h1>\(client) asks to sign you in</h1>
            <p>It wants to use:</p><ul>\(scopes)</ul>
            \(warning)
            <form method="post" action="\(action)">
            \(fields)
            <label for="user">User name</label>
            <input id="user" name="user" value="\(suggestion)" list="users" autocomplete="username" autofocus>
            <datalist id="users">\(choices)</datalist>
            <button class="main" type="submit" name="decision" value="allow">Allow</button>
            <button type="submit" name="decision" value="deny">Deny</button>
            </form>
            <p>No password is needed. Users: \(known).</p>
            """,
            status: isUnknown ? 400 : 200
        )
    }

    /// Posts parameters to the client by itself (OAuth 2.0 Form Post Response Mode §2), or by a button without script.
    static func formPost(to target: String, _ parameters: [(name: String, value: String)]) -> ServerResponse {
        let fields = HTML(parameters.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })
        guard let nonce = try? Draw.text(bytes: 16) else { return problem("Out of order", "There is no randomness.") }
        return render(
            "Signing in",
            """
            <h1>One moment</h1>
            <form method="post" action="\(target)">
            \(fields)
            <noscript><button class="main" type="submit">Continue</button></noscript>
            </form>
            <script nonce="\(nonce)">document.forms[0].submit()</script>
            """,
            scriptNonce: nonce
        )
    }
}
