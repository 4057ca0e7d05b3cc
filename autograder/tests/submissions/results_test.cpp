// SPDX-License-Identifier: MIT
// Whose a submission is, and what lies in RESULTS afterwards.
#include <sys/resource.h>
#include <sys/stat.h>

#include "classroom/submissions/formats/names.hpp"
#include "submissions/packing.hpp"

using namespace course;
using namespace test;

TEST_CASE("wrong student: somebody whom the roster hasn't got, and no roster at all") {
    Class one;
    one.write("Ada Lovelace_1_assignsubmission_file/a.zip", submitted("Mallory", "m1", "x"));
    one.write("Ben Ott_2_assignsubmission_file/b.zip", submitted("Ott Ben", "b7", "y"));
    const std::string line = "wrong student? submission.json names Mallory (m1), and Moodle says Ada Lovelace";
    ClassIntake intake = one.take();
    CHECK(has(find(intake, intake.submissions[0].id).problems, line));
    CHECK(intake.submissions[1].problems.empty());
    one.roster("Identifier,Full name\nParticipant 1,Ada Lovelace\nParticipant 2,Ben Ott\n");
    intake = one.take();
    CHECK(has(find(intake, "Participant_1-1").problems, line));
    CHECK(intake.submissions[1].problems.empty());
}

TEST_CASE("groups and times by the roster") {
    Class one;
    one.roster(
        "id,name,group,submitted\nada,Ada,Blue,2026-06-10T10:00:00Z\nben,Ben,Red,2026-06-11T10:00:00Z\n"
        "cai,Cai,Blue,\n");
    one.write("ben/twice.cpp", "ben");
    one.write("cai/twice.cpp", "blue");
    ClassIntake intake = one.take();
    CHECK(find(intake, "cai-1").members == std::vector<std::string>{"cai", "ada"});
    CHECK(find(intake, "ben-1").members == std::vector<std::string>{"ben"});
    CHECK(find(intake, "ben-1").time == parse_stamp("2026-06-11T10:00:00Z"));
    CHECK(intake.problems.empty());
    one.write("ben-2/twice.cpp", "ben again");
    intake = one.take();
    for (const std::string id : {"ben-1", "ben-2"}) {
        CHECK_FALSE(find(intake, id).time);
        CHECK(find(intake, id).problems.empty());   // students read these
    }
    CHECK(has(intake.problems, "ben has several submissions, and which of them the roster's time belongs to"));
}

TEST_CASE("taken in again: what is no longer handed in is gone") {
    Class one;
    one.write("ada/01-twice/twice.cpp", "a");
    one.write("ada/02-shift/shift.cpp", "b");
    one.write("ben/01-twice/twice.cpp", "ben");
    one.take();
    std::filesystem::remove(one.folder / "in/ada/02-shift/shift.cpp");
    one.write("ada/02-shift/shift.cu", "c");
    const ClassIntake intake = one.take();
    CHECK_FALSE(std::filesystem::exists(one.folder / "results/submissions/ada-1/02-shift/shift.cpp"));
    CHECK(one.taken("ada-1/02-shift/shift.cu") == "c");
    CHECK(has(find(intake, "ada-1").problems, "exercise 2 isn't whole: shift.cpp is missing"));
}

TEST_CASE("taken in again: what hasn't changed is left alone, wherever it belongs now") {
    Class one;
    one.write("ada/01-twice/twice.cpp", "ada");
    one.write("ben/01-twice/twice.cpp", "ben");
    one.write("cai/01-twice/twice.cpp", "cai");
    one.take();
    const auto file_of = [&](const std::string& id) {
        struct stat info {};
        REQUIRE(::stat((one.folder / ("results/submissions/" + id + "/01-twice/twice.cpp")).c_str(), &info) == 0);
        return info.st_ino;
    };
    const auto ada = file_of("ada-1"), ben = file_of("ben-1");
    one.write("cai/01-twice/twice.cpp", "cai again");
    one.take();
    CHECK(file_of("ada-1") == ada);
    CHECK(file_of("ben-1") == ben);
    CHECK(one.taken("cai-1/01-twice/twice.cpp") == "cai again");
    // Somebody meddled with what was taken.
    one.folder.write("results/submissions/ben-1/01-twice/twice.cpp", "not ben");
    one.folder.write("results/submissions/ada-1/01-twice/extra.cpp", "not ada's");
    one.take();
    CHECK(one.taken("ben-1/01-twice/twice.cpp") == "ben");
    CHECK_FALSE(std::filesystem::exists(one.folder / "results/submissions/ada-1/01-twice/extra.cpp"));
    // A roster gives them each other's names.
    one.roster("id,name\nben,ada\nada,ben\ncai,cai\n");
    one.write("Ada L/twice.cpp", "x");
    one.roster("id,name\nada,Somebody\nx1,Ada L\nben,Ben\ncai,Cai\n");
    one.take();
    std::filesystem::rename(one.folder / "in/ada", one.folder / "in/old");
    std::filesystem::rename(one.folder / "in/ben", one.folder / "in/ada");
    std::filesystem::rename(one.folder / "in/old", one.folder / "in/ben");
    one.take();
    CHECK(one.taken("ada-1/01-twice/twice.cpp") == "ben");
    CHECK(one.taken("ben-1/01-twice/twice.cpp") == "ada");
    one.roster("id,name,login\nben,Ada,ada\nada,Ben,ben\nx1,Ada L,\ncai,Cai,\n");
    const ClassIntake swapped = one.take();
    CHECK(swapped.submissions.size() == 4);
    for (const ClassSubmission& submission : swapped.submissions)
        CHECK(one.taken(submission.id + "/01-twice/twice.cpp") ==
              read(one.folder / ("in/" + submission.source + "/" + (submission.source == "Ada L" ? "" : "01-twice/") +
                                 "twice.cpp")));
}

TEST_CASE("ids are safe as file names, and nobody's are the same") {
    Class one;
    one.roster(
        "id,name\n\"../../etc\",Eve\nAda,Ada One\nada2,Ada Two\nä,Umlaut\nö,Other\n.hidden,Dot\n\"a/b\",Slash\n"
        "a-b,Dash\n");
    for (const std::string name : {"Eve", "Ada One", "Ada Two", "Umlaut", "Other", "Dot", "Slash", "Dash"})
        one.write(name + "/twice.cpp", name);
    const ClassIntake intake = one.take();
    CHECK(intake.submissions.size() == 8);
    std::set<std::string> ids;
    for (const ClassSubmission& submission : intake.submissions) {
        ids.insert(submission.id);
        CHECK(submission.id.find_first_of("/\\ ") == std::string::npos);
        CHECK(submission.id[0] != '.');
        CHECK(one.taken(submission.id + "/01-twice/twice.cpp") == submission.source);
    }
    CHECK(ids.size() == 8);
    CHECK(has(intake.problems, "handed in nothing") == false);
}

TEST_CASE("3,000 submissions: their archive takes little memory") {
    Class one;
    std::vector<Packed> entries;
    const std::string nested = submitted("Somebody", "x", std::string(20'000, 'x'));
    for (int k = 0; k < 3000; ++k) {
        const std::string name = "Student " + std::to_string(k) + "_" + std::to_string(k) + "_assignsubmission_file/";
        if (k % 2 == 0)
            entries.push_back({.path = name + "submission.zip", .bytes = nested});
        else
            entries.push_back({.path = name + "twice.cpp", .bytes = std::string(20'000, 'y')});
    }
    one.archive("class.zip", entries);
    entries.clear();
    struct rusage before {
    }, after{};
    ::getrusage(RUSAGE_SELF, &before);
    std::size_t calls = 0;
    one.options.progress = [&](std::size_t done, std::size_t all) {
        CHECK(all == 3000);
        CHECK(done == ++calls);
    };
    const ClassIntake intake = take_in(one.options);
    ::getrusage(RUSAGE_SELF, &after);
    CHECK(calls == 3000);
    CHECK(intake.submissions.size() == 3000);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK(after.ru_maxrss - before.ru_maxrss < 40'000);  // KB
#endif
}
