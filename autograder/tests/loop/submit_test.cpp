// SPDX-License-Identifier: MIT
// `course submit`, and that what it packs can be collected.
#include <memory>

#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "collect/collect.hpp"
#include "loop/terminal_session.hpp"
#include "loop/toy_course.hpp"
#include "progress/progress.hpp"
#include "support/files.hpp"
#include "support/folder.hpp"

using course::ArchivedFile;
using test::Ran, test::ToyCourse;
namespace fs = std::filesystem;

namespace {

/// The files of an archive, as anybody's program unpacks it.
std::vector<ArchivedFile> unpacked(const std::string& bytes) {
    std::vector<ArchivedFile> files;
    const std::unique_ptr<archive, decltype(&archive_read_free)> reader(archive_read_new(), archive_read_free);
    archive_read_support_format_zip(reader.get());
    REQUIRE(archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) == ARCHIVE_OK);
    archive_entry* entry = nullptr;
    while (archive_read_next_header(reader.get(), &entry) == ARCHIVE_OK) {
        std::string text(static_cast<std::size_t>(archive_entry_size(entry)), '\0');
        REQUIRE(archive_read_data(reader.get(), text.data(), text.size()) == static_cast<la_ssize_t>(text.size()));
        files.push_back({archive_entry_pathname(entry), text});
    }
    return files;
}

Ran submit(const ToyCourse& toy, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"submit", "--name", "Ada Löwe", "--id", "s123"});
    return toy.run(more);
}

}  // namespace

TEST_CASE("collect accepts what submit has packed, and nothing else is in it") {
    const ToyCourse toy;
    toy.answer("return 3 * x;");
    toy.solve("02-shift");
    toy.write("work/02-shift/notes.cpp", "int mine;\n");
    CHECK(toy.run({"run", "1"}).code == 1);
    toy.check_golden("submit", submit(toy));
    const std::vector<ArchivedFile> files = unpacked(toy.read("work/submission-s123.zip"));
    REQUIRE(files.size() == 4);
    CHECK(files[0].path == "submission.json");
    const test::Folder school;
    for (const ArchivedFile& file : files) school.write(file.path, file.bytes);
    for (const char* exercise : {"01-twice", "02-shift"}) {
        const course::Manifest manifest = course::read_manifest(toy / (std::string("exercises/") + exercise));
        const course::Answer here = collect(manifest, toy / "work" / exercise, toy.root());
        const course::Answer there = collect(manifest, school / exercise, toy.root());
        REQUIRE(there.files.size() == manifest.edit.size());
        CHECK_FALSE(there.not_started);
        CHECK(answer_digest(there) == answer_digest(here));
    }
    const nlohmann::json json = nlohmann::json::parse(files[0].bytes);
    CHECK(json["schema"] == "course submission");
    CHECK(json["student"]["name"] == "Ada Löwe");
    CHECK(json["kit"]["version"].get<std::string>() != "");
    CHECK(json["exercises"][0]["last_verdict"] == "wrong");
    CHECK(json["exercises"][1]["last_verdict"] == "");
    CHECK(json["exercises"][1]["files"][1]["path"] == "02-shift/shift.cu");
    CHECK(json["exercises"][1]["files"][1]["bytes"] == files[3].bytes.size());
    CHECK(json["exercises"][1]["files"][1]["xxh128"].get<std::string>().size() == 32);
}

TEST_CASE("the same content gives the same bytes, on another day and in another time zone") {
    const ToyCourse toy;
    toy.solve("01-twice");
    CHECK(submit(toy).code == 0);
    const std::string first = toy.read("work/submission-s123.zip");
    fs::last_write_time(toy / "work/01-twice/twice.cpp", fs::file_time_type::clock::now() - std::chrono::hours(4000));
    course::Command command = toy.command({"submit", "--out", (toy / "again.zip").string()});
    ToyCourse::set(command, "TZ", "Asia/Tokyo");
    CHECK(toy.run(command).code == 0);  // name and ID are known by now
    CHECK(toy.read("again.zip") == first);
    toy.answer("return x + x;");
    CHECK(submit(toy).code == 0);
    CHECK(toy.read("work/submission-s123.zip") != first);
}

TEST_CASE("a verdict counts for the answer that got it") {
    const ToyCourse toy;
    toy.solve("01-twice");
    CHECK(toy.run({"run", "1"}).code == 0);
    CHECK(submit(toy).text.find("1  twice                passed\n") != std::string::npos);
    toy.answer("return x + x;");
    CHECK(submit(toy).text.find("changed since it was judged: passed (make exercise-1)") != std::string::npos);
}

TEST_CASE("an answer that can't be taken is left out and named; the others are packed") {
    const ToyCourse toy;
    toy.solve("01-twice");
    toy.solve("02-shift");
    fs::remove(toy / "work/02-shift/shift.cu");
    fs::create_symlink("/etc/hostname", toy / "work/02-shift/shift.cu");
    toy.check_golden("submit_left_out", submit(toy));
    CHECK(unpacked(toy.read("work/submission-s123.zip")).size() == 2);
    toy.write("work/01-twice/twice.cpp", std::string((1 << 20) + 1, ' '));
    toy.check_golden("submit_nothing_left", submit(toy));
}

TEST_CASE("with nothing begun, or nobody to ask, nothing is packed") {
    const ToyCourse toy;
    (void)toy.run({"status"});  // makes the first folder, which is no answer yet
    toy.check_golden("submit_nothing", submit(toy));
    fs::remove_all(toy / "work");
    toy.solve("01-twice");
    toy.check_golden("submit_who", toy.run({"submit"}));
    CHECK(toy.run({"submit", "--name", "Ada\nLöwe", "--id", "1"}).code == 4);
    CHECK_FALSE(fs::exists(toy / "work/.student"));
    CHECK(submit(toy, {"--out", toy.root().string()}).text.find("that is a folder; name a file") != std::string::npos);
    toy.write("work/.student", "name Ada\r\nid \xFF\n");
    CHECK(toy.run({"submit"}).text.find("The ID isn't known yet") != std::string::npos);
}

TEST_CASE("name and ID are asked once, at a terminal") {
    const ToyCourse toy;
    toy.solve("01-twice");
    test::TerminalSession session(toy.command({"submit"}));
    CHECK(session.await("Your name: "));
    session.type("  \n");
    CHECK(session.await("That can't be: the name is empty."));
    CHECK(session.await("Your name: "));
    session.type(" Ada Löwe \n");
    CHECK(session.await("Your ID at the course: "));
    session.type("s/12 3\n");
    CHECK(session.await("Hand in this file: work/submission-s-12-3.zip"));
    CHECK(session.wait() == 0);
    CHECK(toy.run({"submit"}).text.find("From Ada Löwe, ID s/12 3, kit") == 0);
    CHECK(submit(toy).text.find("From Ada Löwe, ID s123, kit") == 0);  // whoever says it anew is believed
}

TEST_CASE("what can be a name, and what can't") {
    const auto why_not = [](const std::string& text) { return course::why_not_a_name(text, "name"); };
    for (const char* name : {"Ada", "Ada Löwe", "王小明", "O'Brien, \"Bob\"", "Ş"}) CHECK(why_not(name) == "");
    std::string umlauts;
    for (int k = 0; k < 100; ++k) umlauts += "ü";
    CHECK(why_not(umlauts) == "");
    CHECK(why_not(umlauts + "u") == "the name is longer than 100 characters");
    CHECK(why_not("") == "the name is empty");
    CHECK(why_not(" \t ") == "the name is empty");
    CHECK(why_not(" Ada") == "the name begins or ends with a blank");
    for (const char* name : {"a\nb", "a\tb", "a\x1b[1m", "\xFF",
                             "a\xE2\x80\xAE"
                             "b",
                             "a\rb"})
        CHECK(why_not(name).find("isn't UTF-8, or a character that can't be seen") != std::string::npos);
}
