import ImgScript
import ProviderTesting

extension LiveService {
    /// The real services as an engine reaches them, with the user's keys.
    init(_ engine: ImageEngine) throws {
        self.init(
            transport: try engine.liveTransport(), credentials: engine.userCredentials, today: ImageEngine.today)
    }
}
