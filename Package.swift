// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .treatWarning("ExplicitSendable", as: .error),
]

/// A library target: strict settings, sources in `Sources/NAME`.
func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A test target for the module of the same name; vectors are copied where a `Vectors` folder is named.
func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

let package = Package(
    name: "AuthKit",
    products: [
        .library(name: "AuthKitCore", targets: ["AuthKitCore"]),
        .library(name: "TransportCurl", targets: ["TransportCurl"]),
        .library(name: "LoopbackHTTP", targets: ["LoopbackHTTP"]),
        .library(name: "ProviderOIDC", targets: ["ProviderOIDC"]),
        .library(name: "ProviderNiantic", targets: ["ProviderNiantic"]),
        .library(name: "StoreFile", targets: ["StoreFile"]),
        .library(name: "StoreSQLite", targets: ["StoreSQLite"]),
        .library(name: "StorePostgres", targets: ["StorePostgres"]),
        .library(name: "KeySourceSecretService", targets: ["KeySourceSecretService"]),
        .library(name: "AuthKitDevServer", targets: ["AuthKitDevServer"]),
        .library(name: "AuthKitTesting", targets: ["AuthKitTesting"]),
        .executable(name: "authkit", targets: ["authkit-cli"]),
    ],
    traits: [
        .trait(name: "Postgres", description: "StorePostgres: a store that machines share; needs libpq-dev to build.")
    ],
    targets: [
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CMicroHTTPD"),
        .systemLibrary(name: "CPostgres"),
        .systemLibrary(name: "CSecret"),
        library("AuthKitCore", ["COpenSSL"]),
        library("TransportCurl", ["AuthKitCore", "CCurl"]),
        library("LoopbackHTTP", ["AuthKitCore", "CMicroHTTPD"]),
        library("ProviderOIDC", ["AuthKitCore"]),
        library("ProviderNiantic", ["AuthKitCore"]),
        library("StoreFile", ["AuthKitCore"]),
        library("StoreSQLite", ["AuthKitCore", "CSQLite"]),
        library("StorePostgres", ["AuthKitCore", "CPostgres"]),
        library("KeySourceSecretService", ["AuthKitCore", "CSecret"]),
        library("AuthKitDevServer", ["AuthKitCore", "LoopbackHTTP"]),
        library("AuthKitTesting", ["AuthKitCore"]),
        .executableTarget(
            name: "authkit-cli",
            dependencies: [
                "AuthKitCore", "TransportCurl", "LoopbackHTTP", "ProviderOIDC", "ProviderNiantic", "StoreFile",
                "StoreSQLite", "KeySourceSecretService", "AuthKitDevServer",
                .target(name: "StorePostgres", condition: .when(traits: ["Postgres"])),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "AuthKitBenchmarks",
            dependencies: [
                "AuthKitCore", "StoreFile", "StoreSQLite", "AuthKitTesting", "CBenchmark", "COpenSSL", "CSQLite",
            ],
            path: "Benchmarks/AuthKitBenchmarks",
            swiftSettings: strict
        ),
        .target(name: "CBenchmark", path: "Benchmarks/CBenchmark"),
        .executableTarget(
            name: "NSDKSessionExample",
            dependencies: ["AuthKitCore", "AuthKitDevServer", "ProviderNiantic", "StoreSQLite", "TransportCurl"],
            path: "Examples/NSDKSession",
            // What a program elsewhere may use, and no more.
            packageAccess: false,
            swiftSettings: strict
        ),
        tests("AuthKitCoreTests", ["AuthKitCore", "AuthKitTesting"], resources: [.copy("Vectors")]),
        tests("TransportCurlTests", ["TransportCurl", "AuthKitTesting"]),
        tests("LoopbackHTTPTests", ["LoopbackHTTP", "TransportCurl", "AuthKitTesting"]),
        tests("ProviderOIDCTests", ["ProviderOIDC", "AuthKitTesting"]),
        tests("ProviderNianticTests", ["ProviderNiantic", "AuthKitDevServer", "LoopbackHTTP", "AuthKitTesting"]),
        .target(
            name: "StoreTestSupport",
            dependencies: ["AuthKitCore", "AuthKitTesting"],
            path: "Tests/StoreTestSupport",
            swiftSettings: strict
        ),
        .target(name: "CFailingDisk", path: "Tests/CFailingDisk"),
        .target(name: "CFailingVFS", path: "Tests/CFailingVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "store-user",
            dependencies: ["AuthKitCore", "StoreFile", "StoreTestSupport"],
            path: "Tests/StoreUser",
            swiftSettings: strict
        ),
        tests(
            "StoreFileTests",
            ["AuthKitCore", "StoreFile", "AuthKitTesting", "StoreTestSupport", "CFailingDisk", "store-user"]
        ),
        tests(
            "StoreSQLiteTests",
            ["AuthKitCore", "StoreSQLite", "AuthKitTesting", "StoreTestSupport", "CSQLite", "CFailingVFS"]
        ),
        .target(
            name: "PostgresTestServer",
            dependencies: ["AuthKitCore"],
            path: "Tests/PostgresTestServer",
            swiftSettings: strict
        ),
        .testTarget(
            name: "StorePostgresTests",
            dependencies: [
                "AuthKitCore", "StorePostgres", "StoreFile", "StoreSQLite", "AuthKitTesting", "StoreTestSupport",
                "PostgresTestServer", "CPostgres",
            ],
            swiftSettings: strict,
            linkerSettings: [.linkedLibrary("pq", .when(traits: ["Postgres"]))]
        ),
        .executableTarget(
            name: "PostgresProof",
            dependencies: ["AuthKitCore", "StorePostgres", "PostgresTestServer"],
            path: "Tests/PostgresProof",
            swiftSettings: strict
        ),
        tests("KeySourceSecretServiceTests", ["KeySourceSecretService", "AuthKitTesting"]),
        .executableTarget(
            name: "AuthKitVictim",
            dependencies: [
                "AuthKitCore", "StoreFile", "StoreSQLite", "ProviderOIDC", "TransportCurl", "AuthKitTesting",
            ],
            path: "Tests/Victim",
            swiftSettings: strict
        ),
        tests(
            "AuthKitDevServerTests",
            [
                "AuthKitDevServer", "ProviderOIDC", "StoreFile", "StoreSQLite", "TransportCurl", "AuthKitTesting",
                "AuthKitVictim", "NSDKSessionExample",
            ]
        ),
        tests("CommandTests", ["authkit-cli", "AuthKitDevServer", "ProviderOIDC", "TransportCurl", "AuthKitTesting"]),
    ],
    swiftLanguageModes: [.v6]
)
