internal import AuthKitCore
internal import AuthKitDevServer

/// `dev-server`: an issuer and an identity service on loopback, for development and tests only.
enum DevServerCommand {
    static let shape = CommandShape(
        "dev-server",
        summary: "run an OpenID Connect issuer and an NSDK identity service on loopback, for development",
        details: [
            "Prints one line of JSON when it is ready and runs until it is interrupted. Nobody has a password: use it for "
                + "nothing real. --fault adds a misbehaviour, such as refresh:503*2; a wrong one is answered with the list.",
            "There are the clients `dev`, which is public, and `dev-conf`, whose secret is `dev-secret` (write it into a "
                + "file, 0600, for --client-secret-file), and the users alice and bob; the first signs in at once, unless "
                + "consent is `page`. Redirect URIs are any on loopback, and dev.authkit.example:/callback.",
            "--script FILE is a JSON object; every key may be left out: consent (auto or page), access_token (jwt or "
                + "opaque), alg (RS256 or ES256), key_for_each_alg, code_lifetime, access_token_lifetime, "
                + "id_token_lifetime, refresh_token_lifetime and grace (in seconds), rotate, requires_offline_access, "
                + "publish_retired_keys (true or false), path, faults (a list as for --fault), users (a list of objects "
                + "with name, sub, full_name, email) and clients (with id, secret, redirect_uris, "
                + "post_logout_redirect_uris, scopes, alg).",
            "The NSDK's identity endpoint is there too, for profiles of --provider niantic: the line of JSON names "
                + "identity_url, sign_in_url and backend_url. The service account's key is `dev-api-key`, the back end's "
                + "bearer token `dev-backend-token`. Under the key niantic a script has an object: schemes, loopback_types, "
                + "session_token_lifetime, session_access_token_lifetime, refresh_token_lifetime, access_token_lifetime, "
                + "rotate_session, rotate_refresh, sign_out_ends_session, refusal_status, clock_ahead (in seconds), "
                + "omitted_claims, service_accounts (name, key), backend_token.",
            "What the identity service's reference leaves open is a fault each, such as niantic-rotate:no-cookie, "
                + "niantic-access:no-exp (the token's own end), niantic-access:no-expires-in (the answer's), no-end (both), "
                + "niantic-access:opaque, niantic-signin:user-id=CLAIM, niantic-rotate:error-object, "
                + "niantic-signin:bare-failure, or niantic-access:skew=SECONDS for a clock that is off. clock_ahead is the "
                + "same for all answers, refusal_status is that of what has ended, omitted_claims are not in NSDK tokens.",
        ],
        flags: [
            Flag("port", .text("N"), help: "the port; 0, unless given, takes a free one"),
            Flag("script", .file("FILE"), help: "a JSON file with clients, users, lifetimes and faults"),
            Flag("fault", .text("POINT:KIND"), repeatable: true, help: "a misbehaviour, such as token:hang=5"),
        ],
        examples: [
            "authkit dev-server --port 8765",
            "authkit profile add dev --issuer http://127.0.0.1:8765 --client-id dev",
            "authkit dev-server --fault 'refresh:503*2'",
            "echo '{\"access_token_lifetime\": 60, \"faults\": [\"token:503\"]}' > dev.json; "
                + "authkit dev-server --script dev.json",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        guard let port = UInt16(arguments.value("port") ?? "0") else {
            throw UsageError("--port is a number up to 65535.", command: shape)
        }
        var options = DevIssuerOptions(time: invocation.time)
        if let typed = arguments.value("script") {
            let path = invocation.places.absolute(typed)
            guard let bytes = try await PlainFile.contents(of: path, limit: 1 << 20) else {
                throw CommandFailure.inputOutput("There is no file \(path); name a script that is there.")
            }
            do {
                options = try DevServerScript(parsing: bytes, time: invocation.time).options
            } catch {
                throw CommandFailure(.badData, error.code.description, "\(path): \(error)")
            }
        }
        for text in arguments.all("fault") { options.faults.append(try Fault(parsing: text)) }
        let limit = try arguments.timeLimit()
        let server = try await DevServer.start(options: options, port: port)
        do {
            var line = server.readyLine
            line["port"] = .integer(server.port)
            try invocation.console.data(.object(line))
            invocation.console.say("Running until it is interrupted (^C).")
            if let limit {
                try await invocation.time.sleep(for: limit)
            } else {
                while true { try await invocation.time.sleep(for: .seconds(3600)) }
            }
        } catch is CancellationError {
            // Being interrupted is how it ends: the process does so by the signal.
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        return .done
    }
}
