import Dispatch
import FoundationEssentials
import Gallery
import Glibc
import ImgScript
import Logging

// Started by `imgscript gallery` and `imgscript serve`, which have read and checked the options.
guard CommandLine.arguments.count == 2,
    // Only those commands write the text, so that an error of the decoder would not help the user.
    let options = try? JSONDecoder().decode(GalleryOptions.self, from: Data(CommandLine.arguments[1].utf8))
else {
    print("error: imgscript-gallery is started by imgscript gallery and imgscript serve: no options found")
    exit(64)
}
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
Task { exit(await GalleryProgram(options).run()) }
dispatchMain()
