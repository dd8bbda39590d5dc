// swift-tools-version: 6.1

import PackageDescription

let package = Package(
    name: "imgscript",
    products: [
        .executable(name: "imgscript", targets: ["imgscript"]),
        .executable(name: "imgscript-worker", targets: ["imgscript-worker"]),
        .library(name: "ImgScript", targets: ["ImgScriptKit"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CJavaScriptCore", pkgConfig: "javascriptcoregtk-4.1",
            providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CSpawn"),

        .target(name: "ProviderModel"),
        .target(name: "WorkerProtocol", dependencies: ["ProviderModel"]),
        .target(
            name: "ScriptEngine",
            dependencies: ["CGLib", "CJavaScriptCore", "CLibXML2", "CSeccomp", "ProviderModel", "WorkerProtocol"],
            resources: [.embedInCode("prelude")]),
        .target(name: "ScriptWorker", dependencies: ["CSpawn", "ProviderModel", "WorkerProtocol"]),
        .target(
            name: "HTTPTransport",
            dependencies: ["CCurl", "ProviderModel", .product(name: "HTTPTypes", package: "swift-http-types")]),
        .target(
            name: "ProviderLoading",
            dependencies: [
                "ProviderModel", "ScriptWorker", "HTTPTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(name: "Search", dependencies: ["ProviderModel"]),
        .target(
            name: "ProviderTesting",
            dependencies: [
                "ProviderLoading", "ProviderModel", "Search", "HTTPTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "ImgScriptKit",
            dependencies: [
                "ProviderModel", "ProviderLoading", "ProviderTesting", "ScriptWorker", "Search", "HTTPTransport",
            ]),
        .target(
            name: "Commands",
            dependencies: [
                "ImgScriptKit", "ProviderModel", "ProviderLoading", "ProviderTesting", "ScriptWorker", "Search",
                "HTTPTransport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(name: "imgscript", dependencies: ["Commands"]),
        .executableTarget(name: "imgscript-worker", dependencies: ["ScriptEngine"]),
    ],
    swiftLanguageModes: [.v6]
)
