import Foundation
import TestSupport
import Testing

@testable import Packs

struct SigningTests {
    private let archive = Array("an archive".utf8)

    @Test func signatureIsOfTheseBytesByThisKeyWithThisComment() throws {
        let key = try SecretKey.generate()
        let signature = try key.sign(archive, trustedComment: "timestamp:1\tfile:a.tgz\thashed")
        let read = try PackSignature(parsing: signature.text)
        #expect(read == signature)
        try key.publicKey.verify(read, of: archive)
        #expect { try key.publicKey.verify(read, of: archive + [0]) } throws: {
            ($0 as? PackError)?.message == "the signature does not match the archive: one of them was changed"
                && ($0 as? PackError)?.hint != nil
        }
        let forged = try PackSignature(parsing: signature.text.replacing("a.tgz", with: "b.tgz"))
        #expect { try key.publicKey.verify(forged, of: archive) } throws: {
            ($0 as? PackError)?.message == "the trusted comment of the signature was changed"
        }
        let other = try SecretKey.generate().publicKey
        #expect { try other.verify(read, of: archive) } throws: {
            ($0 as? PackError)?.message == "wrong key: the signature is by \(key.id) (expected \(other.id))"
        }
    }

    @Test func publicKeyIsReadFromAFileAndFromItsLine() throws {
        let key = try SecretKey.generate().publicKey
        #expect(try PublicKey(parsing: key.fileText) == key)
        #expect(try PublicKey(parsing: key.description) == key)
        #expect(key.description.hasPrefix("RW"))
    }

    @Test func secretKeyComesBackWithItsPasswordOnly() throws {
        let key = try SecretKey.generate()
        let text = try key.fileText(password: "kennel", protection: .interactive)
        #expect(try SecretKey.needsPassword(text))
        #expect(try SecretKey(parsing: text, password: "kennel").publicKey == key.publicKey)
        #expect { try SecretKey(parsing: text, password: "dog") } throws: {
            ($0 as? PackError)?.message == "wrong password"
        }
        #expect { try SecretKey(parsing: text, password: nil) } throws: { ($0 as? PackError)?.code == .password }
        let plain = try key.fileText(password: nil)
        #expect(try !SecretKey.needsPassword(plain))
        #expect(try SecretKey(parsing: plain, password: nil).publicKey == key.publicKey)
    }

    @Test func secretKeyFileIsForItsOwnerAndNeverOverAnother() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/pack.key"
        let key = try SecretKey.generate()
        try key.write(to: path, password: nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect { try key.write(to: path, password: nil) } throws: {
            ($0 as? PackError)?.message == "\(path) already exists"
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect { try SecretKey.text(ofFileAt: path) } throws: {
            ($0 as? PackError)?.message == "\(path) is a secret key that is readable by others"
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pack.key"])
    }

    @Test(arguments: [
        "", "RW", "RWQ=", "hello", "untrusted comment: x\n",
        "untrusted comment: x\nRWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNS\n",
    ])
    func whatIsNoKeyIsNone(text: String) {
        #expect { try PublicKey(parsing: text) } throws: { ($0 as? PackError)?.code == .key }
        #expect { try SecretKey(parsing: text, password: "x") } throws: { ($0 as? PackError)?.code == .key }
        #expect { try PackSignature(parsing: text) } throws: { ($0 as? PackError)?.code == .signature }
    }

    @Test func commentOfTwoLinesIsRefused() throws {
        let key = try SecretKey.generate()
        #expect { try key.sign(archive, trustedComment: "a\nb") } throws: { ($0 as? PackError)?.code == .signature }
    }
}

@Suite(
    "minisign and imgscript read each other",
    .enabled(if: HelperProcess.path(of: "minisign") != nil, "minisign is not installed"))
struct MinisignTests {
    private let folder = TemporaryFolder()

    private func minisign(_ arguments: String..., input: String = "") throws -> ToolRun {
        try ToolRun(try #require(HelperProcess.path(of: "minisign")), arguments, in: folder.path, input: input)
    }

    private func write(_ text: String, _ name: String, mode: Int = 0o600) throws {
        let path = "\(folder.path)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func minisignTakesOurSignatureAndOurKeys() throws {
        let key = try SecretKey.generate()
        try write("an archive", "a.tgz")
        try write(key.publicKey.fileText, "a.pub")
        let comment = PackSignature.trustedComment(forFile: "a.tgz", at: 1_700_000_000)
        try write(key.sign(Array("an archive".utf8), trustedComment: comment).text, "a.tgz.minisig")
        let verified = try minisign("-V", "-p", "a.pub", "-m", "a.tgz")
        #expect(verified.status == 0, "\(verified.errors)")
        #expect(verified.output.contains("Trusted comment: timestamp:1700000000\tfile:a.tgz"))
        #expect(try minisign("-V", "-P", key.publicKey.description, "-m", "a.tgz").status == 0)
        try write("an other archive", "a.tgz")
        #expect(try minisign("-V", "-p", "a.pub", "-m", "a.tgz").status != 0)
    }

    @Test(arguments: ["kennel", nil])
    func minisignSignsWithOurSecretKey(password: String?) throws {
        let key = try SecretKey.generate()
        try write(key.fileText(password: password, protection: .interactive), "a.key")
        try write("an archive", "a.tgz")
        let signed = try minisign("-S", "-s", "a.key", "-m", "a.tgz", input: password.map { "\($0)\n" } ?? "")
        #expect(signed.status == 0, "\(signed.output)\(signed.errors)")
        let signature = try PackSignature.read(fileAt: "\(folder.path)/a.tgz.minisig")
        try key.publicKey.verify(signature, of: Array("an archive".utf8))
    }

    @Test func keyIsNamedByItsLineOrItsFile() throws {
        // Base64 of these bytes is nearly all slashes.
        let key = PublicKey(id: SigningKeyID(Array(repeating: 0xff, count: 8)), key: Array(repeating: 0xff, count: 32))
        #expect(key.description.contains("/"))
        #expect(try PublicKey.named(key.description) == key)
        try write(key.fileText, "RW.pub")
        #expect(try PublicKey.named("\(folder.path)/RW.pub") == key)
        #expect(throws: PackError.self) { try PublicKey.named("RWQ/none") }
    }

    @Test func keyNumbersHaveNoZerosInFront() {
        #expect(SigningKeyID([0x76, 0x4b, 0x9e, 0x2d, 0xc0, 0x81, 0x3a, 0x0f]).description == "F3A81C02D9E4B76")
    }

    @Test(arguments: [true, false])
    func weTakeMinisignsKeysAndSignatures(isPrehashed: Bool) throws {
        let made = try minisign("-G", "-W", "-p", "m.pub", "-s", "m.key")
        #expect(made.status == 0, "\(made.errors)")
        try write("an archive", "a.tgz")
        let signed =
            isPrehashed
            ? try minisign("-S", "-s", "m.key", "-m", "a.tgz", "-t", "hello")
            : try minisign("-S", "-l", "-s", "m.key", "-m", "a.tgz", "-t", "hello")
        #expect(signed.status == 0, "\(signed.errors)")
        let signature = try PackSignature.read(fileAt: "\(folder.path)/a.tgz.minisig")
        #expect(signature.isPrehashed == isPrehashed)
        #expect(signature.trustedComment == "hello")
        let key = try PublicKey.named("\(folder.path)/m.pub")
        try key.verify(signature, of: Array("an archive".utf8))
        let secret = try SecretKey(parsing: SecretKey.text(ofFileAt: "\(folder.path)/m.key"), password: nil)
        #expect(secret.publicKey == key)
        #expect(secret.publicKey.fileText == (try String(contentsOfFile: "\(folder.path)/m.pub", encoding: .utf8)))
    }
}
