import Foundation
import Glibc
import Testing

@testable import AuthKitCore

@Suite struct PrivateDirectoryTests {
    @Test func `a missing directory is made with its parents, for the owner only`() async throws {
        try await withPlace { place in
            let directory = try PrivateDirectory.open("\(place)/a/b/c")
            #expect(directory.path == "\(place)/a/b/c")
            for path in ["a", "a/b", "a/b/c"] { #expect(try mode("\(place)/\(path)") == 0o700) }
        }
    }

    @Test func `files are made for the owner only and opened again`() async throws {
        try await withPlace { place in
            let directory = try PrivateDirectory.open(place)
            _ = try directory.openFile("one")
            _ = try directory.openFile("one")
            try directory.makeFile("two")
            try directory.makeFile("two")
            for name in ["one", "two"] { #expect(try mode("\(place)/\(name)") == 0o600) }
            #expect(try !directory.checkFile("three"))
        }
    }

    @Test func `loose modes are refused with the command that mends them`() async throws {
        try await withPlace { place in
            let path = "\(place)/it's here"
            let directory = try PrivateDirectory.open(path)
            try directory.makeFile("f")
            try setMode(0o644, "\(path)/f")
            for attempt in [{ _ = try directory.openFile("f") }, { _ = try directory.checkFile("f") }] {
                let error = failure(attempt)
                #expect(error?.code == .loosePermissions)
                #expect(error?.detail.hasSuffix("run: chmod 600 '\(place)/it'\\''s here/f'") == true)
            }
            try setMode(0o750, path)
            let error = failure { _ = try PrivateDirectory.open(path) }
            #expect(error?.code == .loosePermissions)
            #expect(error?.detail.hasSuffix("run: chmod 700 '\(place)/it'\\''s here'") == true)
            let lenient = try PrivateDirectory.open(path, insecureFileModes: true)
            _ = try lenient.openFile("f")
        }
    }

    @Test func `the command that mends a mode does mend it`() async throws {
        try await withPlace { place in
            let path = "\(place)/it's here"
            _ = try PrivateDirectory.open(path)
            try setMode(0o777, path)
            let command = failure { _ = try PrivateDirectory.open(path) }?.detail.components(separatedBy: "run: ").last
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            shell.arguments = ["-c", try #require(command)]
            try shell.run()
            shell.waitUntilExit()
            _ = try PrivateDirectory.open(path)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `what belongs to another user is refused`() async throws {
        try await withPlace { place in
            let directory = try PrivateDirectory.open(place)
            try directory.makeFile("f")
            try #require(unsafe chown("\(place)/f", 4711, 4711) == 0)
            #expect(failure { _ = try directory.openFile("f") }?.code == .wrongOwner)
            #expect(failure { _ = try directory.checkFile("f") }?.code == .wrongOwner)
            try #require(unsafe chown(place, 4711, 4711) == 0)
            #expect(failure { _ = try PrivateDirectory.open(place) }?.code == .wrongOwner)
            try #require(unsafe chown(place, 0, 0) == 0)
        }
    }

    @Test func `links, directories and pipes are not opened as files`() async throws {
        try await withPlace { place in
            let directory = try PrivateDirectory.open(place)
            try directory.makeFile("real")
            try FileManager.default.createSymbolicLink(atPath: "\(place)/link", withDestinationPath: "real")
            _ = try PrivateDirectory.open("\(place)/folder")
            try #require(unsafe mkfifo("\(place)/pipe", 0o600) == 0)
            for name in ["link", "folder", "pipe"] {
                #expect(failure { try directory.makeFile(name) }?.code == .unsupportedPlace)
                #expect(failure { _ = try directory.checkFile(name) }?.code == .unsupportedPlace)
            }
            #expect(failure { _ = try directory.openFile("link") }?.code == .unsupportedPlace)
            #expect(failure { _ = try directory.openFile("pipe") }?.code == .unsupportedPlace)
        }
    }

    @Test func `an empty directory in the place of a file goes, one with files in it stays and is told`() async throws {
        try await withPlace { place in
            let directory = try PrivateDirectory.open(place)
            _ = try PrivateDirectory.open("\(place)/folder")
            #expect(try directory.has("folder") && directory.remove("folder"))
            #expect(try !directory.has("folder") && !directory.remove("folder"))
            _ = try PrivateDirectory.open("\(place)/folder")
            try directory.makeFile("f")
            try directory.rename("f", to: "folder")
            #expect(try directory.checkFile("folder"))
            try directory.makeFile("f")
            try PrivateDirectory.open("\(place)/full").makeFile("g")
            for error in [
                failure { try directory.rename("f", to: "full") }, failure { _ = try directory.remove("full") },
            ] {
                #expect(error?.code == .inputOutput)
                #expect(error?.detail.contains("move it away") == true)
            }
            #expect(try directory.checkFile("f"))
            #expect(try directory.microsecondOfChange("full") != nil)
            #expect(try directory.microsecondOfChange("none") == nil)
        }
    }

    @Test func `a directory in the place of a file or under one cannot be made`() async throws {
        try await withPlace { place in
            try PrivateDirectory.open(place).makeFile("f")
            #expect(failure { _ = try PrivateDirectory.open("\(place)/f") }?.code == .cannotCreate)
            #expect(failure { _ = try PrivateDirectory.open("\(place)/f/g") }?.code == .cannotCreate)
            #expect(failure { _ = try PrivateDirectory.open("") }?.code == .cannotCreate)
            #expect(failure { _ = try PrivateDirectory.open("\(place)/a\0b") }?.code == .cannotCreate)
        }
    }

    @Test func `a read-only place is refused with an alternative`() throws {
        let error = failure { _ = try PrivateDirectory.open("/proc/self/authkit") }
        #expect(error?.code == .cannotCreate)
        let readOnly = StoreError.system("create", "/ro/authkit", EROFS)
        #expect(readOnly.code == .cannotCreate)
        #expect(readOnly.detail.contains("memory:"))
    }

    @Test func `a path is quoted for a shell only where it must be`() {
        #expect("/a-b_c.d/e+f@g:h,i%".shellQuoted == "/a-b_c.d/e+f@g:h,i%")
        #expect("".shellQuoted == "''")
        for word in ["a b", "$(x)", "`x`", "a;b", "a\nb", "~", "*", "é", "!"] {
            #expect(word.shellQuoted == "'\(word)'")
        }
        #expect("it's".shellQuoted == "'it'\\''s'")
    }

    @Test func `an error number is put into words`() {
        #expect(SystemError.text(ENOENT) == "No such file or directory")
        #expect(SystemError.text(99_999).contains("99999"))
    }

    @Test func `contents appear whole, once, under their name alone`() async throws {
        try await withPlace { place in
            let directory = try PrivateDirectory.open(place)
            #expect(try directory.makeFile("f", contents: SecretBytes(copying: [1, 2, 3])))
            #expect(try !directory.makeFile("f", contents: SecretBytes(copying: [4])))
            #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["f"])
            #expect(try mode("\(place)/f") == 0o600)
            let file = try #require(try PrivateFile.open(reading: "\(place)/f"))
            let isSame = try file.read(limit: 3).isEqual(to: SecretBytes(copying: [1, 2, 3]))
            #expect(isSame)
        }
    }

    @Test(arguments: [
        ("/a/store.db", "/a", "store.db"), ("/store.db", "/", "store.db"), ("/a//b/c", "/a//b", "c"),
    ])
    func `a path is split into directory and name`(_ path: String, _ directory: String, _ name: String) throws {
        let parts = try PrivateDirectory.split(path)
        #expect(parts.directory == directory)
        #expect(parts.name == name)
    }

    @Test(arguments: ["/", "/a/", "/a/..", "", "."])
    func `a path without a file name is refused`(_ path: String) {
        #expect(failure { _ = try PrivateDirectory.split(path) }?.code == .cannotCreate)
    }
}

private func failure(_ operation: () throws -> Void) -> StoreError? {
    do {
        try operation()
        return nil
    } catch {
        return error as? StoreError
    }
}
