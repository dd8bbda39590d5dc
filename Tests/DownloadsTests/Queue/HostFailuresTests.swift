import Synchronization
import Testing

@testable import Downloads

@Suite struct HostFailuresTests {
    /// The time, and what was warned of.
    private final class Scene: Sendable {
        let time = Mutex(1_000)
        let warnings = Mutex<[String]>([])
    }

    private static let host = "cdn.example.com"
    private let scene: Scene
    private let hosts: HostFailures

    init() {
        let scene = Scene()
        self.scene = scene
        hosts = HostFailures(
            now: { scene.time.withLock(\.self) }, warning: { text in scene.warnings.withLock { $0.append(text) } })
    }

    private var warningCount: Int { scene.warnings.withLock(\.self).count }

    private func fail(_ count: Int, _ code: DownloadError.Code = .transport, status: Int? = nil) {
        for _ in 0..<count { hosts.note(.failed(DownloadError(code, "failed", status: status)), of: Self.host) }
    }

    private func wait(_ seconds: Int) { scene.time.withLock { $0 += seconds } }

    @Test func hostRestsAfterFiftyFailuresInARow() {
        fail(49)
        #expect(hosts.resting(Self.host) == nil)
        fail(1, .status, status: 503)
        #expect(hosts.resting(Self.host)?.code == .resting)
        #expect(hosts.resting("other.example.com") == nil)
        // Those that were under way, and those that were not requested.
        fail(5)
        fail(5, .resting)
        #expect(warningCount == 1)
    }

    @Test func oneFailureAfterItsRestIsEnough() {
        fail(50)
        wait(299)
        #expect(hosts.resting(Self.host) != nil)
        wait(1)
        #expect(hosts.resting(Self.host) == nil)
        fail(1)
        #expect(hosts.resting(Self.host) != nil)
        #expect(warningCount == 2)
    }

    @Test(
        arguments: [(DownloadError.Code.notFound, 404), (.status, 403), (.content, nil)] as [(DownloadError.Code, Int?)]
    )
    func hostThatAnswersDoesNotRest(_ code: DownloadError.Code, _ status: Int?) {
        for _ in 0..<3 {
            fail(49)
            fail(1, code, status: status)
        }
        #expect(hosts.resting(Self.host) == nil)
        #expect(warningCount == 0)
    }
}
