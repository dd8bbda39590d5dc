import ProviderModel
import Testing

@testable import Downloads

@Suite struct DownloadScheduleTests {
    private func planned(_ count: Int) throws -> [PlannedDownload] {
        try (0..<count).map { number in
            let url = try WebURL("https://example.org/\(number).jpg")
            return try DownloadPlanner().plan(DownloadRequest(.file(url), from: .bareURLs, index: number + 1))
        }
    }

    private func schedule(of count: Int, jobs: Int = 1, isLast: Bool) throws -> DownloadSchedule {
        let schedule = DownloadSchedule(jobs: .fixed(jobs), perHost: nil, executors: [])
        #expect(schedule.asksForInput())
        schedule.add(try planned(count), isLast: isLast)
        return schedule
    }

    @Test func whatEndsIsFollowedUntilNothingWaits() throws {
        let schedule = try schedule(of: 200, isLast: true)
        var paths: [String] = []
        var turn = schedule.next()
        #expect(schedule.next()?.planned.key == nil)
        while let current = turn {
            paths.append(current.planned.media.url.path)
            turn = schedule.ended(current, DownloadCounter(), at: .zero, mayFollow: true).first
        }
        #expect(paths == (0..<200).map { "/\($0).jpg" })
    }

    @Test func nothingFollowsWhenMoreIsToBePlanned() throws {
        let schedule = try schedule(of: 10, isLast: false)
        let turn = try #require(schedule.next())
        #expect(schedule.ended(turn, DownloadCounter(), at: .zero, mayFollow: true).isEmpty)
        #expect(schedule.asksForInput())
        #expect(!schedule.asksForInput())
        #expect(schedule.next()?.planned.media.url.path == "/1.jpg")
    }

    @Test func asManyFollowAsTheHostTurnsOutToTake() throws {
        let schedule = try schedule(of: 10, jobs: 2, isLast: true)
        let turns = try [#require(schedule.next()), #require(schedule.next())]
        #expect(schedule.next()?.planned.key == nil)
        let counter = DownloadCounter()
        counter.noteVersion("2")
        #expect(schedule.ended(turns[0], counter, at: .zero, mayFollow: true).count == 8)
    }

    @Test func whatFollowsGoesWhereThereIsLessToDo() {
        var loads = ExecutorLoads([globalConcurrentExecutor, globalConcurrentExecutor])
        let places = (0..<8).map { _ in loads.begin().place }
        #expect(places == [0, 1, 0, 1, 0, 1, 0, 1])
        #expect(loads.follow(1).place == 1, "it is even")
        // Nothing follows what has ended there: a host takes fewer for a while.
        for _ in 0..<3 { loads.end(0) }
        #expect([1, 1, 1].map { loads.follow($0).place } == [0, 1, 1], "one and four become two and three")
    }
}
