import ProviderTesting
import Testing

@Test func openverseConforms() async {
    #expect(await ProviderConformance.run(file: "providers/openverse.js").failures == [])
}
