import Foundation
import Testing

/// Every option of a download holds for every kind of input, or is refused with a sentence.
struct OptionTableTests {
    /// The inputs whose cells are run, or `1` for all.
    ///
    /// Some hundred processes are started: `make option-table` does it.
    private static let wanted = ProcessInfo.processInfo.environment["IMGSCRIPT_OPTION_TABLE"]

    private static func wanted(of inputs: [OptionInput]) -> [OptionInput] {
        let names = wanted?.split(separator: ",").map(String.init) ?? []
        return inputs.filter { wanted == "1" || names.contains($0.rawValue) }
    }

    @Test func everyDeclaredOptionHasACellForEachInput() throws {
        let declared = try OptionDeclarations.all.get().names
        let wanted = declared.flatMap { option in OptionInput.allCases.map { OptionTable.name(of: option, $0) } }
        let missing = Set(wanted).subtracting(OptionTable.cells).sorted()
        #expect(missing.isEmpty, "options without an effect or a message: \(missing)")
        let unknown = OptionTable.cells.subtracting(wanted).sorted()
        #expect(unknown.isEmpty, "cells of options that are not declared: \(unknown)")
    }

    @Test func everyDeclaredOptionOfAListingHasACell() throws {
        let declared = try OptionDeclarations.all.get().listings
        for input in ListingTable.inputs {
            let wanted = declared[ListingTable.command(for: input)] ?? []
            let cells = Set(ListingTable.runs.flatMap { $0.rows(for: input) }.map(\.option))
            let missing = wanted.subtracting(cells).sorted()
            #expect(missing.isEmpty, "options without an effect or a message for \(input.rawValue): \(missing)")
            #expect(cells.isSubset(of: wanted), "\(cells.subtracting(wanted)) are no options for \(input.rawValue)")
        }
    }

    @Test(
        .enabled(if: wanted != nil, "make option-table runs all cells"), arguments: wanted(of: OptionInput.allCases))
    func optionHoldsOrIsRefused(_ input: OptionInput) throws { try check(OptionTable.runs, input) }

    @Test(
        .enabled(if: wanted != nil, "make option-table runs all cells"), arguments: wanted(of: ListingTable.inputs))
    func optionOfAListingHoldsOrIsRefused(_ input: OptionInput) throws { try check(ListingTable.runs, input) }

    private func check(_ runs: [OptionTable.Run], _ input: OptionInput) throws {
        let bench = try OptionBench()
        for run in runs {
            let rows = run.rows(for: input)
            guard !rows.isEmpty else { continue }
            let outcome = try run.outcome(bench, input)
            for row in rows {
                let cell = OptionTable.name(of: row.option, input)
                switch row.effect {
                case .holds(let effect):
                    #expect(effect(outcome), "\(cell) has no effect (\(run.name)): \(outcome.summary)")
                case .refused(let message):
                    #expect(
                        outcome.errors.contains(message), "\(cell) is not refused (\(run.name)): \(outcome.summary)")
                }
            }
        }
    }
}
