import Testing

@testable import Commands

struct LicenseChoiceTests {
    @Test(arguments: [
        "cc-by", "CC-BY-4.0", "cc0", "cc0-1.0", "cc-by-nc-sa-3.0-de", "rs-inc", "no-known-copyright", "pdm", "unsplash",
        "freepik-freemium",
    ])
    func knownLicencesAreTaken(id: String) throws {
        try LicenseChoice.check([id], of: ["unsplash", "freepik"])
    }

    @Test(arguments: [
        ("bananas", "unknown licence \"bananas\" (expected cc0, pdm, public-domain, cc-by, "),
        ("cc-bx", "unknown licence \"cc-bx\"; did you mean \"cc-by\"?"), ("unsplash", "unknown licence"),
    ])
    func unknownLicenceIsAnErrorThatListsTheKnownOnes(id: String, expected: String) {
        let error = #expect(throws: (any Error).self) { try LicenseChoice.check([id], of: ["pixabay"]) }
        #expect(error.map { "\($0)".hasPrefix(expected) } == true, "\(error as Any)")
    }
}
