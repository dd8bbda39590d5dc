// swift-tools-version: 6.1

import PackageDescription

/// The modules whose branches libFuzzer counts, or "all"; nil but for `make fuzz`.
let counted = Context.environment["IMGSCRIPT_FUZZING"]?.split(separator: " ").map(String.init)
/// The parsers that are held to any bytes: a test of its corpus, and for `make fuzz` a program that libFuzzer runs.
let fuzzed = [
    "BrowserCookies", "Downloads", "HTTPCaching", "HTTPTransport", "Packs", "ProviderAuthoring", "ProviderModel",
    "ProviderRuntime", "ProviderTesting", "RateLimits", "Search", "WorkerProtocol",
]
let fuzzing: Target =
    counted != nil
    ? .executableTarget(
        name: "imgscript-fuzz", dependencies: fuzzed.map { .byName(name: $0) } + [.httpTypes],
        path: "Tests/FuzzingTests", exclude: ["Corpus", "CorpusTests.swift"],
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])])
    : .testTarget(
        name: "FuzzingTests", dependencies: fuzzed.map { .byName(name: $0) } + [.httpTypes],
        exclude: ["Corpus", "Fuzzer.swift"])

let package = Package(
    name: "imgscript",
    products: [
        .executable(name: "imgscript", targets: ["imgscript"]),
        .executable(name: "imgscript-worker", targets: ["imgscript-worker"]),
        .executable(name: "imgscript-gallery", targets: ["imgscript-gallery"]),
        .library(name: "ImgScript", targets: ["ImgScript"]),
        .library(name: "ProviderTesting", targets: ["ProviderTesting"]),
        .library(name: "HTTPCaching", targets: ["HTTPCaching", "HTTPTransport", "ProviderModel"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    ],
    targets: [
        // System libraries, each with one door.
        .systemLibrary(
            name: "CJavaScriptCore", pkgConfig: "javascriptcoregtk-4.1",
            providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]),
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .target(name: "CCurl"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "CLibArchive"),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .target(name: "CSystemCalls"),
        .target(
            name: "CBuild",
            // As literals: a URL without quotation marks would end at its slashes, which begin a comment.
            cSettings: ["IMGSCRIPT_COMMIT", "IMGSCRIPT_CORE_KEY", "IMGSCRIPT_INDEX"].compactMap { name in
                Context.environment[name].flatMap { $0.isEmpty ? nil : .define(name, to: "\"\($0)\"") }
            }),
        .target(name: "CMetadata", linkerSettings: [.linkedLibrary("dl")]),

        // Both processes.
        .target(name: "ProviderModel", dependencies: ["CSystemCalls"]),
        .target(name: "WorkerProtocol", dependencies: ["ProviderModel"]),

        // The worker.
        .target(
            name: "ScriptEngine",
            dependencies: [
                "CGLib", "CJavaScriptCore", "CLibXML2", "CSeccomp", "ProviderModel", "WorkerProtocol",
            ],
            resources: [.embedInCode("HTML/references.txt"), .embedInCode("prelude")]),
        .executableTarget(name: "imgscript-worker", dependencies: ["ScriptEngine"]),

        // The host.
        .target(
            name: "LocalDatabase",
            dependencies: [
                "CZlib", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .target(
            name: "HTTPTransport",
            dependencies: ["CBrotli", "CCurl", "CPSL", "CZlib", "CZstd", "ProviderModel", .crypto, .httpTypes]),
        .target(
            name: "HTTPCaching",
            dependencies: ["HTTPTransport", "LocalDatabase", "ProviderModel", .crypto, .httpTypes]),
        .target(
            name: "BrowserCookies",
            dependencies: [
                "HTTPTransport", "LocalDatabase", "ProviderModel", .crypto,
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),
        .target(
            name: "RateLimits",
            dependencies: ["HTTPTransport", "LocalDatabase", "ProviderModel", .crypto, .httpTypes]),
        .target(
            name: "Downloads",
            dependencies: [
                "CLibArchive", "CMetadata", "CSystemCalls", "CZlib", "HTTPTransport", "LocalDatabase", "ProviderModel",
                .asyncAlgorithms, .crypto, .httpTypes,
            ]),
        .target(
            name: "ProviderRuntime",
            dependencies: [
                "CSystemCalls", "HTTPTransport", "ProviderModel", "WorkerProtocol", .crypto, .httpTypes,
            ]),
        .target(name: "Search", dependencies: ["LocalDatabase", "ProviderModel"]),
        .target(
            name: "ProviderTesting",
            dependencies: [
                "HTTPTransport", "ProviderRuntime", "ProviderModel", "WorkerProtocol", .httpTypes,
            ]),
        .target(
            name: "ProviderAuthoring",
            dependencies: [
                "HTTPTransport", "ProviderRuntime", "ProviderModel", "ProviderTesting", "WorkerProtocol", .httpTypes,
            ]),
        .target(
            name: "Packs",
            dependencies: [
                "CLibArchive", "CSodium", "CZlib", "HTTPTransport", "ProviderModel", "ProviderRuntime", .crypto,
                .httpTypes,
            ]),
        .target(
            name: "ImgScript",
            dependencies: [
                "BrowserCookies", "Downloads", "HTTPCaching", "HTTPTransport", "LocalDatabase", "ProviderRuntime",
                "ProviderModel", "RateLimits", "Search", .crypto, .logging,
            ]),
        .target(
            name: "Commands",
            dependencies: [
                "CBuild", "Downloads", "HTTPCaching", "HTTPTransport", "ImgScript", "Packs", "ProviderAuthoring",
                "ProviderRuntime", "ProviderModel", "ProviderTesting", "Search",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: [.embedInCode("MCP/descriptions.json")]),
        .executableTarget(name: "imgscript", dependencies: ["Commands"]),

        // The gallery: a process of its own, so that the command line stays small.
        .target(
            name: "Gallery",
            dependencies: [
                "CSystemCalls", "Downloads", "HTTPTransport", "ImgScript", "ProviderModel",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"), .crypto, .httpTypes, .logging,
            ],
            exclude: ["Page/types.d.ts"],
            resources: [.embedInCode("API/openapi.json"), .embedInCode("Page")]),
        .executableTarget(
            name: "imgscript-gallery",
            dependencies: [
                "Gallery", "ImgScript", .logging,
            ]),

        // Measurements that stand in the README, run by `make benchmark`.
        .executableTarget(
            name: "worker-benchmark", dependencies: ["ProviderModel", "ProviderRuntime", "WorkerProtocol"],
            path: "Benchmarks/WorkerBenchmark"),
        .executableTarget(
            name: "cache-benchmark",
            dependencies: ["HTTPCaching", "HTTPTransport", "LocalDatabase", "ProviderModel", .httpTypes],
            path: "Benchmarks/CacheBenchmark"),
        .executableTarget(
            name: "download-benchmark", dependencies: ["Downloads", "HTTPTransport", "ProviderModel"],
            path: "Benchmarks/DownloadBenchmark"),

        // Small programs over the library, which the tests run.
        .executableTarget(
            name: "image-server", dependencies: ["ImgScript", .product(name: "Hummingbird", package: "hummingbird")],
            path: "Examples/ImageServer"),
        .executableTarget(name: "contact-sheet", dependencies: ["ImgScript"], path: "Examples/ContactSheet"),

        .executableTarget(name: "sandbox-probe", dependencies: ["ScriptEngine"], path: "Tests/SandboxProbe"),
        .executableTarget(
            name: "cache-probe",
            dependencies: ["HTTPCaching", "HTTPTransport", "ProviderModel", "TestSupport", .httpTypes],
            path: "Tests/CacheProbe"),
        .executableTarget(
            name: "cache-suite", dependencies: ["HTTPCaching", "HTTPTransport", "ProviderModel", .httpTypes],
            path: "Tests/CacheSuite", exclude: ["run.mjs"]),
        .executableTarget(
            name: "rate-probe", dependencies: ["HTTPTransport", "ProviderModel", "RateLimits"], path: "Tests/RateProbe"),
        .executableTarget(
            name: "listing-simulator",
            dependencies: [
                "HTTPTransport", "ImgScript", "ProviderModel", "ProviderRuntime", "Search", "WorkerProtocol",
            ],
            path: "Tests/ListingSimulation"),
        .target(name: "TestSupport", dependencies: ["ProviderModel"], path: "Tests/TestSupport"),
        .target(
            name: "ProviderTestSupport",
            dependencies: [
                "HTTPTransport", "ProviderModel", "ProviderRuntime", "ProviderTesting", "TestSupport", .httpTypes,
            ],
            path: "Tests/ProviderTestSupport"),
        .testTarget(name: "ProviderModelTests", dependencies: ["ProviderModel", "TestSupport"]),
        .testTarget(name: "WorkerProtocolTests", dependencies: ["ProviderModel", "TestSupport", "WorkerProtocol"]),
        .testTarget(
            name: "ScriptEngineTests",
            dependencies: [
                "CJavaScriptCore", "CLibXML2", "ProviderModel", "ScriptEngine", "TestSupport", "WorkerProtocol",
            ]),
        .testTarget(
            name: "HTTPTransportTests", dependencies: ["HTTPTransport", "ProviderModel", "TestSupport", .httpTypes]),
        .testTarget(
            name: "BrowserCookiesTests",
            dependencies: [
                "BrowserCookies", "HTTPTransport", "LocalDatabase", "ProviderModel", "TestSupport", .crypto,
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),
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
                "CMetadata", "CSystemCalls", "Downloads", "HTTPTransport", "LocalDatabase", "ProviderModel",
                "TestSupport",
                "download-benchmark", .crypto, .httpTypes,
            ]),
        .testTarget(
            name: "RateLimitsTests",
            dependencies: [
                "HTTPTransport", "LocalDatabase", "ProviderModel", "RateLimits", "TestSupport", "rate-probe",
                .httpTypes,
            ]),
        .testTarget(
            name: "ProviderRuntimeTests",
            dependencies: [
                "CSystemCalls", "HTTPTransport", "ProviderModel", "ProviderRuntime", "ProviderTestSupport", "Search",
                "TestSupport",
                "WorkerProtocol", "imgscript-worker", "sandbox-probe", .httpTypes,
            ]),
        .testTarget(
            name: "ProviderTestingTests",
            dependencies: [
                "HTTPTransport", "ProviderRuntime", "ProviderModel", "ProviderTesting", "ProviderTestSupport",
                "TestSupport",
                "imgscript-worker", .httpTypes,
            ]),
        .testTarget(
            name: "ProviderAuthoringTests",
            dependencies: [
                "HTTPTransport", "ProviderAuthoring", "ProviderModel", "ProviderRuntime", "ProviderTesting",
                "ProviderTestSupport", "TestSupport", "imgscript-worker", .httpTypes,
            ]),
        .testTarget(
            name: "PacksTests",
            dependencies: [
                "HTTPTransport", "Packs", "ProviderRuntime", "ProviderModel", "TestSupport", "imgscript-worker",
            ]),
        .testTarget(name: "SearchTests", dependencies: ["LocalDatabase", "ProviderModel", "Search", "TestSupport"]),
        .testTarget(name: "ListingSimulationTests", dependencies: ["TestSupport", "listing-simulator"]),
        .testTarget(
            name: "GalleryTests",
            dependencies: [
                "Gallery", "ImgScript", "TestSupport", "imgscript", "imgscript-gallery", "imgscript-worker", .httpTypes,
            ],
            exclude: ["API", "Browser", "requirements.txt"]),
        fuzzing,
        .testTarget(
            name: "CommandsTests",
            dependencies: ["Commands", "ImgScript", "ProviderModel", "ProviderRuntime", "TestSupport"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "HTTPTransport", "ImgScript", "LocalDatabase", "Packs", "ProviderRuntime", "TestSupport",
                "contact-sheet", "image-server", "imgscript", "imgscript-worker", .crypto,
            ]),
    ],
    swiftLanguageModes: [.v6]
)

if let counted {
    // Libraries count no branches: libFuzzer goes through all counters after each input.
    for target in package.targets where fuzzed.contains(target.name) || target.name == fuzzing.name {
        let isCounted = target.name == fuzzing.name || counted == ["all"] || counted.contains(target.name)
        let sanitizers = isCounted ? "fuzzer,address" : "address"
        target.swiftSettings = [.unsafeFlags(["-sanitize=\(sanitizers)", "-enable-testing"])]
    }
}

extension Target.Dependency {
    fileprivate static var asyncAlgorithms: Self {
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms")
    }
    fileprivate static var logging: Self { .product(name: "Logging", package: "swift-log") }
    fileprivate static var crypto: Self { .product(name: "Crypto", package: "swift-crypto") }
    fileprivate static var httpTypes: Self { .product(name: "HTTPTypes", package: "swift-http-types") }
}
