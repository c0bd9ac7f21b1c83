internal import AuthKitCore

/// `profile import`: makes a profile of an AppAuth configuration or a client registration.
enum ProfileImportCommand {
    static let shape = CommandShape(
        "profile import",
        summary: "make a profile of AppAuth's auth_config.json or of a client registration",
        details: [
            "Empty texts count as absent. Flags go before what the file says. A client secret is written to a file of "
                + "its own, 0600, beside the configuration. The profile is named by --name, else like the file."
        ],
        operands: [Operand("FILE", completion: .file), Operand("NAME", optional: true)],
        flags: [
            Flag("name", .text("NAME"), help: "the profile's name"),
            Flag("replace", help: "replace a profile of that name"),
            HeldSignIn.flag,
        ] + ProfileField.oidc.map(\.asFlag),
        examples: [
            "authkit profile import auth_config.json --name work",
            "authkit profile import registration.json --name work --issuer https://issuer.example",
        ],
        run: run
    )

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let arguments = invocation.arguments
        let file = invocation.places.absolute(arguments.operands[0])
        if arguments.has("name"), arguments.operand(1) != nil {
            throw UsageError("The profile is named twice; leave out --name or the word.", command: shape)
        }
        if FileStatus(file)?.kind == .directory {
            throw CommandFailure.inputOutput("\(file) is a directory; name the file.")
        }
        let name = arguments.value("name") ?? arguments.operand(1) ?? stem(file)
        try Profile.checkName(name)
        var document = try ProfileImport(parsing: try await bytes(arguments.operands[0], file, invocation), from: file)
        document.override(ProfileValues.given(arguments))
        document.keepUsableRedirects()
        let isReplacing = arguments.has("replace")
        if !isReplacing, try invocation.configurationFile.load(toEdit: true).profiles[name] != nil {
            throw ProfileWriter.exists(name)
        }
        if let secret = document.clientSecret, document.values["client-secret-file"] == nil {
            document.override(["client-secret-file": [try keep(secret, for: name, invocation)]])
        }
        let builder = ProfileBuilder(places: invocation.places, place: invocation.place)
        let profile = try builder.profile("oidc", document.values)
        if !document.ignored.isEmpty {
            invocation.console.detail("Left out: \(document.ignored.joined(separator: ", ")).")
        }
        try await ProfileWriter(invocation).add(name, profile, replacing: isReplacing)
        return .done
    }

    /// The file may be anybody's: it is checked for what it says, not for who may read it.
    private static func bytes(_ typed: String, _ file: String, _ invocation: Invocation) async throws -> [UInt8] {
        if typed == "-" { return try await invocation.surroundings.input.everything(limit: 1 << 20) }
        guard let bytes = try await PlainFile.contents(of: file, limit: 1 << 20) else {
            throw CommandFailure.inputOutput("There is no file \(file); name one that is there.")
        }
        return bytes
    }

    /// Where the secret of an imported profile is kept.
    static func secretFile(of name: String, _ places: Places) throws(CommandFailure) -> String {
        "\(try places.configurationDirectory)/\(name).client-secret"
    }

    private static func keep(_ secret: Secret, for name: String, _ invocation: Invocation) throws -> String {
        let directory = try invocation.places.configurationDirectory
        try invocation.place.makeDirectory(directory, shared: invocation.places.namesConfiguration)
        let path = try secretFile(of: name, invocation.places)
        try invocation.place.replace(path, with: Array(secret.reveal().utf8) + [UInt8(ascii: "\n")])
        return path
    }

    private static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return String(name.split(separator: ".").first ?? "")
    }
}
