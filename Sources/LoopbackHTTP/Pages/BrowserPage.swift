/// A page that a person sees at the end of a sign-in or sign-out.
struct BrowserPage: Sendable {
    private enum Mark: String { case done, stopped, note }

    private let mark: Mark
    private let title: String
    private let text: String
    private let extra: String

    private init(_ mark: Mark, title: String, text: String, extra: String = "") {
        self.mark = mark
        self.title = title
        self.text = text
        self.extra = extra
    }

    /// Signed in and stored.
    static func signedIn(account: String?) -> Self {
        let name = account.map { $0.count > 200 ? $0.prefix(200) + "…" : $0[...] } ?? ""
        let who = name.isEmpty ? "" : "<p class=\"who\"><bdi>\(HTMLText.escape(String(name)))</bdi></p>"
        return Self(
            .done,
            title: "You are signed in",
            text: "You can close this tab and go back to the application.",
            extra: who
        )
    }

    /// Not signed in, and why.
    static func failed(message: String) -> Self {
        let reason = "<p class=\"why\">\(HTMLText.escape(String(message.prefix(1000))))</p>"
        return Self(
            .stopped,
            title: "You are not signed in",
            text: "Nothing was changed. You can close this tab and go back to the application.",
            extra: reason
        )
    }

    /// An answer that nobody waits for.
    static let notForThisSignIn = Self(
        .note,
        title: "This page is not the one awaited",
        text: "The address does not belong to what the application waits for. It goes on waiting: "
            + "please use the tab that it opened."
    )
    /// The sign-in page itself said no.
    static let failedThere = Self(
        .note,
        title: "The sign-in did not succeed there",
        text: "The application goes on waiting: try again on the sign-in page, or end it in the application."
    )
    /// A second answer.
    static let alreadyAnswered = Self(
        .note,
        title: "This sign-in was answered already",
        text: "The application is finishing it. Go back there to see how it ended."
    )
    /// An answer after the end.
    static let over = Self(
        .note,
        title: "This sign-in is over",
        text: "You can close this tab. To sign in again, start in the application."
    )
    /// The outcome did not come in time.
    static let unknown = Self(
        .note,
        title: "Almost there",
        text: "The application has your answer and is still working. Go back there to see whether you are signed in."
    )
    /// The issuer's session has ended.
    static let signedOut = Self(
        .done,
        title: "You are signed out",
        text: "You can close this tab and go back to the application."
    )
    /// The answer is brought back by hand.
    static let copyAddress = Self(
        .note,
        title: "Copy this page's address",
        text: "Copy the whole address of this page and paste it into the terminal in which you started to sign in."
    )
    /// An address that works once was used again.
    static let usedUp = Self(
        .note,
        title: "This address was used already",
        text: "It works once. Start again in the application."
    )

    /// The whole document.
    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <main class="\(mark.rawValue)">
        <svg viewBox="0 0 48 48" width="56" height="56" aria-hidden="true" focusable="false">\
        <circle cx="24" cy="24" r="24"/><path d="\(shape)"/></svg>
        <h1>\(title)</h1>
        \(extra)
        <p>\(text)</p>
        </main>
        </body>
        </html>

        """
    }

    private var shape: String {
        switch mark {
        case .done: "M14 25l7 7 13-15"
        case .stopped: "M17 17l14 14M31 17L17 31"
        case .note: "M24 14v12M24 33v.5"
        }
    }

    private static let style = """
        :root{color-scheme:light dark;--page:#f3f4f7;--card:#fff;--text:#1c2230;--soft:#5a6375;--line:#e2e5eb;\
        --good:#1d7f4f;--bad:#b3392f;--note:#3d63b8}
        @media (prefers-color-scheme:dark){:root{--page:#13161c;--card:#1c2129;--text:#e9ecf2;--soft:#a3acbd;\
        --line:#2d3440;--good:#4cc38a;--bad:#f0837a;--note:#8fb0ff}}
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--page);\
        color:var(--text);font:1.0625rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
        main{width:100%;max-width:27rem;padding:2.75rem 2.25rem 2.5rem;text-align:center;background:var(--card);\
        border:1px solid var(--line);border-radius:1rem;box-shadow:0 1px 2px rgb(0 0 0/.04),0 12px 32px rgb(0 0 0/.07)}
        .done{--tone:var(--good)}.stopped{--tone:var(--bad)}.note{--tone:var(--note)}
        svg{display:block;margin:0 auto 1.25rem}
        circle{fill:var(--tone);opacity:.14}
        path{fill:none;stroke:var(--tone);stroke-width:3.5;stroke-linecap:round;stroke-linejoin:round}
        h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25;font-weight:650;letter-spacing:-.01em;text-wrap:balance}
        p{margin:0;color:var(--soft);text-wrap:pretty}
        .who,.why{margin:0 0 1.1rem;color:var(--text);overflow-wrap:anywhere}
        .who{display:inline-block;max-width:100%;padding:.2rem .85rem;border:1px solid var(--line);border-radius:2rem;\
        font-weight:550}
        .why{padding:.75rem 1rem;border:1px solid var(--line);border-radius:.6rem;text-align:start}
        @media (max-width:30rem){main{padding:2rem 1.25rem}}
        """
}
