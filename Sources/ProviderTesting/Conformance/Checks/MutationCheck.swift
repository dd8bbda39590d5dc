import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Recorded answers, changed as sources change them, end in a clear error or a correct result.
struct MutationCheck: ConformanceCheck {
    let name = "changed responses end in a clear error or a correct result"
    let reason = "Sources change without notice; a wrong item in an archive is worse than an error."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let calls = calls(of: subject)
        guard !calls.isEmpty else { return .skipped("no recorded responses") }
        var chance = SeededChance(seed: subject.settings.seed)
        var findings = CheckFindings()
        var (tried, errors, results, unjudged) = (0, 0, 0, 0)
        for (position, known) in calls.enumerated() {
            let share =
                subject.settings.mutations / calls.count + (position < subject.settings.mutations % calls.count ? 1 : 0)
            // The first and the last answer of a call in several steps; those between are like one of them.
            let indices = Array(Set([0, known.answers.count - 1])).sorted()
            for index in indices {
                let body = known.answers[index].body
                for mutation in AnswerMutation.some(share / indices.count, of: body, by: &chance) {
                    tried += 1
                    switch await judge(mutation, of: known, at: index, on: subject, &findings) {
                    case .error: errors += 1
                    case .result: results += 1
                    case .unjudged: unjudged += 1
                    }
                }
            }
        }
        findings.note =
            "\(tried) changes: \(errors) errors, \(results) results"
            + (unjudged > 0 ? ", \(unjudged) led to requests that are not recorded" : "")
        return findings
    }

    private enum Judgement {
        case error
        case result
        case unjudged
    }

    /// One recorded call of each operation that reads an answer.
    private func calls(of subject: ConformanceSubject) -> [ConformanceSubject.Recorded] {
        ProviderOperation.allCases.compactMap { operation in
            subject.recorded.first {
                $0.call.operation == operation && !$0.answers.isEmpty && $0.answers.count == $0.requests.count
            }
        }
    }

    private func judge(
        _ mutation: AnswerMutation, of known: ConformanceSubject.Recorded, at index: Int,
        on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) async -> Judgement {
        let capture = await subject.play(known.call, changing: index) { response in
            var changed = response
            changed.body = mutation.body
            return changed
        }
        let what = "\(known.call), \(mutation.label)"
        let place = subject.location(of: known.call.operation)
        if let wrong = capture.requests.lazy.compactMap({
            MissingValueText.word(in: PercentEncoding.decode($0.url.description))
        })
        .first,
            !known.requests.contains(where: { MissingValueText.word(in: $0.url.description) != nil })
        {
            findings.fail(
                "\(what): found a request with \"\(wrong)\" in it (\(capture.requests.last?.url.description ?? "")), expected an error",
                hint: "check the value before using it in a URL", location: place)
        }
        switch capture.result {
        case .success(let result):
            check(result, of: mutation, against: known, what, on: subject, &findings)
            return .result
        case .failure(let error):
            if error is UnmatchedRequest { return .unjudged }
            check(error, what, place, &findings)
            return .error
        }
    }

    /// An error is clear when it is the provider's, and no breakdown of what runs it.
    private func check(_ error: any Error, _ what: String, _ place: SourceLocation?, _ findings: inout CheckFindings) {
        guard let error = error as? ProviderError else {
            findings.fail(error, during: what, at: place)
            return
        }
        let faults: [ProviderError.Code] = [.timeout, .memory, .worker]
        if faults.contains(error.code) {
            findings.fail(
                error, during: "\(what): found \(error.code.rawValue), expected an error or a page",
                hint: "look for a loop that such a response never ends", at: place)
        } else if error.message.isEmpty {
            findings.fail("\(what): found an error without a message", location: error.location ?? place)
        }
    }

    private func check(
        _ result: ProviderCall.Result, of mutation: AnswerMutation, against known: ConformanceSubject.Recorded,
        _ what: String,
        on subject: ConformanceSubject, _ findings: inout CheckFindings
    ) {
        let place = subject.location(of: known.call.operation)
        let before = Set(known.result.items.flatMap { MissingValueText.found(in: $0) }.map(\.text))
        for (index, item) in result.items.enumerated() {
            if let found = MissingValueText.found(in: item).first(where: { !before.contains($0.text) }) {
                report(found, inItem: index, what, place, &findings)
            }
            for fault in item.media.flatMap({ SizesCheck.faults(of: $0) }) {
                findings.fail(
                    "\(what): \(fault)", hint: "leave out what the source does not give", location: place,
                    path: "items[\(index)].media")
            }
            if let fault = item.created.flatMap({ DatesCheck.fault(in: $0) }),
                !known.result.items.contains(where: { $0.created == item.created })
            {
                findings.fail(
                    "\(what): \(fault.message)",
                    hint: "use parseDate(…), which returns undefined without a date",
                    location: place, path: "items[\(index)].created")
            }
        }
        // null is how some sources say "none"; a list that is gone, or is none any more, is another answer altogether.
        if mutation.isAnotherShape, result.items.isEmpty, !known.result.items.isEmpty {
            findings.warn(
                "\(what): found an empty page, as if nothing matched, expected an error",
                hint: "let it throw, or call fail('changed', …), if the container of the items is missing",
                location: place)
        }
    }

    /// Reports a nonsensical text; one change says enough of one field of an operation.
    private func report(
        _ found: MissingValueText.Finding, inItem index: Int, _ what: String, _ place: SourceLocation?,
        _ findings: inout CheckFindings
    ) {
        let isKnown = findings.failures.contains { problem in
            problem.location == place && problem.path?.hasSuffix("]\(found.path)") == true
        }
        guard !isKnown else { return }
        findings.fail(
            "\(what): found \(found.text.quoted), expected an error, or the field left out",
            hint: "check the value before using it in a text", location: place,
            path: "items[\(index)]\(found.path)")
    }
}
