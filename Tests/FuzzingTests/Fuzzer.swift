import Glibc

// What libFuzzer calls. Its own `main` reads the arguments; which target runs is said by FUZZ_TARGET.

private let target: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        let known = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
        print(known)
        exit(name.isEmpty ? 0 : 64)
    }
    return target
}()

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(BrokenPromise) {
        try target.run(Array(UnsafeBufferPointer(start: data, count: count)))
    } catch {
        fatalError("broken promise: \(error)")
    }
    return 0
}
