#if Postgres
import AuthKitCore
import Testing

@testable import StorePostgres

@Suite(.enabled("libpq is installed") { (try? PostgresLibrary.shared.get()) != nil })
struct PostgresAddressTests {
    private func address(_ text: String) throws -> PostgresAddress {
        try PostgresAddress(text, library: PostgresLibrary.shared.get())
    }

    @Test(arguments: [
        ("postgres://me:secret@db.example:5433/x", "db.example:5433"),
        ("host=db.example password=secret", "db.example"),
        ("dbname=x", "the local socket"), ("postgres://me:sec@ret@db.example/x", "the server in its address"),
        ("postgres://secret:hidden", "secret"),
    ])
    func `a place is told without user and password`(_ text: String, _ place: String) throws {
        #expect(try address(text).place == place)
    }

    @Test func `nothing of what is said is shown where a secret is in the address, whatever it is`() throws {
        let said = "connection to server at \"h\" (::1), port 54771 failed: FATAL:  no"
        for secret in ["open-sesame", "fail", "p", "FATAL"] {
            #expect(try address("postgres://kai:\(secret)@h/x").quotable(said) == "")
            #expect(try address("host=h sslpassword=\(secret) sslkey=k").quotable(said) == "")
        }
        #expect(try address("host=h sslkey=k").quotable(said) == said)
        #expect(try address("host=h").quotable("could not find me@open") == "")
    }

    @Test func `what is no address, and a library that is not there, is told with a remedy`() {
        #expect(throws: (any Error).self) { try address("postgres://[") }
        #expect(throws: (any Error).self) { try address("host=a\0b") }
        do {
            _ = try PostgresLibrary.open("libnothing.so.99")
            Issue.record("There is such a library.")
        } catch {
            #expect(error.code == .cannotCreate)
            #expect(error.detail.contains("install the package libpq5"))
        }
    }
}
#endif
