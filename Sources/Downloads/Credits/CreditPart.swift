import Dispatch

/// What files of credits say of some files one after another.
///
/// `@unchecked`: once its work has begun, nobody else touches it before the work has ended.
final class CreditPart: @unchecked Sendable {
    var files: [ListedFile] = []
    /// What each format says of those that are there.
    private(set) var texts: [[UInt8]]
    /// Those that are not there.
    private(set) var missing: [String] = []
    /// What the sources want to be said once.
    private(set) var notices: [String] = []
    private(set) var isEmpty = true
    private let ledger: CreditLedger
    private var work: DispatchWorkItem?

    init(of ledger: CreditLedger) {
        self.ledger = ledger
        texts = ledger.formats.map { _ in [] }
    }

    /// Has it done elsewhere.
    func begin(on queue: DispatchQueue) {
        let work = DispatchWorkItem { self.write() }
        self.work = work
        queue.async(execute: work)
    }

    /// Returns when it is done, which is done here if it was not begun.
    func finish() {
        if let work { work.wait() } else { write() }
        work = nil
    }

    private func write() {
        for file in files {
            guard file.wasSeen || ledger.isThere(file.path) else {
                missing.append(file.path)
                continue
            }
            let credit = Credit(kept: file.kept)
            if let notice = credit.notice, !notices.contains(notice) { notices.append(notice) }
            for (place, format) in ledger.formats.enumerated() {
                if !isEmpty { texts[place].add(format.separator) }
                format.write(file.path, credit, to: &texts[place])
            }
            isEmpty = false
        }
        files = []
    }
}
