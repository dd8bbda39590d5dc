import Testing

@testable import Downloads

@Suite struct PlannedNameTests {
    @Test(arguments: [
        (["a", "b.c"], "fox"), ([], "fox.2"), ([], "fuchs ü"), (["a"], String(repeating: "fox", count: 100)),
        ([], String(repeating: "狐", count: 100)),
    ])
    func pathBesideAnotherFollowsFromIt(_ folders: [String], _ stem: String) {
        let key = MediaKey(stored: "example:1:original")
        let name = PlannedName(folders: folders, stem: SafeFileName(stem).description)
        let beside = name.distinct(for: key).path(ending: "jpg")
        #expect(PlannedName.path(beside: name.path(ending: "jpg"), for: key) == beside)
        #expect(beside != name.path(ending: "jpg"))
    }
}
