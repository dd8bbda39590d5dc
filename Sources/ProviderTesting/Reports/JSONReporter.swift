import ProviderModel

/// A report as one JSON object, for programs.
package struct JSONReporter: Reporter {
    /// Creates a reporter.
    package init() {}

    package func ending(of report: TestReport) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("version", 1)
            for outcome in TestReport.Outcome.allCases { json.member(outcome.rawValue, report.count(of: outcome)) }
            json.name("suites")
            json.array(report.suites) { $1.write(to: &$0) }
        }
        return json.text + "\n"
    }
}

extension TestReport.Suite {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("provider", provider)
            json.member("folder", folder)
            json.name("live")
            json.value(isLive)
            json.member("seconds", duration.inSeconds)
            json.name("cases")
            json.array(cases) { $1.write(to: &$0) }
        }
    }
}

extension TestReport.Case {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            if !groups.isEmpty {
                json.name("groups")
                json.array(groups) { $0.value($1) }
            }
            json.member("name", name)
            json.member("outcome", outcome.rawValue)
            json.member("note", note)
            json.member("hint", hint?.description)
            json.member("seconds", duration.inSeconds)
            json.member("memory", memory)
            if !problems.isEmpty {
                json.name("problems")
                json.array(problems) { $1.write(to: &$0) }
            }
            if !output.isEmpty {
                json.name("output")
                json.array(output) { $0.value($1) }
            }
        }
    }
}

extension TestReport.Problem {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("message", message)
            json.member("path", path)
            json.member("file", location?.file)
            json.member("line", location.flatMap { $0.line > 0 ? $0.line : nil })
            json.member("column", location.flatMap { $0.column > 0 ? $0.column : nil })
            json.member("diff", diff)
            json.member("hint", hint?.description)
        }
    }
}
