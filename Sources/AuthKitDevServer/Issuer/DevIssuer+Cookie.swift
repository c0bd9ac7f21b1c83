import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// Named for the port: browsers do not tell ports apart (RFC 6265 §8.5).
    private var cookieName: String { "authkit_dev_\(WebURL(url)?.port ?? 0)" }

    /// What a browser was given to be known by.
    func cookie(of request: ServerRequest) -> String? {
        let start = cookieName + "="
        return request.fields.all(named: "Cookie").lazy
            .flatMap { $0.split(separator: ";") }
            .map { $0.trimmingSpaces() }
            .first { $0.hasPrefix(start) }
            .map { String($0.dropFirst(start.count)) }
    }

    /// The field value that gives a browser its cookie.
    func setCookie(_ value: String) -> String {
        "\(cookieName)=\(value); Path=\(options.path.isEmpty ? "/" : options.path); HttpOnly; SameSite=Lax"
    }

    /// The field value that takes it away.
    var clearCookie: String { setCookie("") + "; Max-Age=0" }
}
