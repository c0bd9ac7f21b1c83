import AuthKitCore
import Testing
import TransportCurl

@Suite(.timeLimit(.minutes(1))) struct TLSTests {
    let transport = CurlTransport()
    let certificates: Certificates

    init() throws {
        certificates = try Certificates()
    }

    private var trusting: TLSOptions { TLSOptions(authorityFile: certificates.file("authority")) }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a private authority is trusted when it is named`(host: String) async throws {
        let server = try TLSServer(certificate: "server", certificates)
        defer { server.stop() }
        #expect(try await transport.send(try server.request(host: host, tls: trusting)).status == 200)
    }

    @Test func `the authorities of the transport serve requests that name none`() async throws {
        let server = try TLSServer(certificate: "server", certificates)
        defer { server.stop() }
        let trusting = CurlTransport(tls: trusting)
        #expect(try await trusting.send(try server.request()).status == 200)
        let other = TLSOptions(authorityFile: certificates.file("other"))
        let error = try await failure { try await trusting.send(try server.request(tls: other)) }
        #expect(error.reason == .tlsFailed)
    }

    @Test func `a directory of hashed authorities is trusted when it is named`() async throws {
        let server = try TLSServer(certificate: "server", certificates)
        defer { server.stop() }
        let hashed = TLSOptions(authorityDirectory: try certificates.hashed("authority"))
        #expect(try await transport.send(try server.request(tls: hashed)).status == 200)
        #expect(try await CurlTransport(tls: hashed).send(try server.request()).status == 200)
        let other = TLSOptions(authorityDirectory: try certificates.hashed("other"))
        let error = try await failure { try await transport.send(try server.request(tls: other)) }
        #expect(error.reason == .tlsFailed)
    }

    @Test func `the system's authorities do not vouch for a private one`() async throws {
        let server = try TLSServer(certificate: "server", certificates)
        defer { server.stop() }
        let error = try await failure { try await transport.send(try server.request()) }
        #expect(error.reason == .tlsFailed)
        #expect(error.delivery == .notSent)
    }

    @Test func `a certificate for another name is refused before anything is sent`() async throws {
        let server = try TLSServer(certificate: "stranger", certificates)
        defer { server.stop() }
        let error = try await failure { try await transport.send(try server.request(tls: trusting)) }
        #expect(error.reason == .tlsFailed)
        #expect(error.delivery == .notSent)
    }

    @Test func `a file of authorities that is not there is named`() async throws {
        let server = try TLSServer(certificate: "server", certificates)
        defer { server.stop() }
        let missing = TLSOptions(authorityFile: "/nowhere/authority.pem")
        let error = try await failure { try await transport.send(try server.request(tls: missing)) }
        #expect(error.reason == .tlsFailed)
        #expect(error.delivery == .notSent)
        #expect(error.detail.contains("/nowhere/authority.pem"))
    }

    @Test func `a client certificate is shown when it is named`() async throws {
        let arguments = ["-Verify", "1", "-verify_return_error", "-CAfile", certificates.file("authority")]
        let server = try TLSServer(certificate: "server", certificates, arguments: arguments)
        defer { server.stop() }
        var options = trusting
        _ = try await failure { try await transport.send(try server.request(tls: options)) }
        options.clientCertificateFile = certificates.file("client")
        options.clientKeyFile = certificates.key("client")
        #expect(try await transport.send(try server.request(tls: options)).status == 200)
        options.clientKeyFile = certificates.key("other")
        let error = try await failure { try await transport.send(try server.request(tls: options)) }
        #expect(error.reason == .tlsFailed)
        #expect(error.delivery == .notSent)
    }
}
