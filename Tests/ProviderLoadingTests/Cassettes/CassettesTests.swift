import ProviderModel
import Testing

@testable import ProviderLoading

@Suite("Shipped providers run over their cassettes")
struct CassettesTests {
    private static let shipped = ProviderDirectory(folders: [TestProvider.shippedFolder]).entries()
        .map(\.file.id.description)

    @Test(arguments: CassetteStep.all)
    func recordedAnswerIsRead(_ step: CassetteStep) async throws {
        let transport = try ExactReplay(of: step.provider)
        switch step.outcome {
        case .items(let count):
            let result = try await step.result(over: transport)
            #expect(result == "\(count)")
        case .found(let text):
            let result = try await step.result(over: transport)
            #expect(result == text)
        case .failure(let code, let text):
            let error = await #expect(throws: ProviderError.self) { try await step.result(over: transport) }
            #expect(error?.code == code)
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "no message")")
        }
        let unrecorded = transport.requests.subtracting(transport.recorded)
        #expect(unrecorded.isEmpty, "answered by an entry that is only like it")
    }

    @Test(arguments: shipped)
    func everyEntryIsAskedFor(of provider: String) async throws {
        let transport = try ExactReplay(of: provider)
        for step in CassetteStep.all where step.provider == provider {
            _ = try? await step.result(over: transport)  // whether it fails as it should is another test's business
        }
        #expect(transport.recorded.subtracting(transport.requests).isEmpty)
    }
}
