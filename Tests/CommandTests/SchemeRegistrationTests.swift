import AuthKitCore
import Testing

@testable import authkit_cli

@Suite struct SchemeRegistrationTests {
    private func harness() async throws -> CommandHarness {
        let harness = try CommandHarness()
        _ = await harness.run(
            "profile",
            "add",
            "mobile",
            "--issuer",
            "https://a.example",
            "--client-id",
            "c",
            "--redirect-uri",
            "com.example.app:/cb"
        )
        return harness
    }

    private let entry = ".local/share/applications/authkit-com.example.app.desktop"

    @Test func `registering writes the entry and the association, twice the same`() async throws {
        let harness = try await harness()
        for _ in 0..<2 {
            #expect(await harness.run("login", "mobile", "--register-scheme").exit == .done)
            let text = try #require(harness.text(of: entry))
            #expect(text.contains("MimeType=x-scheme-handler/com.example.app;\n"))
            #expect(text.contains("Exec=env AUTHKIT_HOME=\(harness.home) "))
            #expect(text.contains(" callback %u\n"))
            #expect(
                harness.text(of: ".config/mimeapps.list")
                    == "[Default Applications]\nx-scheme-handler/com.example.app=authkit-com.example.app.desktop\n"
            )
        }
    }

    @Test func `unregistering takes both away, twice the same`() async throws {
        let harness = try await harness()
        _ = await harness.run("login", "mobile", "--register-scheme")
        for _ in 0..<2 {
            #expect(await harness.run("login", "mobile", "--unregister-scheme").exit == .done)
            #expect(harness.text(of: entry) == nil)
            #expect(harness.text(of: ".config/mimeapps.list")?.contains("com.example.app") == false)
        }
    }

    @Test func `what others have in the list is kept`() {
        let text =
            "[Added Associations]\nx-scheme-handler/a=other.desktop\n\n[Default Applications]\ntext/plain=e.desktop\n"
        var list = AssociationList(text)
        list.set("x-scheme-handler/a", to: "authkit-a.desktop")
        #expect(
            list.text.contains("[Default Applications]\nx-scheme-handler/a=authkit-a.desktop\ntext/plain=e.desktop\n")
        )
        list.remove("x-scheme-handler/a", naming: "authkit-a.desktop")
        #expect(list.text == text)
        list = AssociationList("[Default Applications]\nx-scheme-handler/a=other.desktop;authkit-a.desktop\n")
        list.remove("x-scheme-handler/a", naming: "authkit-a.desktop")
        #expect(list.text == "[Default Applications]\nx-scheme-handler/a=other.desktop\n")
    }

    @Test func `a profile without a scheme of its own is refused`() async throws {
        let harness = try CommandHarness()
        _ = await harness.run("profile", "add", "web", "--issuer", "https://a.example", "--client-id", "c")
        #expect(await harness.run("login", "web", "--register-scheme").exit == .configuration)
        #expect(await harness.run("login", "web", "--register-scheme", "--unregister-scheme").exit == .usage)
    }
}
