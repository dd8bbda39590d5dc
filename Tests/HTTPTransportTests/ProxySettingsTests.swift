import ProviderModel
import Testing

@testable import HTTPTransport

@Suite struct ProxySettingsTests {
    private let environment = [
        "https_proxy": "http://proxy.example:3128",
        "no_proxy": "localhost, .internal.example,10.0.0.0/8,192.0.2.7,[fd00::1]",
        "HTTP_PROXY": "http://attacker.example",
    ]

    @Test(arguments: [
        ("https://images.example/", true), ("https://a.internal.example/", false), ("https://internal.example/", false),
        ("https://notinternal.example/", true), ("https://10.9.8.7/", false), ("https://11.9.8.7/", true),
        ("https://192.0.2.7/", false), ("https://[fd00:0::1]/", false), ("http://images.example/", false),
    ])
    func exceptionsGoDirectly(text: String, isProxied: Bool) throws {
        let proxy = ProxySettings(environment: environment).proxy(for: try WebURL(text))
        #expect(proxy?.address == (isProxied ? "http://proxy.example:3128" : nil))
    }

    @Test func starExceptsEverything() throws {
        let settings = ProxySettings(environment: ["ALL_PROXY": "socks5h://p:1", "NO_PROXY": "*"])
        #expect(settings.proxy(for: try WebURL("https://a.example/")) == nil)
    }

    @Test func allProxyServesBothSchemes() throws {
        let settings = ProxySettings(environment: ["ALL_PROXY": "socks5h://p:1"])
        #expect(settings.proxy(for: try WebURL("http://a.example/"))?.address == "socks5h://p:1")
    }
}

@Suite struct TrustStoreTests {
    @Test func environmentComesBeforeTheSystem() {
        let bundle = TrustStore(environment: ["CURL_CA_BUNDLE": "/b", "SSL_CERT_FILE": "/f", "SSL_CERT_DIR": "/d"])
        #expect((bundle.file, bundle.folder) == ("/b", nil))
        let both = TrustStore(environment: ["SSL_CERT_FILE": "/f", "SSL_CERT_DIR": "/d", "CURL_CA_BUNDLE": ""])
        #expect((both.file, both.folder) == ("/f", "/d"))
    }

    @Test func systemHasOneOfTheTwo() {
        let system = TrustStore(environment: [:])
        #expect((system.file == nil) != (system.folder == nil) || (system.file == nil && system.folder == nil))
    }
}
