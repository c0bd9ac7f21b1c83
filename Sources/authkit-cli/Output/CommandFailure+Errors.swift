internal import AuthKitCore
internal import AuthKitDevServer
internal import LoopbackHTTP
internal import ProviderNiantic
internal import ProviderOIDC

extension CommandFailure {
    /// Makes a failure of any error: the one place where errors become exit codes.
    init(describing error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let usage as UsageError: self = Self.of(usage)
        case let error as StoreError: self = Self.of(error)
        case let error as VaultError: self = Self.of(error)
        case let error as SessionError: self = Self.of(error)
        case let error as OIDCError: self = Self.of(error, isViolation: error.isProtocolViolation)
        case let error as NianticError: self = Self.of(error)
        case let error as TransportError: self = Self.of(error, isViolation: error.isSecurityFailure)
        case let error as LoopbackError: self = Self.of(error)
        case let error as any ProviderFailure: self = Self.of(error, isViolation: false)
        case let error as DevServerError: self = .init(.usage, error.code.description, error.description)
        case let error as JWTError: self = Self.of(error)
        case let error as CryptoError: self = .init(.software, "cryptography", "\(error)")
        case is CancellationError:
            self = .init(.signInNeeded, "cancelled", "It was cancelled before it was done; run it again.")
        default:
            // The type alone: a description that nobody has looked at could hold a secret.
            self = .init(.software, "internal", "Something unexpected went wrong (\(type(of: error))); report it.")
        }
    }

    private static func of(_ error: UsageError) -> CommandFailure {
        let help = error.command.map { " See `authkit \($0) --help`." } ?? ""
        return .usage(error.message + help)
    }

    private static func of(_ error: StoreError) -> CommandFailure {
        let exit: ExitCode
        switch error.code {
        case .conflict, .busy, .leaseLost: exit = .tryAgain
        case .cannotCreate, .unsupportedPlace: exit = .cannotCreate
        case .loosePermissions, .wrongOwner, .newerFormat, .misconfigured: exit = .configuration
        case .unavailable: exit = .unavailable
        case .untrusted: exit = .protocolViolation
        case .corrupt: exit = .badData
        default: exit = .inputOutput
        }
        return CommandFailure(exit, error.code.description, error.detail)
    }

    private static func of(_ error: VaultError) -> CommandFailure {
        let dataCodes: [VaultError.Code] = [
            .tampered, .headerMissing, .otherHeader, .tooLarge, .exportDamaged, .copyDiffers,
        ]
        // What was changed is replaced by a new sign-in; a header or a key is not.
        let remedy: Remedy? = error.code == .tampered && error.detail.contains("sign in again") ? .signInAgain : nil
        return CommandFailure(
            dataCodes.contains(error.code) ? .badData : .configuration,
            error.code.description,
            error.detail,
            remedy: remedy
        )
    }

    private static func of(_ error: SessionError) -> CommandFailure {
        let exit: ExitCode
        switch error.reason {
        case .saveFailed: exit = .inputOutput
        case .busy, .ending, .superseded: exit = .tryAgain
        case .callerLimitPassed, .issuerSilent: exit = .unavailable
        case .interactionUnsupported: exit = .configuration
        case .wrongProcess: exit = .software
        // What the issuer answered failed a check; that a sign-in is needed comes of it.
        case _ where (error.cause as? OIDCError)?.isProtocolViolation == true: exit = .protocolViolation
        case _ where (error.cause as? NianticError)?.isProtocolViolation == true: exit = .protocolViolation
        default: exit = .signInNeeded
        }
        return CommandFailure(exit, error.code, error.detail, remedy: error.remedy, issuerError: error.issuerError)
    }

    private static func of(_ error: NianticError) -> CommandFailure {
        guard error.reason == .developerTokenEnded else {
            let failure = of(error, isViolation: error.isProtocolViolation)
            guard error.reason == .accountChanged, error.delivery == nil else { return failure }
            // Found before anything was sent: the command has a flag for it.
            return CommandFailure(
                failure.exit,
                failure.code,
                error.detail.dropLast() + " (authkit login --switch-account allows it, authkit logout signs out).",
                remedy: failure.remedy
            )
        }
        // A person has to do something, as for any login that has ended.
        return CommandFailure(.signInNeeded, error.code, error.detail, remedy: error.remedy)
    }

    private static func of(_ error: JWTError) -> CommandFailure {
        let exit: ExitCode
        switch error.code {
        case .keyNotFound, .keyMismatch, .weakKey: exit = .configuration
        case .cannotVerify: exit = .software
        default: exit = .badData
        }
        return CommandFailure(exit, error.code.description, error.detail)
    }

    private static func of(_ error: LoopbackError) -> CommandFailure {
        let exit: ExitCode = error.reason == .portBusy ? .tryAgain : .configuration
        return CommandFailure(exit, error.code, error.detail, remedy: error.remedy)
    }

    private static func of(_ error: any ProviderFailure, isViolation: Bool) -> CommandFailure {
        let exit: ExitCode
        switch error.remedy {
        case _ where isViolation: exit = .protocolViolation
        case .retry(let after): exit = after == nil ? .unavailable : .tryAgain
        case .signInAgain: exit = .signInNeeded
        case .fixConfiguration: exit = .configuration
        }
        return CommandFailure(exit, error.code, "\(error)", remedy: error.remedy, issuerError: error.issuerError)
    }
}

extension TransportError {
    /// Whether the other side could not prove who it is, or answered what must not be followed.
    fileprivate var isSecurityFailure: Bool {
        reason == .tlsFailed || reason == .redirectRefused || reason == .bodyTooLarge
    }
}
