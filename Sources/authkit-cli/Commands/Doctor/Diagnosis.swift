internal import AuthKitCore
internal import LoopbackHTTP
internal import TransportCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The checks of `doctor`, in the order in which things are needed.
struct Diagnosis: Sendable {
    private let invocation: Invocation
    private let libraries: [(name: String, package: String)]

    /// Makes one for a run of the command; `libraries` are those that are opened at first use.
    init(
        _ invocation: Invocation,
        libraries: [(name: String, package: String)] = [CurlTransport.library, HTTPServer.library]
    ) {
        self.invocation = invocation
        self.libraries = libraries
    }

    /// Makes every check; one that fails holds up no other.
    func run() async -> [Finding] {
        [configuration(), profiles(), keySource(), await store(), clock(), trust(), network(), browser(), sockets()]
    }

    private func finding(_ subject: String, _ check: () throws -> Finding) -> Finding {
        do {
            return try check()
        } catch {
            return Finding(subject, .broken, CommandFailure(describing: error).message)
        }
    }

    private func configuration() -> Finding {
        finding("configuration") {
            let file = try invocation.configurationFile
            _ = try file.load()
            guard FileStatus(file.path) != nil else {
                return Finding(
                    "configuration",
                    .notable,
                    "\(file.path) is not there yet; `authkit profile add` makes it."
                )
            }
            return Finding("configuration", .fine, file.path)
        }
    }

    private func profiles() -> Finding {
        finding("profiles") {
            let configuration = try invocation.configurationFile.load()
            let builder = ProfileBuilder(places: invocation.places, place: invocation.place)
            for name in configuration.names {
                guard let profile = configuration.profiles[name] else { continue }
                do {
                    // Checked anew: a file that a profile names may have gone since.
                    _ = try builder.profile(profile.provider, profile.values)
                } catch {
                    return Finding("profiles", .broken, "\(name): \(CommandFailure(describing: error).message)")
                }
            }
            guard !configuration.names.isEmpty else {
                return Finding(
                    "profiles",
                    .notable,
                    "There is none; make one with `authkit profile add NAME --issuer URL …`."
                )
            }
            return Finding("profiles", .fine, configuration.names.joined(separator: ", "))
        }
    }

    private func keySource() -> Finding {
        finding("key source") {
            let opening = StoreOpening(invocation)
            switch try opening.keySourceName() {
            case .keyFile(let path):
                guard let status = FileStatus(path) else {
                    return Finding("key source", .notable, "The key file \(path) is made by the first use.")
                }
                try invocation.place.check(status, path, mend: "chmod 600 \(PrivatePlace.shellQuoted(path))")
                return Finding("key source", .fine, "key file \(path)")
            case .passphrase:
                return Finding("key source", .fine, "a passphrase, typed at each use")
            case .passphraseFile(let path):
                let loose = invocation.insecureFileModes
                // Throws for one that is missing, empty or open to others.
                _ = try PassphraseFile.contents(of: path, insecureLooseModes: loose)
                return Finding("key source", .fine, "passphrase file \(path)")
            case .command: return Finding("key source", .fine, "a command that prints the key")
            case .systemdCredential(let name):
                guard invocation.environment["CREDENTIALS_DIRECTORY"] != nil else {
                    return Finding(
                        "key source",
                        .broken,
                        "CREDENTIALS_DIRECTORY is not set, so there is no credential \(name); run this as a service that "
                            + "loads it."
                    )
                }
                return Finding("key source", .fine, "the credential \(name)")
            case .secretService: return Finding("key source", .fine, "the desktop's keyring")
            case .environment(let name):
                guard invocation.environment[name] != nil else {
                    return Finding(
                        "key source",
                        .broken,
                        "The variable \(name) is not set; put the store's key into it."
                    )
                }
                return Finding("key source", .fine, "the variable \(name)")
            }
        }
    }

    private func store() async -> Finding {
        do {
            let address = try invocation.places.store
            let opening = StoreOpening(invocation)
            if try opening.keySourceName() == .passphrase, invocation.isNonInteractive {
                return Finding("store", .notable, "\(address.text) is not opened, since nobody may be asked.")
            }
            guard let vault = try await opening.vault(creating: false) else {
                return Finding("store", .notable, "\(address.text) is not there yet; the first login makes it.")
            }
            try await vault.probe()
            let profiles = try invocation.configurationFile.load().profiles
            let found = try await DamagedRecords(in: vault, profiles: profiles).examine()
            guard found.sentences.isEmpty else {
                return Finding("store", .broken, found.sentences.joined(separator: " "))
            }
            return Finding("store", .fine, "\(address.text), \(CountedRecords.noun(found.intact))")
        } catch {
            return Finding("store", .broken, CommandFailure(describing: error).message)
        }
    }

    private func clock() -> Finding {
        let now = invocation.time.now.wall
        // 2025-01-01 and 2100-01-01: outside them no token can be judged.
        guard now.seconds > 1_735_689_600, now.seconds < 4_102_444_800 else {
            return Finding("clock", .broken, "It says \(now), which cannot be; set it, for example with ntpdate.")
        }
        return Finding("clock", .fine, now.description)
    }

    private func trust() -> Finding {
        let named = ["SSL_CERT_FILE", "SSL_CERT_DIR"].compactMap { name in
            invocation.environment[name].map { (name, $0) }
        }
        for (name, path) in named where !FileStatus.isReadable(path) {
            return Finding("trust", .broken, "\(name) names \(path), which cannot be read; correct or unset it.")
        }
        if let (name, path) = named.first { return Finding("trust", .fine, "\(path) (\(name))") }
        let usual = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
        guard let path = usual.first(where: FileStatus.isReadable) else {
            return Finding(
                "trust",
                .broken,
                "There are no certificate authorities; install the package ca-certificates."
            )
        }
        return Finding("trust", .fine, path)
    }

    private func network() -> Finding {
        let missing = libraries.filter { library in
            guard let handle = unsafe dlopen(library.name, RTLD_LAZY) else { return true }
            return unsafe dlclose(handle) != 0
        }
        guard missing.isEmpty else {
            let packages = missing.map(\.package).joined(separator: " ")
            return Finding("libraries", .broken, "Libraries are missing; run: apt-get install \(packages)")
        }
        return Finding("libraries", .fine, "libcurl, libmicrohttpd")
    }

    private func browser() -> Finding {
        if let named = invocation.environment["BROWSER"] {
            guard SystemBrowser.programs(of: named).contains(where: { invocation.environment.program($0) != nil })
            else {
                return Finding("browser", .broken, "BROWSER names \(named), which cannot be run; correct or unset it.")
            }
            return Finding("browser", .fine, "\(named) (BROWSER)")
        }
        guard let program = SystemBrowser.desktopPrograms.lazy.compactMap(invocation.environment.program).first else {
            return Finding(
                "browser",
                .notable,
                "There is none; open the printed address elsewhere and use `authkit login --callback-url -`."
            )
        }
        return Finding("browser", .fine, program)
    }

    private func sockets() -> Finding {
        finding("sockets") {
            guard let directory = try invocation.places.socketDirectories.first else {
                return Finding("sockets", .broken, "There is no place for sockets; set XDG_RUNTIME_DIR.")
            }
            try invocation.place.checkDirectory(directory)
            // unix(7): 108 bytes with the final zero; our names have 46.
            guard directory.utf8.count + 47 <= 107 else {
                return Finding(
                    "sockets",
                    .broken,
                    "\(directory) is too long for sockets; set XDG_RUNTIME_DIR to a shorter one."
                )
            }
            return Finding("sockets", .fine, directory)
        }
    }
}
