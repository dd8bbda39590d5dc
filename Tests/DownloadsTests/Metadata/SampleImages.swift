import Foundation
import ProviderModel

@testable import Downloads

/// Real pictures of 3 × 2 pixels, that other programs read too.
enum SampleImages {
    static func bytes(_ format: MediaFormat) -> [UInt8] {
        let text =
            switch format {
            case .jpeg: jpeg
            case .png: png
            case .tiff: tiff
            default: webp
            }
        return Data(base64Encoded: text).map(Array.init) ?? []
    }

    /// The coded picture within a file, found by its marks.
    static func picture(_ bytes: [UInt8], _ format: MediaFormat) -> [UInt8] {
        switch format {
        // The last start of a scan: what metadata hold comes before it.
        case .jpeg: Array(bytes[(bytes.lastPlace(of: [0xff, 0xda]) ?? 0)...])
        case .png: chunk("IDAT", in: bytes, bigEndian: true)
        // Not packed: the pixels themselves.
        case .tiff: bytes.lastPlace(of: pixels).map { Array(bytes[$0...].prefix(pixels.count)) } ?? []
        default: chunk("VP8L", in: bytes, bigEndian: false)
        }
    }

    /// A chunk's content; its length stands before its name in PNG and behind it in WebP.
    private static func chunk(_ name: String, in bytes: [UInt8], bigEndian: Bool) -> [UInt8] {
        guard let place = bytes.lastPlace(of: Array(name.utf8)),
            let length = bigEndian ? bytes.big(place - 4, 4) : bytes.little(place + 4, 4)
        else { return [] }
        return Array(bytes[(place + (bigEndian ? 4 : 8))...].prefix(length))
    }

    private static let pixels: [UInt8] = [
        255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30, 200, 100, 50, 255, 255, 255,
    ]

    private static let tiff = """
        SUkqAAgAAAAKAAABBAABAAAAAwAAAAEBBAABAAAAAgAAAAIBAwADAAAAhgAAAAMBAwABAAAAAQAAAAYBAwABAAAAAgAAABEBBAABAAAA\
        jAAAABUBAwABAAAAAwAAABYBBAABAAAAAgAAABcBBAABAAAAEgAAABwBAwABAAAAAQAAAAAAAAAIAAgACAD/AAAA/wAAAP8KFB7IZDL/\
        //8=
        """

    private static let jpeg = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62r\
        Z4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk\
        pKT/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAbEAACAwEBAQAAAAAAAAAAAAABAgADBAUhgf/EABUB\
        AQEAAAAAAAAAAAAAAAAAAAIE/8QAGhEAAgIDAAAAAAAAAAAAAAAAAAECAzEycf/aAAwDAQACEQMRAD8ApcnJmu5mey3PVY5T1mQEn7ER\
        LqtI8QXk/9k=
        """

    private static let png = """
        iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAGElEQVR4nGP4z8DAAMFcInInUoz+//8PADwZB5XvwsbYAAAAAElFTkSu\
        QmCC
        """

    private static let webp = """
        UklGRkIAAABXRUJQVlA4TDYAAAAvAkAAAC9AkG2zQdzr/jLTIJO2yV//dmZtZNI2rYf986+y8x9o5JGs+wYEApSx4oFtIvof4wU=
        """
}
