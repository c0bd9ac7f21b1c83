import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// A refusal of the identity service in another shape than one text under `error`, as a fault wants it.
    static func shapedRefusal(_ fault: FaultKind?) -> ServerResponse {
        let (code, words): (JSONValue, JSONValue) = ("fault", "this is a fault that was asked for")
        let members: JSONObject =
            switch fault {
            case .errorObject: ["error": ["code": code, "message": words]]
            case .errorDescription: ["error": code, "error_description": words]
            case .errorMessage: ["error": code, "message": words]
            case .descriptionAlone: ["error_description": words]
            default: ["message": words]
            }
        var response = ServerResponse.json(members.bytes, status: 400)
        response.fields.append(HTTPField("Cache-Control", "no-store"))
        return response
    }
}
