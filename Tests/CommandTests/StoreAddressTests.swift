import AuthKitCore
import Testing

@testable import authkit_cli

/// How a store is told to people.
@Suite struct StoreAddressTests {
    #if Postgres
    @Test(arguments: [
        ("postgres://me:secret@db.example:5432/tokens?sslmode=require", "postgres://db.example:5432/tokens"),
        ("postgresql://db.example", "postgres://db.example"), ("postgres:///tokens", "postgres:///tokens"),
        ("postgres://a.example:1,b.example:2/tokens", "postgres://a.example:1,b.example:2/tokens"),
        ("postgres://me@[::1]:5432/tokens", "postgres://[::1]:5432/tokens"),
        ("postgres://%2Fvar%2Frun/tokens", "postgres://%2Fvar%2Frun/tokens"),
        ("postgres://host?user=me&password=secret", "postgres://host"),
        ("postgres://host#password=secret", "postgres://host"),
        ("postgres://host/tokens?password=secret", "postgres://host/tokens"),
        ("postgres://me:sec/ret@host/tokens", "postgres://host/tokens"),
        ("postgres://me:sec@ret@host/tokens", "postgres://host/tokens"),
        ("postgres://me:sec/r@et/x@host/tokens", "postgres://host/tokens"),
        // Where it is not plain what is which, nothing is told but the kind.
        ("postgres://me:sec?ret@host/tokens", "postgres:"), ("postgres://me:sec#ret@host/tokens", "postgres:"),
        ("postgres://host/tokens?password=sec@ret", "postgres:"), ("postgres://me:secret", "postgres:"),
        ("postgres://me:sec/ret", "postgres:"), ("postgres://me:sec/ret/tokens", "postgres:"),
        ("postgres://host/tokens&password=secret", "postgres:"),
        ("postgres://host/tokens password=secret", "postgres:"),
        ("postgres://host;password=secret/tokens", "postgres:"), ("postgres:host=h password=a/secret/b", "postgres:"),
        ("postgres:/host/secret", "postgres:"), ("postgres:", "postgres:"),
    ])
    func `a database is told by host, port and name, and never with a password`(_ text: String, _ told: String) throws {
        #expect(try StoreAddress(text, from: "--store") { $0 }.text == told)
    }

    @Test(arguments: [
        "postgres://127.0.0.1:1?user=me&password=hush&connect_timeout=2", "postgres://me:hu/sh@127.0.0.1:1/tokens",
        "postgres://me:hu?sh@127.0.0.1:1/tokens",
    ])
    func `no command tells a password of an address that does not answer`(_ address: String) async throws {
        // What is not opened is told by its address.
        let unopened = ["doctor", "--non-interactive", "--key-source", "passphrase"]
        for words in [["store", "check"], ["doctor"], unopened, ["store", "init"]] {
            let outcome = await (try CommandHarness(["AUTHKIT_STORE": address])).run(words + ["--json"])
            if words == unopened { #expect(outcome.output.contains("\"postgres:")) }
            for part in ["hush", "hu/sh", "hu?sh", "sh@"] {
                #expect(!(outcome.output + outcome.messages).contains(part), "\(words)")
            }
        }
    }
    #else
    @Test func `a build without PostgreSQL says so and tells no password`() throws {
        let error = #expect(throws: CommandFailure.self) {
            try StoreAddress("postgres://me:secret@db.example/tokens", from: "--store") { $0 }
        }
        #expect(error?.message.contains("secret") == false)
        #expect(error?.message.contains("--traits Postgres") == true)
    }
    #endif
}
