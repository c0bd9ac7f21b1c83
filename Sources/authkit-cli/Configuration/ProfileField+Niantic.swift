extension ProfileField {
    /// The fields of a profile of the NSDK, for all of its flows.
    static let niantic: [ProfileField] =
        [
            ProfileField(
                "flow",
                "FLOW",
                .choice(NianticProfile.Flow.allCases.map(\.rawValue)),
                "how the NSDK's access token comes; sample unless given"
            ),
            ProfileField(
                "identity-url",
                "URL",
                .url,
                "the identity service, or its full endpoint; Niantic's unless given"
            ),
            ProfileField("sign-in-url", "URL", .url, "the page at which a person signs in; Niantic's unless given"),
            ProfileField(
                "sign-out-url",
                "URL",
                .url,
                "the page that ends the browser's session; Niantic's beside Niantic's sign-in page, else none"
            ),
            ProfileField(
                "redirect-type",
                "TYPE",
                .text,
                "nsdk-samples unless given, nsdk-external, nsdk-unity-samples, or unity-editor for a loopback port"
            ),
            ProfileField("allow-redirect-type", "TYPE", .list, "another scheme that the sign-in page redirects to"),
            ProfileField(
                "user-id-claim",
                "NAME",
                .list,
                "a claim that may name the user where a token has no sub, before those that usually do"
            ),
            ProfileField("api-key-file", "FILE", .secretFile, "a file, 0600, with a service account's key"),
            ProfileField("token-file", "FILE", .secretFile, "a file, 0600, with a developer token"),
            ProfileField("backend-url", "URL", .url, "where your own back end hands out access tokens"),
            ProfileField("backend-method", "METHOD", .choice(["GET", "POST"]), "how it is asked; GET unless given"),
            ProfileField(
                "backend-header-file",
                "FILE",
                .secretFile,
                "a file, 0600, with header fields for it, `Name: value` on each line"
            ),
            ProfileField("backend-token-field", "NAME", .text, "its answer's member with the token; accessToken"),
            ProfileField("backend-lifetime-field", "NAME", .text, "the one with the lifetime in seconds; expiresIn"),
            ProfileField("backend-end-field", "NAME", .text, "the one with the end in seconds since 1970; expiresAt"),
            ProfileField("backend-error-field", "NAME", .text, "the one with an error; error"),
        ] + oidc.filter { ["redirect-uri", "ca-file"].contains($0.flag) }
}
