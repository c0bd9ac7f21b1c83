import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// A refusal of the identity service in another shape than one text under `error`, as a fault wants it.
    static func shapedRefusal(_ fault: FaultKind?) -> ServerResponse {
        let text = "this is a fault that was asked for"
        var response: ServerResponse
        switch fault {
        case .plainError: response = .text(text, status: 400)
        case .emptyError: response = ServerResponse(status: 400)
        default: response = .json(members(of: fault, text: .string(text)).bytes, status: 400)
        }
        response.fields.append(HTTPField("Cache-Control", "no-store"))
        return response
    }

    private static func members(of fault: FaultKind?, text words: JSONValue) -> JSONObject {
        let code: JSONValue = "fault"
        switch fault {
        case .errorObject: return ["error": ["code": code, "message": words]]
        case .errorNumber: return ["error": ["code": 42, "message": words]]
        case .errorDescription: return ["error": code, "error_description": words]
        case .errorMessage: return ["error": code, "message": words]
        case .descriptionAlone: return ["error_description": words]
        default: return ["message": words]
        }
    }
}
