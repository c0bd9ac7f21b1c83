internal import AuthKitCore

extension Configuration {
    /// The version of the file's form.
    static let version: Int64 = 1

    /// Reads a file's bytes strictly; every error names the key and the file.
    init(parsing bytes: [UInt8], from file: String) throws(CommandFailure) {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: bytes)
        } catch {
            throw .configuration("\(file) is no JSON that can be used: \(error.reason); mend it with an editor.")
        }
        guard let object = document.object else { throw .configuration("\(file) is not a JSON object; mend it.") }
        let known = ["version", "default_profile", "profiles", "key_source", "key_sources"]
        try Self.refuseOthers(object, than: known, at: "", file)
        guard let version = object["version"]?.int64 else {
            throw .configuration("\(file) has no \"version\"; write \"version\": \(Self.version) into it.")
        }
        guard version == Self.version else {
            throw .configuration(
                "\(file) has version \(version), and this build reads \(Self.version); update authkit.",
                code: "newer_format"
            )
        }
        defaultProfile = try Self.text(object["default_profile"], "default_profile", file)
        keySource = try Self.text(object["key_source"], "key_source", file)
        if let value = object["key_sources"] {
            guard let members = value.object else { throw Self.wrongForm("key_sources", "an object", file) }
            for member in members.members {
                keySources[member.name] = try Self.text(member.value, "key_sources.\(member.name)", file)
            }
        }
        if let value = object["profiles"] {
            guard let members = value.object else { throw Self.wrongForm("profiles", "an object", file) }
            for member in members.members {
                profiles[member.name] = try Profile(reading: member.value, at: "profiles.\(member.name)", file)
            }
        }
        if let name = defaultProfile, profiles[name] == nil {
            throw .configuration("\(file): \"default_profile\" names \(SafeText.quoted(name)), which is not a profile.")
        }
    }

    /// The file's text.
    var serialized: [UInt8] {
        var object: JSONObject = ["version": .integer(Self.version)]
        object["default_profile"] = defaultProfile.map(JSONValue.string)
        object["key_source"] = keySource.map(JSONValue.string)
        if !keySources.isEmpty {
            var sources = JSONObject()
            for address in keySources.keys.sorted() { sources[address] = keySources[address].map(JSONValue.string) }
            object["key_sources"] = .object(sources)
        }
        var members = JSONObject()
        for name in names { members[name] = profiles[name].map { .object($0.document) } }
        object["profiles"] = .object(members)
        return object.serialized(pretty: true) + [UInt8(ascii: "\n")]
    }

    fileprivate static func text(_ value: JSONValue?, _ key: String, _ file: String) throws(CommandFailure) -> String? {
        guard let value else { return nil }
        guard let text = value.string, !text.isEmpty else { throw wrongForm(key, "a text that is not empty", file) }
        return text
    }

    fileprivate static func wrongForm(_ key: String, _ form: String, _ file: String) -> CommandFailure {
        .configuration("\(file): \(SafeText.quoted(key, limit: 100)) must be \(form); mend it.")
    }

    fileprivate static func refuseOthers(
        _ object: JSONObject,
        than known: [String],
        at path: String,
        _ file: String
    ) throws(CommandFailure) {
        guard let name = object.names.first(where: { !known.contains($0) }) else { return }
        let hint = Suggestion.phrase(name, among: known)
        throw .configuration(
            "\(file) has the unknown key \(SafeText.quoted(path + name, limit: 100)); remove or correct it.\(hint)",
            code: "unknown_key"
        )
    }
}

extension Profile {
    /// Reads a profile strictly.
    init(reading value: JSONValue, at path: String, _ file: String) throws(CommandFailure) {
        guard let object = value.object else { throw Configuration.wrongForm(path, "an object", file) }
        guard let provider = try Configuration.text(object["provider"], path + ".provider", file) else {
            let place = SafeText.quoted(path, limit: 100)
            throw .configuration("\(file): \(place) has no \"provider\"; write \"provider\": \"oidc\".")
        }
        guard let fields = ProfileField.fields(of: provider) else {
            throw .configuration(
                "\(file): \(SafeText.quoted(path + ".provider", limit: 100)) is \(SafeText.quoted(provider)), which this build "
                    + "does not know; use one of \(ProfileField.providers.joined(separator: ", "))."
            )
        }
        try Configuration.refuseOthers(object, than: ["provider"] + fields.map(\.key), at: path + ".", file)
        self.init(provider: provider)
        for field in fields {
            guard let value = object[field.key] else { continue }
            guard let texts = field.texts(of: value) else {
                throw Configuration.wrongForm("\(path).\(field.key)", field.formInWords, file)
            }
            if case .choice(let words) = field.form, let text = texts.first, !words.contains(text) {
                throw Configuration.wrongForm("\(path).\(field.key)", "one of \(words.joined(separator: ", "))", file)
            }
            values[field.flag] = texts
        }
    }

    /// The profile as it stands in the file.
    var document: JSONObject {
        var object: JSONObject = ["provider": .string(provider)]
        for field in ProfileField.fields(of: provider) ?? [] {
            guard let texts = values[field.flag], let first = texts.first else { continue }
            if field.isList {
                object[field.key] = .strings(texts)
            } else if case .seconds = field.form {
                object[field.key] = Int64(first).map { .integer($0) }
            } else {
                object[field.key] = .string(first)
            }
        }
        return object
    }
}

extension ProfileField {
    /// The values as text; nil when the form is wrong.
    fileprivate func texts(of value: JSONValue) -> [String]? {
        if isList {
            guard let elements = value.array, !elements.isEmpty else { return nil }
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count && !texts.contains("") ? texts : nil
        }
        if case .seconds(let most) = form {
            guard let number = value.int64, (0...Int64(most)).contains(number) else { return nil }
            return [String(number)]
        }
        guard let text = value.string, !text.isEmpty else { return nil }
        return [text]
    }

    fileprivate var formInWords: String {
        if isList { return "a list of texts" }
        if case .seconds(let most) = form { return "a whole number up to \(most)" }
        return "a text that is not empty"
    }
}
