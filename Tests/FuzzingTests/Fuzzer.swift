import Glibc

// What libFuzzer calls. It reads the arguments; which target runs is said by FUZZ_TARGET.

/// The program's entry, under the name by which SwiftPM links it: libFuzzer has its own `main`.
@_cdecl("imgscript_fuzz_main")
func main(
    _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
    var (count, arguments) = (count, arguments)
    return runDriver(&count, &arguments) { testOneInput($0, $1) }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

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
