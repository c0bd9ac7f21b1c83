import AuthKitCore
import AuthKitDevServer
import AuthKitTesting
import Foundation
import ProviderOIDC
import StoreFile
import StoreSQLite
import Testing
import TransportCurl

/// A process that dies at each point of a refresh, over each store that is kept in files.
@Suite struct KillTests {
    enum Place: String, CaseIterable, Sendable { case sqlite, file }

    /// A store with somebody signed in at an issuer, and processes that refresh it.
    struct Scene {
        let server: DevServer
        let folder: URL
        let place: Place
        let key: String
        let session: Session
        private let id: CredentialID
        private let party: ServedParty

        init(_ place: Place, grace: Duration) async throws {
            self.place = place
            var options = DevIssuerOptions()
            options.rotationGrace = grace
            server = try await DevServer.start(options: options)
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("kill-\(UUID())")
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            key = Base64URL.encode([UInt8](repeating: 7, count: 32))
            party = ServedParty()
            let held = try await party.signIn(server)
            id = held.id
            let vault = try await Self.vault(place, folder, key)
            try await vault.save(held, replacing: nil)
            session = Session(id, provider: try party.provider(server), vault: vault)
        }

        var address: String { "\(place.rawValue):\(folder.path)/store" }

        private static func vault(_ place: Place, _ folder: URL, _ key: String) async throws -> Vault {
            let store: any TokenStore =
                switch place {
                case .sqlite: try await SQLiteStore.open(path: folder.path + "/store")
                case .file: try await FileStore.open(path: folder.path + "/store")
                }
            return try await Vault.open(store, keySource: EnvironmentKey(name: "VICTIM_KEY") { _ in key })
        }

        /// A process that refreshes, with a fault or without; it is not started yet.
        func victim(_ fault: (point: FaultPoint, action: FaultInjection.Action)? = nil) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: try #require(CommandLine.arguments.first))
                .deletingLastPathComponent().appendingPathComponent("AuthKitVictim").resolvingSymlinksInPath()
            process.arguments = [address, server.issuer.url]
            if let fault { process.arguments? += [fault.point.description, fault.action.rawValue] }
            process.environment = ProcessInfo.processInfo.environment.merging(["VICTIM_KEY": key]) { _, mine in mine }
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            return process
        }

        /// Runs a process that refreshes with a fault; the signal that ended it, or its exit code.
        func refresh(_ point: FaultPoint, _ action: FaultInjection.Action) async throws -> (signal: Int32?, code: Int32)
        {
            let process = try victim((point, action))
            return try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = { process in
                    let status = process.terminationStatus
                    continuation.resume(
                        returning: process.terminationReason == .uncaughtSignal ? (status, -1) : (nil, status)
                    )
                }
                do {
                    try process.run()
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }

        /// A session that was not there before, as a program that starts now has it.
        func newcomer(_ options: SessionOptions = SessionOptions()) async throws -> Session {
            let vault = try await Self.vault(place, folder, key)
            return Session(id, provider: try party.provider(server), vault: vault, options: options)
        }

        func end() async throws {
            await server.stop()
            try FileManager.default.removeItem(at: folder)
        }
    }

    /// The points at which a refresh can die, and whether the issuer has acted and we have not saved what it said.
    private static let refreshPoints: [(FaultPoint, losesAnswer: Bool)] = [
        (.leaseTaken, false), (.intentSaved, false), (.answerReceived, true),
        (.answerCommitted, false), (.answerSaved, false),
    ]

    @Test(arguments: Place.allCases, Array(0..<5))
    func `killed at a point, at an issuer that lets the last token be retried: nobody is signed out`(
        _ place: Place,
        _ number: Int
    ) async throws {
        let scene = try await Scene(place, grace: .seconds(10))
        let point = Self.refreshPoints[number].0
        let end = try await scene.refresh(point, .kill)
        #expect(end.signal == SIGKILL)
        let issued = try await scene.newcomer().token(for: TokenRequest(reason: .forced))
        #expect(issued.refreshed)
        #expect(scene.server.issuer.statistics.reuseDetections == 0)
        #expect(scene.server.issuer.statistics.familiesKilled == 0)
        try await scene.end()
    }

    @Test(arguments: Place.allCases, Array(0..<5))
    func `killed at a point, without a retry: the login is lost just where the answer was, and the record says so`(
        _ place: Place,
        _ number: Int
    ) async throws {
        let scene = try await Scene(place, grace: .zero)
        let (point, losesAnswer) = Self.refreshPoints[number]
        #expect(try await scene.refresh(point, .kill).signal == SIGKILL)
        let newcomer = try await scene.newcomer()
        if losesAnswer {
            await #expect(throws: SessionError.self) { try await newcomer.token(for: TokenRequest(reason: .forced)) }
            let summary = try #require(try await newcomer.status())
            #expect(summary.state == .needsSignIn)
            #expect(summary.problem?.code == "answer_lost")
        } else {
            #expect(try await newcomer.token(for: TokenRequest(reason: .forced)).refreshed)
            #expect(scene.server.issuer.statistics.familiesKilled == 0)
        }
        try await scene.end()
    }

    @Test(arguments: Place.allCases)
    func `killed between a sign-in's checks and its save: the sign-in before it stays`(_ place: Place) async throws {
        let scene = try await Scene(place, grace: .zero)
        #expect(try await scene.refresh(.signInVerified, .kill).signal == SIGKILL)
        #expect(scene.server.issuer.statistics.codesRedeemed == 2)
        #expect(try await scene.newcomer().token(for: TokenRequest(reason: .forced)).refreshed)
        #expect(scene.server.issuer.statistics.familiesKilled == 0)
        try await scene.end()
    }

    @Test(arguments: Place.allCases, Array(0..<5))
    func `failing at a point harms nothing but the call`(_ place: Place, _ number: Int) async throws {
        let scene = try await Scene(place, grace: .seconds(10))
        let end = try await scene.refresh(Self.refreshPoints[number].0, .fail)
        #expect(end.signal == nil)
        #expect(end.code != 0)
        #expect(try await scene.newcomer().token(for: TokenRequest(reason: .forced)).refreshed)
        #expect(scene.server.issuer.statistics.familiesKilled == 0)
        try await scene.end()
    }
}
