// SPDX-License-Identifier: MIT
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "collect/collect.hpp"
#include "support/toy_manifest.hpp"

using namespace course;
using test::Folder;
namespace fs = std::filesystem;

namespace {

/// A course with one exercise, and the student's answer to it in work/.
struct Toy {
    Folder root;
    Manifest manifest;
    Toy() {
        test::write_exercise(root);
        manifest = read_manifest(root / "exercises/08-raw-add");
        root.write("work/08-raw-add/raw_add.cpp", "int add() { return 2; }\n");
        root.write("work/08-raw-add/raw_add.cu", "// mine\n");
    }
    [[nodiscard]] Answer collect(const std::string& folder = "work/08-raw-add") const {
        return course::collect(manifest, root / folder, root.path());
    }
    [[nodiscard]] std::string complaint(const std::string& folder = "work/08-raw-add") const {
        try {
            (void)collect(folder);
        } catch (const CollectError& error) {
            return error.what();
        }
        return "";
    }
};

const std::string cpp = "work/08-raw-add/raw_add.cpp", cu = "work/08-raw-add/raw_add.cu";

}  // namespace

TEST_CASE("names of files are plain text where they are shown") {
    const Toy toy;
    toy.root.write("work/08-raw-add/x\x1b[2J\xff.hpp", "// mine\n");
    CHECK(toy.collect().notes.at(0).starts_with("x[2J\xEF\xBF\xBD.hpp in work/08-raw-add is not used"));
    fs::remove(toy.root / cpp);
    toy.root.write("work/08-raw-add/raw\x1b[2J_add.cpp", "// mine\n");
    CHECK(toy.complaint().find('\x1b') == std::string::npos);
    fs::remove(toy.root / "work/08-raw-add/raw\x1b[2J_add.cpp");
    toy.root.write("work/08-raw-add/raw_add\nExercise 8   passed\n.cpp", "// mine\n");   // lines of its own
    CHECK(toy.complaint().starts_with(cpp + " is missing, but there is raw_add Exercise 8   passed .cpp.\nThe kit"));
    const std::string note = shown_path(toy.root / "work/a\nb\xff.cpp", toy.root.path());
    CHECK(note == "work/a b\xEF\xBF\xBD.cpp");
}

TEST_CASE("code beside the answer's files is named as unused; notes, backups and the exercise itself are not") {
    const Folder root;
    test::write_exercise(root);
    const Manifest manifest = read_manifest(root / "exercises/08-raw-add");
    const std::string work = "work/08-raw-add/";
    for (const char* name : {"raw_add.cpp", "raw_add.cu", "notes.txt", "raw_add.cpp.bak", ".raw_add.cpp.swp"})
        root.write(work + name, "// mine\n");
    CHECK(collect(manifest, root / "work/08-raw-add", root.path()).notes.empty());
    root.write(work + "helper.hpp", "// mine\n");
    CHECK(
        collect(manifest, root / "work/08-raw-add", root.path()).notes ==
        std::vector<std::string>{
            "helper.hpp in work/08-raw-add is not used: the answer to exercise 8 is raw_add.cpp and raw_add.cu alone"});
    for (const char* name : {"a.cu", "b.cuh", "c.cc", "d.h"}) root.write(work + name, "// mine\n");
    CHECK(collect(manifest, root / "work/08-raw-add", root.path())
              .notes.at(0)
              .starts_with("a.cu, b.cuh, c.cc, d.h, 1 more in work/08-raw-add are not used"));
    root.write("exercises/08-raw-add/check.cpp", "// trusted\n");
    CHECK(collect(manifest, root / "exercises/08-raw-add", root.path()).notes.empty());
}

TEST_CASE("an answer is the manifest's files, and nothing else in the folder") {
    const Toy toy;
    toy.root.write("work/08-raw-add/CMakeLists.txt", "evil");
    toy.root.write("work/08-raw-add/exercise.hpp", "evil");
    const Answer answer = toy.collect();
    REQUIRE(answer.files.size() == 2);
    CHECK(answer.files[0].name == "raw_add.cpp");
    CHECK(answer.files[0].shown == cpp);
    CHECK(answer.files[0].text == "int add() { return 2; }\n");
    CHECK(answer.files[1].shown == cu);
    REQUIRE(answer.notes.size() == 1);
    CHECK(answer.notes[0].starts_with("exercise.hpp in work/08-raw-add is not used"));
    CHECK_FALSE(answer.not_started);
}

TEST_CASE("an answer is not started while it equals the stub but for white space") {
    const Toy toy;
    CHECK(toy.collect("exercises/08-raw-add").not_started);
    toy.root.write(cpp, "\t// the stub\r\nint add() {\n return 0; }");
    toy.root.write(cu, "// kernels\n\n\n");
    CHECK(toy.collect().not_started);
    toy.root.write(cu, "// kernels!\n");
    CHECK_FALSE(toy.collect().not_started);
}

TEST_CASE("a planted answer is its patch of the solution; what it doesn't change comes from there") {
    const Toy toy;
    for (const char* ending : {"", ".patch"}) {
        const Answer answer = toy.collect(std::string("exercises/08-raw-add/wrong/no-guard") + ending);
        CHECK(answer.files[0].text == test::solved_cpp);
        CHECK(answer.files[0].shown == "solutions/08-raw-add/raw_add.cpp");
        CHECK(answer.files[1].text == "// no guard\n");
        CHECK(answer.files[1].shown == "exercises/08-raw-add/wrong/no-guard/raw_add.cu");
    }
    toy.root.write("exercises/08-raw-add/right/wide/raw_add.cu", "// wide\n");
    CHECK(toy.collect("exercises/08-raw-add/right/wide").files[0].shown == "solutions/08-raw-add/raw_add.cpp");
    const Answer lazy = toy.collect("exercises/08-raw-add/lazy/host");
    CHECK(lazy.files[0].text == "// a host loop\n");
    CHECK(lazy.files[1].shown == "solutions/08-raw-add/raw_add.cu");
    CHECK(toy.complaint("exercises/08-raw-add/wrong/one-blok") ==
          "there is no folder exercises/08-raw-add/wrong/one-blok");
    toy.root.write("solutions/08-raw-add/raw_add.cu", "// changed\n");
    CHECK(toy.complaint("exercises/08-raw-add/wrong/no-guard") ==
          "exercises/08-raw-add/wrong/no-guard.patch:7: line 1 of raw_add.cu is \"// changed\"; expected \"// solved "
          "kernels\"");
    fs::remove_all(toy.root / "solutions");
    CHECK(
        toy.complaint("exercises/08-raw-add/wrong/no-guard") ==
        "exercises/08-raw-add/wrong/no-guard takes its other files from solutions/08-raw-add, and this edition has no "
        "solutions");
}

TEST_CASE("a file of the student's that is gone is named, with the way to get it back") {
    const Toy toy;
    fs::remove(toy.root / cpp);
    CHECK(toy.complaint() ==
          cpp +
              " is missing.\nTo get it back as it was at the start: make reset-8 (your other files are "
              "kept as .bak).");
    fs::remove(toy.root / "solutions/08-raw-add/raw_add.cu");
    CHECK(
        toy.complaint("solutions/08-raw-add") ==
        "solutions/08-raw-add/raw_add.cu is missing.\nAn answer to exercise 8 has the files: raw_add.cpp, raw_add.cu.");
    CHECK(toy.complaint("elsewhere") == "there is no folder elsewhere");
}

TEST_CASE("a renamed file is recognised") {
    const Toy toy;
    for (const char* other : {"raw_add_old.cpp", "Raw_Add.cpp", "raw_add (1).cpp", "rawadd.cpp"}) {
        fs::rename(toy.root / cpp, toy.root / ("work/08-raw-add/" + std::string(other)));
        CHECK(toy.complaint() == cpp + " is missing, but there is " + other +
                                     ".\nThe kit looks for the name raw_add.cpp: rename the file back, and try again.");
        fs::rename(toy.root / ("work/08-raw-add/" + std::string(other)), toy.root / cpp);
    }
}

TEST_CASE("only regular files are taken, and no link is followed") {
    const Toy toy;
    fs::remove(toy.root / cpp);
    fs::create_symlink("/etc/passwd", toy.root / cpp);
    CHECK(toy.complaint() == cpp + " is a link; the kit takes regular files only.\nPut the file itself there.");
    fs::remove(toy.root / cpp);
    fs::create_symlink("nowhere", toy.root / cpp);
    CHECK(toy.complaint() == cpp + " is a link; the kit takes regular files only.\nPut the file itself there.");
    fs::remove(toy.root / cpp);
    fs::create_directory(toy.root / cpp);
    CHECK(toy.complaint() == cpp + " is a folder; the kit takes regular files only.");
    fs::remove(toy.root / cpp);
    REQUIRE(::mkfifo((toy.root / cpp).c_str(), 0644) == 0);
    CHECK(toy.complaint() == cpp + " is a named pipe; the kit takes regular files only.");
    fs::remove(toy.root / cpp);
    fs::create_symlink("/dev/zero", toy.root / cpp);
    CHECK(toy.complaint().find("is a link") != std::string::npos);
}

TEST_CASE("a folder that is a link is refused, but for one's own in work/") {
    const Toy toy;
    fs::create_directory_symlink(toy.root / "work/08-raw-add", toy.root / "handed-in");
    for (const char* name : {"handed-in", "handed-in/"})
        CHECK(toy.complaint(name) ==
              std::string(name) + " is a link; the kit takes folders themselves only.\nPut the folder itself there.");
    fs::rename(toy.root / "work/08-raw-add", toy.root / "elsewhere");
    fs::create_directory_symlink(toy.root / "elsewhere", toy.root / "work/08-raw-add");
    CHECK(toy.complaint() == "");
}

TEST_CASE("an unreadable file is named, with the way to make it readable") {
    const Toy toy;
    ::chmod((toy.root / cpp).c_str(), 0);
    ::chmod(toy.root.path().c_str(), 0755);
    const uid_t self = ::geteuid();
    if (self == 0) REQUIRE(::seteuid(65534) == 0);  // root can read every file
    const std::string text = toy.complaint();
    REQUIRE(::seteuid(self) == 0);
    CHECK(text == cpp + " can't be read: Permission denied.\nTo give yourself the right to read it: chmod u+r " + cpp);
}

TEST_CASE("an empty file is no answer") {
    const Toy toy;
    for (const char* text : {"", "\n", " \t\r\n", "\xEF\xBB\xBF"}) {
        toy.root.write(cu, text);
        CHECK(toy.complaint() == cu + " is empty.\nIf that was an accident: make reset-8 brings the stub back.");
    }
}

TEST_CASE("a file of more than 1 MiB is refused, one of 1 MiB is taken") {
    const Toy toy;
    toy.root.write(cu, std::string(answer_file_bytes, '/'));
    CHECK(toy.complaint().empty());
    toy.root.write(cu, std::string(answer_file_bytes + 1, '/'));
    CHECK(toy.complaint() == cu + " is larger than 1 MiB; no answer needs that.");
}

TEST_CASE("line ends of other systems and a byte-order mark are put right") {
    std::vector<std::string> notes;
    CHECK(clean_text("a\r\nb\rc\n", "f", notes) == "a\nb\nc\n");
    CHECK(notes.empty());
    CHECK(clean_text("\xEF\xBB\xBF"
                     "a\n",
                     "f", notes) == "a\n");
    CHECK(notes == std::vector<std::string>{"f begins with a byte-order mark; it was left out"});
    CHECK(clean_text("gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80", "f", notes) ==
          "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST_CASE("what is no UTF-8 text is refused with its line") {
    std::vector<std::string> notes;
    const auto refusal = [&](const std::string& text) -> std::string {
        try {
            clean_text(text, "f", notes);
        } catch (const CollectError& error) {
            return error.what();
        }
        return "";
    };
    const std::string invalid =
        ": there is a byte that isn't UTF-8.\nSave the file as UTF-8 in your editor, then try again.";
    CHECK(refusal("a\nb\xFC\n") == "f:2" + invalid);  // Latin-1
    for (const char* text :
         {"\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "\xE2\x82", "\xFF"})
        CHECK(refusal(text) == "f:1" + invalid);
    CHECK(refusal(std::string("a\n\nb\0c", 6)) ==
          "f:3: there is a NUL byte, so this is not C++ text.\nRestore the file, or start again from the stub.");
    CHECK(refusal(std::string("\xFF\xFE"
                              "a\0",
                              4)) == "f is saved as UTF-16.\nSave it as UTF-8 in your editor, then try again.");
}
