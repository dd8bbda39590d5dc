import Foundation
import ProviderTesting
import Testing

// What a program that ships providers of its own writes, and all it needs: README.md shows it.
@Test func openverseConforms() async {
    #expect(await ProviderConformance.run(file: "\(shippedProviders)/openverse.js").failures == [])
}

private let shippedProviders = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/\($1)" } + "/providers"
