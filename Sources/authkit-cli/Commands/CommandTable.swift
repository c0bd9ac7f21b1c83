/// All commands: what is parsed, helped and completed.
enum CommandTable {
    /// In the order in which help lists them.
    static let all: [CommandShape] = [
        LoginCommand.shape, TokenCommand.shape, RefreshCommand.shape, StatusCommand.shape, ListCommand.shape,
        LogoutCommand.shape, UserInfoCommand.shape,
        ProfileAddCommand.shape, ProfileEditCommand.shape, ProfileRemoveCommand.shape, ProfileListCommand.shape,
        ProfileShowCommand.shape, ProfileImportCommand.shape, ProfileChooseCommand.shape,
        JWTDecodeCommand.shape, JWTVerifyCommand.shape, JWTSignCommand.shape, JWTEncryptCommand.shape,
        JWTDecryptCommand.shape, JWKGenerateCommand.shape, JWKPublicCommand.shape, JWKThumbprintCommand.shape,
        JWKConvertCommand.shape,
        StoreInitCommand.shape, StoreCheckCommand.shape, StoreRekeyCommand.shape, StoreExportCommand.shape,
        StoreImportCommand.shape, StoreMigrateCommand.shape,
        CallbackCommand.shape, DoctorCommand.shape, DevServerCommand.shape, CompletionCommand.shape,
    ]
}
