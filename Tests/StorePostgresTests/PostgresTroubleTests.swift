#if Postgres
import AuthKitCore
import Testing

@testable import StorePostgres

/// What libpq tells in words alone, in the words that it has for it.
@Suite struct PostgresTroubleTests {
    @Test(arguments: [
        (
            "could not translate host name \"nowhere.invalid\" to address: Name or service not known",
            PostgresTrouble.unknownHost, StoreError.Code.unavailable
        ),
        (
            "connection to server at \"h\" (::1), port 5432 failed: SSL error: certificate verify failed",
            .otherAuthority, .untrusted
        ),
        (
            "connection to server at \"127.0.0.1\", port 5432 failed: server certificate for \"localhost\" does not match "
                + "host name \"127.0.0.1\"",
            .otherName, .untrusted
        ),
        (
            "connection to server at \"h\", port 5432 failed: server does not support SSL, but SSL was required",
            .noTLS,
            .untrusted
        ),
        (
            "connection to server at \"h\", port 5432 failed: root certificate file \"/r\" does not exist\nEither provide",
            .noRootCertificate, .misconfigured
        ),
        (
            "connection to server at \"h\" failed: could not open certificate file \"/c\": No such file or directory",
            .unusableFile, .misconfigured
        ),
        ("invalid sslmode value: \"sesame\"", .unusableAddress, .misconfigured),
        ("invalid port number: \"x\"", .unusableAddress, .misconfigured),
        ("definition of service \"x\" not found", .unusableAddress, .misconfigured),
    ])
    func `is told with its code, and is not tried again where that cannot help`(
        _ message: String,
        _ trouble: PostgresTrouble,
        _ code: StoreError.Code
    ) {
        #expect(PostgresTrouble(message) == trouble)
        var failure = PostgresFailure(stage: .connecting, state: "", text: "", operation: "connect")
        failure.trouble = trouble
        let error = failure.storeError(at: "h:5432")
        #expect(error.code == code)
        #expect(!error.detail.contains("start it"))
        #expect(failure.isPassing == (trouble == .unknownHost))
    }

    @Test(arguments: [
        "connection to server at \"127.0.0.1\", port 1 failed: Connection refused", "no answer within 10.0 seconds",
        "server closed the connection unexpectedly", "SSL SYSCALL error: EOF detected",
    ])
    func `a server that is away is no trouble of the address`(_ message: String) {
        #expect(PostgresTrouble(message) == nil)
        let failure = PostgresFailure(stage: .connecting, state: "", text: "", operation: "connect")
        #expect(failure.storeError(at: "h").code == .unavailable)
        #expect(failure.isPassing)
    }

    @Test(arguments: [
        ("28P01", StoreError.Code.misconfigured), ("28000", .misconfigured), ("3D000", .misconfigured),
        ("3F000", .misconfigured), ("57P01", .unavailable), ("57P03", .unavailable), ("08006", .unavailable),
        ("42501", .cannotCreate), ("25006", .cannotCreate), ("53100", .full), ("53300", .busy), ("57014", .busy),
        ("42P01", .corrupt), ("22012", .inputOutput),
    ])
    func `a state has the code of the contract`(_ state: String, _ code: StoreError.Code) {
        let failure = PostgresFailure(stage: .answered, state: state, text: "", operation: "list records")
        #expect(failure.storeError(at: "h").code == code)
    }
}
#endif
