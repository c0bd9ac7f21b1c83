internal import AuthKitCore

/// Writes a failure as the one JSON object that scripts rely on.
enum ErrorDocument {
    /// `{"error":{"code","message","remedy","retry_after"?,"issuer_error"?}}`.
    static func value(_ failure: CommandFailure) -> JSONValue {
        var error: JSONObject = ["code": .string(failure.code), "message": .string(SafeText.tamed(failure.message))]
        switch failure.remedy {
        case .retry(let after):
            error["remedy"] = "retry"
            // Rounded up: who waits so long is not early.
            if let after {
                error["retry_after"] = .integer(max(0, (after + .nanoseconds(999_999_999)).components.seconds))
            }
        case .signInAgain: error["remedy"] = "sign_in_again"
        case .fixConfiguration: error["remedy"] = "fix_configuration"
        }
        if let issuer = failure.issuerError { error["issuer_error"] = value(issuer) }
        return ["error": .object(error)]
    }

    private static func value(_ body: OAuthErrorBody) -> JSONValue {
        var object: JSONObject = ["error": .string(body.error)]
        object["error_description"] = body.description.map(JSONValue.string)
        object["error_uri"] = body.uri.map(JSONValue.string)
        return .object(object)
    }
}
