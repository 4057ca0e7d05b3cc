// SPDX-License-Identifier: MIT
// What a student's archive or folder may be, meant badly or not: each has its line, and the rest is taken.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <random>

#include "submissions/packing.hpp"

using namespace course;
using namespace test;

namespace {

const std::string right = "int twice() { return 2; }\n";

/// The submission of one student, ada, whose archive has these entries besides an answer.
ClassSubmission ada(const std::vector<Packed>& others, Pack how = Pack::zip, IntakeLimits limits = {},
                    bool answer_last = true) {
    Class one;
    one.options.limits = limits;
    std::vector<Packed> entries = others;
    entries.insert(answer_last ? entries.end() : entries.begin(), {.path = "01-twice/twice.cpp", .bytes = right});
    one.write("ada.zip", pack(entries, how));
    const ClassIntake intake = one.take();
    REQUIRE(intake.submissions.size() == 1);
    const ClassSubmission& taken = intake.submissions[0];
    CHECK(taken.id == "ada-1");
    REQUIRE_MESSAGE(taken.answers.size() == 1, all_of(taken.problems));
    CHECK(taken.answers[0].folder == "01-twice");
    CHECK(one.taken("ada-1/01-twice/twice.cpp") == right);
    return taken;
}

void check_line(const ClassSubmission& taken, const std::string& what) {
    CHECK_MESSAGE(has(taken.problems, what), "no line says \"", what, "\", but\n", all_of(taken.problems));
    CHECK(taken.problems.size() == 1);
}

constexpr Pack every_format[] = {Pack::zip,    Pack::stored_zip, Pack::tar,    Pack::tar_gz,
                                 Pack::tar_xz, Pack::tar_zst,    Pack::tar_bz2};

/// The bytes of a ZIP file's end replaced, so that its table of contents is lost.
std::string cut(std::string bytes, std::size_t left) {
    bytes.resize(left);
    return bytes;
}

}  // namespace

TEST_CASE("every format is read, and an honest archive has no lines") {
    for (const Pack how : every_format) CHECK(ada({}, how).problems.empty());
}

TEST_CASE("names that lead out of the archive are left out") {
    for (const Pack how : {Pack::zip, Pack::tar, Pack::tar_gz}) {
        check_line(ada({{.path = "../../01-twice/twice.cpp", .bytes = "evil"}}, how), "leads out of the archive");
        check_line(ada({{.path = "01-twice/../../../etc/cron.d/x", .bytes = "evil"}}, how), "leads out of the archive");
        check_line(ada({{.path = "/01-twice/twice.cpp", .bytes = "evil"}}, how), "is an absolute name");
        check_line(ada({{.path = "C:\\01-twice\\twice.cpp", .bytes = "evil"}}, how), "is an absolute name");
        check_line(ada({{.path = "..\\02-shift\\shift.cu", .bytes = "evil"}}, how), "leads out of the archive");
    }
}

TEST_CASE("links and devices are left out") {
    for (const Pack how : {Pack::zip, Pack::tar, Pack::tar_xz})
        check_line(ada({{.path = "02-shift/shift.cpp", .type = AE_IFLNK, .target = "/etc/passwd"}}, how),
                   "02-shift/shift.cpp is a link");
    check_line(ada({{.path = "02-shift", .type = AE_IFLNK, .target = "/etc"}}, Pack::tar), "02-shift is a link");
    check_line(ada({{.path = "02-shift/shift.cpp", .target = "01-twice/twice.cpp", .is_hard_link = true}}, Pack::tar),
               "02-shift/shift.cpp is a link");
    check_line(ada({{.path = "02-shift/shift.cpp", .type = AE_IFIFO}}, Pack::tar), "is a device or a pipe");
    check_line(ada({{.path = "02-shift/shift.cpp", .type = AE_IFBLK}}, Pack::tar), "is a device or a pipe");
}

TEST_CASE("bombs: files, sparse files and archives that unpack to much more than they are") {
    const std::string zeros(std::size_t{8} << 20, '\0');
    for (const Pack how : {Pack::zip, Pack::tar_gz, Pack::tar_xz, Pack::tar_zst})
        CHECK(has(ada({{.path = "02-shift/shift.cpp", .bytes = zeros}}, how).problems, "is larger than 1 MiB"));
    // 2 GB that take no place in the archive.
    check_line(ada({{.path = "02-shift/shift.cu", .bytes = "x", .sparse_size = std::int64_t{2} << 30}}, Pack::tar),
               "02-shift/shift.cu is a sparse file");
    check_line(ada({{.path = "huge.bin", .bytes = "x", .sparse_size = std::int64_t{2} << 30}}, Pack::tar_gz),
               "huge.bin is a sparse file");
    // What must be unpacked to get past it counts; what came before is kept.
    IntakeLimits small;
    small.unpacked_bytes = std::int64_t{1} << 20;
    check_line(ada({{.path = "filler.bin", .bytes = zeros}}, Pack::tar_gz, small, false), "unpacks to more than");
    // A zip file's entries are passed over as they are.
    CHECK(ada({{.path = "filler.bin", .bytes = zeros}}, Pack::zip, small).problems.empty());
    // Too many small ones.
    std::vector<Packed> many;
    for (int k = 0; k < 300; ++k) many.push_back({.path = "f/" + std::to_string(k)});
    IntakeLimits few;
    few.entries = 100;
    check_line(ada(many, Pack::zip, few, false), "has more than 100 files and folders");
    // Many files of answers, each of a size that one may have.
    Class large;
    large.options.limits.kept_bytes = 1'000'000;
    large.write("ada.zip", pack({{.path = "01-twice/twice.cpp", .bytes = right},
                                 {.path = "02-shift/shift.cpp", .bytes = std::string(500'000, 'a')},
                                 {.path = "02-shift/shift.cu", .bytes = std::string(600'000, 'b')}}));
    const ClassIntake intake = large.take();
    CHECK(find(intake, "ada-1").answers.size() == 2);
    CHECK(has(find(intake, "ada-1").problems, "shift.cu and what comes after it wasn't taken"));
}

TEST_CASE("archives within archives are read three deep") {
    const std::string innermost = pack({{.path = "02-shift/shift.cpp", .bytes = "a"}, {.path = "02-shift/shift.cu"}});
    const std::string middle = pack({{.path = "inner.zip", .bytes = innermost}}, Pack::tar_gz);
    CHECK(innermost.size() > 100);
    Class one;
    one.write("ada.zip", pack({{.path = "middle.tgz", .bytes = middle}}));
    ClassIntake intake = one.take();
    CHECK(find(intake, "ada-1").answers.size() == 1);
    CHECK(one.taken("ada-1/02-shift/shift.cpp") == "a");
    one.write("ada.zip", pack({{.path = "again.zip", .bytes = pack({{.path = "middle.tgz", .bytes = middle}})}}));
    intake = one.take();
    CHECK(find(intake, "ada-1").answers.empty());
    CHECK(has(find(intake, "ada-1").problems, "again.zip: middle.tgz: inner.zip is an archive in 3 others"));
    IntakeLimits small;
    small.nested_archive_bytes = 1000;
    const std::string large = pack({{.path = "x", .bytes = std::string(2000, 'x')}}, Pack::stored_zip);
    check_line(ada({{.path = "large.zip", .bytes = large}}, Pack::zip, small), "larger than 1000 bytes");
    check_line(ada({{.path = "not.zip", .bytes = "this is text"}}), "not.zip isn't a zip or tar archive");
    check_line(ada({{.path = "empty.zip"}}), "empty.zip is empty");
    check_line(ada({{.path = "other.rar", .bytes = "Rar!\x1a\x07"}}), "RAR archive, which the kit doesn't read");
    check_line(ada({{.path = "other.7z", .bytes = "7z\xBC\xAF'\x1c"}}), "7z archive, which the kit doesn't read");
}

TEST_CASE("one packing is undone, not those within it") {
    // A gzip file in a gzip file: libarchive would undo as many as there are.
    const std::string once = pack({{.path = "01-twice/twice.cpp", .bytes = right}}, Pack::tar_gz);
    std::string out(std::size_t{1} << 20, '\0');
    std::size_t used = 0;
    const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_new(), archive_write_free);
    archive_write_set_format_raw(writer.get());
    archive_write_add_filter_gzip(writer.get());
    archive_write_open_memory(writer.get(), out.data(), out.size(), &used);
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_header(writer.get(), entry);
    archive_write_data(writer.get(), once.data(), once.size());
    archive_entry_free(entry);
    archive_write_close(writer.get());
    Class one;
    one.write("ada.tar.gz", out.substr(0, used));
    const ClassIntake intake = one.take();
    CHECK(find(intake, "ada-1").answers.empty());
    CHECK_MESSAGE(has(find(intake, "ada-1").problems, "is broken"), all_of(find(intake, "ada-1").problems));
}

TEST_CASE("an export that ends in the middle is refused, before anything is written") {
    Class one;
    const std::string whole = pack({{.path = "ada/01-twice/twice.cpp", .bytes = right},
                                    {.path = "ben/01-twice/twice.cpp", .bytes = std::string(9000, 'x')},
                                    {.path = "cai/01-twice/twice.cpp", .bytes = right}},
                                   Pack::stored_zip);
    for (const std::size_t left : {whole.size() / 2, whole.size() - 300, std::size_t{600}}) {
        one.folder.write("all.zip", cut(whole, left));
        one.options.submissions = one.folder / "all.zip";
        CHECK_THROWS_WITH_AS(take_in(one.options), doctest::Contains("answers may be missing, so nothing was graded"),
                             IntakeError);
        CHECK(!std::filesystem::exists(one.folder / "results/intake.json"));
    }
}

TEST_CASE("encrypted and broken archives") {
    Class one;
    one.write("ada.zip", pack({{.path = "01-twice/twice.cpp", .bytes = right}}, Pack::encrypted_zip));
    const std::string whole = pack({{.path = "01-twice/twice.cpp", .bytes = right},
                                    {.path = "02-shift/shift.cpp", .bytes = std::string(9000, 'x')}},
                                   Pack::stored_zip);
    one.write("ben.zip", cut(whole, whole.size() / 2));
    one.write("cai.zip", "PK\x03\x04 and no more");
    one.write("dee.zip", "");
    std::string noise(400'000, '\0');  // that gzip can't make smaller
    std::mt19937 random(1);
    for (char& c : noise) c = static_cast<char>(random());
    const std::string packed =
        pack({{.path = "01-twice/twice.cpp", .bytes = right}, {.path = "x", .bytes = noise}}, Pack::tar_gz);
    one.write("eva.tgz", cut(packed, packed.size() / 2));
    std::string damaged = pack({{.path = "01-twice/twice.cpp", .bytes = right}}, Pack::stored_zip);
    damaged[damaged.find("twice()")] = 'X';
    one.write("fay.zip", damaged);
    const ClassIntake intake = one.take();
    CHECK(has(find(intake, "ada-1").problems, "is encrypted; ask for an archive without a password"));
    // What comes before the cut is taken.
    CHECK(find(intake, "ben-1").answers.size() == 1);
    CHECK(one.taken("ben-1/01-twice/twice.cpp") == right);
    CHECK_MESSAGE(has(find(intake, "ben-1").problems, "broken"), all_of(find(intake, "ben-1").problems));
    CHECK_MESSAGE(has(find(intake, "cai-1").problems, "broken"), all_of(find(intake, "cai-1").problems));
    CHECK(has(find(intake, "dee-1").problems, "dee.zip is empty"));
    CHECK(find(intake, "eva-1").answers.size() == 1);
    CHECK_MESSAGE(has(find(intake, "eva-1").problems, "broken"), all_of(find(intake, "eva-1").problems));
    CHECK_MESSAGE(has(find(intake, "fay-1").problems, "can't be read"), all_of(find(intake, "fay-1").problems));
    for (const ClassSubmission& submission : intake.submissions) CHECK(submission.problems.size() <= 2);
}

TEST_CASE("names: no UTF-8, control characters, twice, in capitals, too long") {
    const ClassSubmission odd = ada({{.path = "caf\xe9/01-twice/twice.cpp", .bytes = "other"}}, Pack::tar);
    CHECK_MESSAGE(has(odd.problems, "caf\\xE9"), all_of(odd.problems));
    check_line(ada({{.path = "\x1b[31mred\x07", .type = AE_IFIFO}}, Pack::tar), "\\x1B[31mred\\x07 is a device");
    check_line(ada({{.path = std::string(2000, 'a') + "/x", .bytes = "x"}}, Pack::tar), "a name of 2002 bytes");
    for (const Pack how : {Pack::zip, Pack::tar})
        check_line(ada({{.path = "01-twice/twice.cpp", .bytes = "earlier"}}, how), "twice.cpp is there twice");
    check_line(ada({{.path = "01-twice/Twice.cpp", .bytes = "other"}}), "differ in capitals only");
    Class one;
    one.write("ada.zip", pack({{.path = "01-Twice/TWICE.CPP", .bytes = right}}));
    const ClassIntake intake = one.take();
    CHECK(one.taken("ada-1/01-twice/twice.cpp") == right);
    CHECK(has(find(intake, "ada-1").problems, "TWICE.CPP was taken as twice.cpp"));
}

TEST_CASE("thousands of bad entries are a few lines") {
    std::vector<Packed> entries;
    for (int k = 0; k < 1000; ++k) entries.push_back({.path = "../" + std::to_string(k)});
    const ClassSubmission taken = ada(entries);
    CHECK(taken.problems.size() == 26);
    CHECK(taken.problems.back() == "and 975 more of such lines");
}

TEST_CASE("a folder: links, pipes, sockets, sparse files, and what can't be read") {
    Class one;
    one.write("ada/01-twice/twice.cpp", right);
    const std::filesystem::path in = one.folder / "in";
    one.folder.write("secret/shift.cpp", "secret");
    std::filesystem::create_symlink(one.folder / "secret", in / "ada/02-shift");
    std::filesystem::create_symlink(one.folder / "secret/shift.cpp", in / "ada/shift.cpp");
    REQUIRE(::mkfifo((in / "ada/shift.cu").c_str(), 0600) == 0);
    one.write("ben/02-shift/shift.cpp", "x");
    std::filesystem::resize_file(in / "ben/02-shift/shift.cpp", std::uintmax_t{2} << 30);  // a hole of 2 GB
    one.write("ben/02-shift/shift.cu", "fine");
    std::filesystem::create_symlink(one.folder / "secret", in / "cai");
    std::filesystem::create_directory_symlink("/", in / "ben/root");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string socket_name = (in / "ben/twice.cpp").string();
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(socket_name.size() < sizeof address.sun_path);
    socket_name.copy(address.sun_path, socket_name.size());
    REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    const ClassIntake intake = one.take();
    ::close(socket);
    REQUIRE(intake.submissions.size() == 2);
    CHECK(has(intake.problems, "cai is a link; it was left out"));
    const ClassSubmission& ada_s = find(intake, "ada-1");
    CHECK(ada_s.answers.size() == 1);
    CHECK(has(ada_s.problems, "02-shift is a link"));
    CHECK(has(ada_s.problems, "shift.cpp is a link"));
    CHECK(has(ada_s.problems, "shift.cu is a device, a pipe or a socket"));
    const ClassSubmission& ben = find(intake, "ben-1");
    CHECK(has(ben.problems, "02-shift/shift.cpp is larger than 1 MiB"));
    CHECK(has(ben.problems, "root is a link"));
    CHECK(has(ben.problems, "twice.cpp is a device, a pipe or a socket"));
    CHECK(has(ben.problems, "exercise 2 isn't whole: shift.cpp is missing"));
    CHECK(one.taken("ben-1/02-shift/shift.cu") == "fine");
}

TEST_CASE("an export's archive that is hostile itself") {
    Class one;
    one.archive("export.zip",
                {{.path = "../outside/01-twice/twice.cpp", .bytes = "evil"},
                 {.path = "/etc/passwd", .bytes = "evil"},
                 {.path = "ada/01-twice/twice.cpp", .bytes = right},
                 {.path = "ben/01-twice/twice.cpp", .type = AE_IFLNK, .target = "../../ada/01-twice/twice.cpp"},
                 {.path = "b\xe9n/01-twice/twice.cpp", .bytes = "ben's"}},
                Pack::tar);
    const ClassIntake intake = one.take();
    CHECK(intake.submissions.size() == 3);
    CHECK(has(intake.problems, "../outside/01-twice/twice.cpp leads out of the archive"));
    CHECK(has(intake.problems, "/etc/passwd is an absolute name"));
    CHECK(one.taken("ada-1/01-twice/twice.cpp") == right);
    CHECK(has(find(intake, "ben-1").problems, "is a link"));
    one.archive("broken.zip", {{.path = "ada/01-twice/twice.cpp", .bytes = right}});
    one.folder.write("broken.zip", "no archive");
    CHECK_THROWS_WITH_AS(take_in(one.options), doctest::Contains("isn't a zip or tar archive"), IntakeError);
    one.options.submissions = one.folder / "nowhere";
    CHECK_THROWS_WITH_AS(take_in(one.options), doctest::Contains("there is no"), IntakeError);
    REQUIRE(::mkfifo((one.folder / "pipe.zip").c_str(), 0600) == 0);
    one.options.submissions = one.folder / "pipe.zip";
    CHECK_THROWS_WITH_AS(take_in(one.options), doctest::Contains("neither a folder nor an archive"), IntakeError);
}
