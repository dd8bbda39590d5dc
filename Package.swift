// swift-tools-version: 6.1

import PackageDescription

let package = Package(
    name: "imgscript",
    products: [
        .executable(name: "imgscript", targets: ["imgscript"]),
        .executable(name: "imgscript-worker", targets: ["imgscript-worker"]),
        .library(name: "ImgScript", targets: ["ImgScriptKit"]),
        .library(name: "ProviderTesting", targets: ["ProviderTesting"]),
        .library(name: "HTTPCaching", targets: ["HTTPCaching", "HTTPTransport", "ProviderModel"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
    ],
    targets: [
        // System libraries, each with one door.
        .systemLibrary(
            name: "CJavaScriptCore", pkgConfig: "javascriptcoregtk-4.1",
            providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]),
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CLibArchive", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CSodium", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CSpawn"),
        .target(name: "CEarlyStart", dependencies: ["CFiles", "CLargePages", "CSpawn"]),
        .target(name: "CFiles"),
        .target(name: "CMetadata", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CXXHash"),

        // Both sides of the wall.
        .target(name: "CLargePages"),
        .target(name: "ProviderModel"),
        .target(name: "WorkerProtocol", dependencies: ["ProviderModel"]),

        // The worker's side.
        .target(
            name: "ScriptEngine",
            dependencies: [
                "CGLib", "CJavaScriptCore", "CLibXML2", "CSeccomp", "ProviderModel", "WorkerProtocol",
            ],
            resources: [.embedInCode("prelude")]),
        .target(name: "CArguments"),
        .target(name: "CHeap"),
        .executableTarget(
            name: "imgscript-worker", dependencies: ["CArguments", "CHeap", "CLargePages", "ScriptEngine"]),

        // The host's side.
        .target(name: "ScriptWorker", dependencies: ["CSpawn", "ProviderModel", "WorkerProtocol"]),
        .target(
            name: "LocalDatabase",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .target(name: "HTTPTransport", dependencies: ["CCurl", "CFiles", "ProviderModel", .httpTypes]),
        .target(
            name: "HTTPCaching",
            dependencies: ["HTTPTransport", "LocalDatabase", "ProviderModel", .crypto, .httpTypes]),
        .target(
            name: "RateLimits",
            dependencies: ["HTTPTransport", "LocalDatabase", "ProviderModel", .crypto, .httpTypes]),
        .target(
            name: "Downloads",
            dependencies: [
                "CFiles", "CMetadata", "CXXHash", "HTTPTransport", "LocalDatabase", "ProviderModel", .crypto,
                .httpTypes,
            ]),
        .target(
            name: "ProviderLoading",
            dependencies: [
                "HTTPTransport", "ProviderModel", "ScriptWorker", "WorkerProtocol", .crypto, .httpTypes,
            ]),
        .target(name: "Search", dependencies: ["ProviderModel"]),
        .target(
            name: "ProviderTesting",
            dependencies: [
                "HTTPTransport", "ProviderLoading", "ProviderModel", "ScriptWorker", "WorkerProtocol", .httpTypes,
            ]),
        .target(
            name: "Packs",
            dependencies: [
                "CFiles", "CLibArchive", "CSodium", "HTTPTransport", "ProviderLoading", "ProviderModel",
                "ProviderTesting",
                "ScriptWorker", .crypto,
            ]),
        .target(
            name: "ImgScriptKit",
            dependencies: [
                "Downloads", "HTTPCaching", "HTTPTransport", "ProviderLoading", "ProviderModel", "ProviderTesting",
                "RateLimits",
                "ScriptWorker", "Search",
            ]),
        .target(
            name: "Commands",
            dependencies: [
                "CEarlyStart", "HTTPCaching", "HTTPTransport", "ImgScriptKit", "Packs", "ProviderLoading",
                "ProviderModel", "ProviderTesting", "ScriptWorker", "Search",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(name: "imgscript", dependencies: ["Commands"]),

        // Measurements that stand in the README, run by `make benchmark`.
        .executableTarget(
            name: "wall-benchmark", dependencies: ["ProviderModel", "ScriptWorker", "WorkerProtocol"],
            path: "Benchmarks/WallBenchmark"),
        .executableTarget(
            name: "cache-benchmark",
            dependencies: ["HTTPCaching", "HTTPTransport", "LocalDatabase", "ProviderModel", .httpTypes],
            path: "Benchmarks/CacheBenchmark"),
        .executableTarget(
            name: "download-benchmark", dependencies: ["Downloads", "HTTPTransport", "ProviderModel"],
            path: "Benchmarks/DownloadBenchmark"),

        .executableTarget(name: "sandbox-probe", dependencies: ["ScriptEngine"], path: "Tests/SandboxProbe"),
        .executableTarget(
            name: "cache-probe",
            dependencies: ["HTTPCaching", "HTTPTransport", "ProviderModel", "TestSupport", .httpTypes],
            path: "Tests/CacheProbe"),
        .executableTarget(
            name: "rate-probe", dependencies: ["HTTPTransport", "ProviderModel", "RateLimits"], path: "Tests/RateProbe"),
        .target(name: "TestSupport", dependencies: ["ProviderModel"], path: "Tests/TestSupport"),
        .testTarget(name: "ProviderModelTests", dependencies: ["ProviderModel"]),
        .testTarget(name: "WorkerProtocolTests", dependencies: ["ProviderModel", "TestSupport", "WorkerProtocol"]),
        .testTarget(
            name: "ScriptEngineTests",
            dependencies: [
                "CJavaScriptCore", "CLibXML2", "ProviderModel", "ScriptEngine", "TestSupport", "WorkerProtocol",
            ]),
        .testTarget(
            name: "ScriptWorkerTests",
            dependencies: [
                "CSpawn", "ProviderModel", "ScriptWorker", "TestSupport", "WorkerProtocol", "imgscript-worker",
                "sandbox-probe",
            ]),
        .testTarget(
            name: "HTTPTransportTests", dependencies: ["HTTPTransport", "ProviderModel", "TestSupport", .httpTypes]),
        .testTarget(name: "LocalDatabaseTests", dependencies: ["LocalDatabase", "TestSupport"]),
        .testTarget(
            name: "HTTPCachingTests",
            dependencies: [
                "HTTPCaching", "HTTPTransport", "LocalDatabase", "ProviderModel", "TestSupport", "cache-probe",
                .httpTypes,
            ]),
        .testTarget(
            name: "DownloadsTests",
            dependencies: [
                "CFiles", "CMetadata", "Downloads", "HTTPTransport", "LocalDatabase", "ProviderModel", "TestSupport",
                "download-benchmark", .crypto, .httpTypes,
            ]),
        .testTarget(
            name: "RateLimitsTests",
            dependencies: [
                "HTTPTransport", "LocalDatabase", "ProviderModel", "RateLimits", "TestSupport", "rate-probe",
                .httpTypes,
            ]),
        .testTarget(
            name: "ProviderLoadingTests",
            dependencies: [
                "HTTPTransport", "ProviderLoading", "ProviderModel", "ProviderTesting", "ScriptWorker", "Search",
                "TestSupport", "WorkerProtocol", "imgscript-worker", .httpTypes,
            ]),
        .testTarget(
            name: "ProviderTestingTests",
            dependencies: [
                "HTTPTransport", "ProviderLoading", "ProviderModel", "ProviderTesting", "ScriptWorker", "TestSupport",
                "imgscript-worker", .httpTypes,
            ]),
        .testTarget(
            name: "PacksTests",
            dependencies: [
                "Packs", "ProviderLoading", "ProviderModel", "ProviderTesting", "ScriptWorker", "TestSupport",
                "imgscript-worker",
            ]),
        .testTarget(name: "SearchTests", dependencies: ["ProviderModel", "Search", "TestSupport"]),
        .testTarget(name: "CommandsTests", dependencies: ["Commands", "ImgScriptKit", "ProviderModel", "TestSupport"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["ImgScriptKit", "Packs", "TestSupport", "imgscript", "imgscript-worker", .crypto]),
    ],
    swiftLanguageModes: [.v6]
)

extension Target.Dependency {
    fileprivate static var crypto: Self { .product(name: "Crypto", package: "swift-crypto") }
    fileprivate static var httpTypes: Self { .product(name: "HTTPTypes", package: "swift-http-types") }
}
