/// One setting of a profile as declared: its flag, its key in the file, its form.
struct ProfileField: Sendable, Hashable {
    /// What form its value has, and what can be checked of it offline.
    enum Form: Sendable, Hashable {
        /// Any text that is not empty.
        case text
        /// Words of visible ASCII with a space between them.
        case words
        /// An `https` URL, or `http` on loopback.
        case url
        /// An issuer: such a URL too.
        case issuer
        /// Redirect URIs, in order.
        case redirects
        /// An absolute URI after sign-out.
        case uri
        /// Absolute URIs without a fragment.
        case resources
        /// Words that stand alone in the file as a list.
        case list
        /// Names of JWS algorithms with a public key.
        case algorithms
        /// `NAME=VALUE` pairs.
        case pairs
        /// A path of a readable file.
        case file
        /// A path of a readable file that others cannot read.
        case secretFile
        /// Whole seconds up to a bound.
        case seconds(Int)
        /// One of some words.
        case choice([String])
    }

    /// The flag's name.
    let flag: String
    /// What it takes, in help.
    let placeholder: String
    /// Its form.
    let form: Form
    /// What it is, in one line.
    let help: String

    /// Declares a field.
    init(_ flag: String, _ placeholder: String, _ form: Form, _ help: String) {
        self.flag = flag
        self.placeholder = placeholder
        self.form = form
        self.help = help
    }

    /// Its key in the configuration file.
    var key: String { String(flag.map { $0 == "-" ? "_" : $0 }) }

    /// Whether it may have several values.
    var isList: Bool {
        switch form {
        case .redirects, .resources, .list, .algorithms, .pairs: true
        default: false
        }
    }

    /// The flag by which it is set.
    var asFlag: Flag {
        switch form {
        case .choice(let words): Flag(flag, .choice(words), help: help)
        case .file, .secretFile: Flag(flag, .file(placeholder), help: help)
        default: Flag(flag, .text(placeholder), repeatable: isList, help: help)
        }
    }
}

extension ProfileField {
    /// The fields of an OpenID Connect profile.
    static let oidc: [ProfileField] = [
        ProfileField("issuer", "URL", .issuer, "the issuer, or the full URL of its discovery document"),
        ProfileField("authorization-endpoint", "URL", .url, "where a browser signs in, instead of discovery"),
        ProfileField("token-endpoint", "URL", .url, "where codes and refresh tokens are exchanged"),
        ProfileField("userinfo-endpoint", "URL", .url, "where claims about the person are read"),
        ProfileField("end-session-endpoint", "URL", .url, "where a browser ends the session"),
        ProfileField("revocation-endpoint", "URL", .url, "where tokens are revoked"),
        ProfileField("jwks-uri", "URL", .url, "where the issuer's keys are published"),
        ProfileField("client-id", "ID", .text, "the client's identifier at the issuer"),
        ProfileField("client-secret-file", "FILE", .secretFile, "a file, 0600, with the client's secret"),
        ProfileField(
            "client-auth",
            "METHOD",
            .choice(["none", "client_secret_basic", "client_secret_post"]),
            "how the client proves itself; none without a secret, else client_secret_basic"
        ),
        ProfileField(
            "basic-encoding",
            "FORM",
            .choice(["form", "raw"]),
            "client_secret_basic as the standard has it, or raw for servers that do not decode it"
        ),
        ProfileField("scope", "SCOPE", .words, "what is asked for: \"openid profile email\" unless set"),
        ProfileField(
            "redirect-uri",
            "URI",
            .redirects,
            "tried in order; http://127.0.0.1:0/callback takes a free port"
        ),
        ProfileField("response-mode", "MODE", .choice(["query", "form_post"]), "how the answer comes back"),
        ProfileField("audience", "NAME", .text, "the audience that some issuers ask for"),
        ProfileField("resource", "URI", .resources, "what tokens are for (RFC 8707)"),
        ProfileField("trusted-audience", "NAME", .list, "an audience that ID tokens may have besides the client"),
        ProfileField("acr-values", "VALUES", .words, "authentication contexts asked for, best first"),
        ProfileField("max-age", "SECONDS", .seconds(315_360_000), "the longest time since the person last signed in"),
        ProfileField(
            "prompt",
            "VALUES",
            .words,
            "what the issuer shows: login, consent, select_account, create, a word of its own, or none alone"
        ),
        ProfileField("login-hint", "NAME", .text, "who is expected to sign in"),
        ProfileField("param", "K=V", .pairs, "another parameter of the authorization request"),
        ProfileField("id-token-alg", "ALG", .algorithms, "an algorithm that ID tokens may be signed with"),
        ProfileField("clock-skew", "SECONDS", .seconds(359), "how far clocks may differ; 60 unless set"),
        ProfileField("ca-file", "FILE", .file, "a PEM file of certificate authorities, instead of the system's"),
        ProfileField("post-logout-redirect-uri", "URI", .uri, "where the browser goes after sign-out"),
    ]

    /// What is kept of a file that was imported and has no flag: nothing here uses it.
    private static let kept = [ProfileField("registration-endpoint", "URL", .url, "where clients are registered")]

    /// Every field that has a flag, whichever provider it is for.
    static let all: [ProfileField] = oidc + niantic.filter { field in !oidc.contains { $0.flag == field.flag } }

    /// The kinds of provider that there are.
    static let providers = ["oidc", "niantic"]

    /// The fields of a kind of provider, with and without a flag; nil for one that this build does not have.
    static func fields(of provider: String) -> [ProfileField]? {
        switch provider {
        case "oidc": oidc + kept
        case "niantic": niantic
        default: nil
        }
    }
}
