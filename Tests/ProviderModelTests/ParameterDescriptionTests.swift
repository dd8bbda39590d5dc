import Testing

@testable import ProviderModel

@Suite("A parameter takes what its description says")
struct ParameterDescriptionTests {
    private func parameter(
        _ kind: ParameterDescription.Kind, values: [String] = [], from minimum: Double? = nil, to maximum: Double? = nil
    ) -> ParameterDescription {
        var parameter = ParameterDescription(name: "p", kind: kind)
        parameter.values = values
        (parameter.minimum, parameter.maximum) = (minimum, maximum)
        return parameter
    }

    @Test(arguments: [
        (ParameterDescription.Kind.string, "a, b", ParameterValue.text("a, b")), (.string, "", .text("")),
        (.boolean, "true", .boolean(true)), (.boolean, "no", .boolean(false)), (.boolean, "1", .boolean(true)),
        (.integer, "-7", .number(-7)), (.number, "1.5", .number(1.5)), (.number, "2", .number(2)),
        (.list, "a, b,c", .list(["a", "b", "c"])),
    ])
    func goodTextIsRead(_ kind: ParameterDescription.Kind, _ text: String, _ value: ParameterValue) throws {
        #expect(try parameter(kind).value(from: text) == value)
    }

    @Test(arguments: [
        (ParameterDescription.Kind.boolean, "maybe", "true or false"), (.integer, "1.5", "a whole number"),
        (.integer, "1e3", "a whole number"), (.number, "nan", "a number"), (.number, "inf", "a number"),
        (.number, "", "a number"), (.number, "1,5", "a number"), (.list, "", "a list separated by commas"),
        (.list, " , ", "a list separated by commas"),
    ])
    func otherTextSaysWhatIsExpected(_ kind: ParameterDescription.Kind, _ text: String, _ expectation: String) {
        let error = #expect(throws: InvalidParameter.self) { try parameter(kind).value(from: text) }
        #expect(error?.description == "p: invalid value \"\(text)\" (expected \(expectation))")
    }

    @Test func valuesThatMayBeChosenAreNamed() throws {
        let choice = parameter(.choice, values: ["a", "b"])
        #expect(try choice.value(from: "b") == .text("b"))
        #expect(throws: InvalidParameter.self) { try choice.value(from: "B") }
        #expect(choice.expectation == "one of a, b")
        let list = parameter(.list, values: ["a", "b"])
        #expect(try list.value(from: "b,a") == .list(["b", "a"]))
        #expect(throws: InvalidParameter.self) { try list.value(from: "a,c") }
        #expect(list.expectation == "some of a, b, separated by commas")
    }

    @Test(
        arguments: [
            (nil, nil, "a whole number"), (1, nil, "a whole number of at least 1"),
            (nil, 9, "a whole number of at most 9"),
            (1, 9, "a whole number from 1 to 9"),
        ] as [(Double?, Double?, String)])
    func numbersStayWithinTheirBounds(_ minimum: Double?, _ maximum: Double?, _ expectation: String) throws {
        let parameter = parameter(.integer, from: minimum, to: maximum)
        #expect(parameter.expectation == expectation)
        for bound in [minimum, maximum].compactMap(\.self) {
            #expect(try parameter.value(from: bound.shortest) == .number(bound))
        }
        #expect((try? parameter.value(from: "0")) == (minimum == nil ? .number(0) : nil))  // nil is what is compared
        #expect((try? parameter.value(from: "10")) == (maximum == nil ? .number(10) : nil))
    }
}
