// SPDX-License-Identifier: MIT
// Each LMS' layout, who handed in what, and where an answer may lie.
#include <ctime>

#include <fmt/format.h>

#include "classroom/submissions/formats/names.hpp"
#include "submissions/packing.hpp"

using namespace course;
using namespace test;

namespace {

const std::string moodle_worksheet =
    "\xEF\xBB\xBF"
    "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Last modified (submission)\","
    "\"Last modified (grade)\",\"Feedback comments\"\r\n"
    "\"Participant 101\",\"Ada Lovelace\",ada@example.edu,\"Submitted for grading\",,100.00,"
    "\"Wednesday, 10 June 2026, 2:14 PM\",-,\"Good,\nand \"\"short\"\"\"\r\n"
    "\"Participant 102\",\"Zoë Müller\",zoe@example.edu,\"Submitted for grading\",,100.00,"
    "\"Wednesday, 10 June 2026, 11:05 PM\",-,\r\n"
    "\"Participant 103\",\"Grace Hopper\",grace@example.edu,\"No submission\",,100.00,-,-,\r\n";

std::string stamp(const ClassSubmission& one) { return one.time ? stamp_text(*one.time) : "none"; }

/// The time zone of this machine is UTC until the end of the scope.
struct InUtc {
    InUtc() { ::setenv("TZ", "UTC", 1), ::tzset(); }
    ~InUtc() { ::unsetenv("TZ"), ::tzset(); }
};

}  // namespace

TEST_CASE("Moodle: folders, with the grading worksheet as roster") {
    const InUtc utc;
    const std::vector<Packed> entries = {
        {.path = "Ada Lovelace_101_assignsubmission_file/twice.cpp", .bytes = "ada"},
        {.path = "Zoe\xCC\x88 Mu\xCC\x88ller_102_assignsubmission_file_/answers.zip",
         .bytes =
             pack({{.path = "work/01-twice/twice.cpp", .bytes = "zoe"}, {.path = "__MACOSX/01-twice/._twice.cpp"}})},
        {.path = "Ada Lovelace_101_assignsubmission_onlinetext/onlinetext.html", .bytes = "<p>Hello</p>"},
        {.path = "Nobody Known_999_assignsubmission_file/01-twice/twice.cpp", .bytes = "nobody"},
        {.path = "notes.txt", .bytes = "mine"}};
    for (const Pack how : {Pack::zip, Pack::tar_gz}) {
        Class one;
        one.roster(moodle_worksheet);
        one.archive("GPU-Exercise 1-77.zip", entries, how);
        const ClassIntake intake = one.take();
        REQUIRE(intake.roster.size() == 3);
        CHECK(intake.roster[1] == ClassStudent{"Participant 102", "Zoë Müller", "zoe@example.edu", ""});
        REQUIRE(intake.submissions.size() == 3);
        const ClassSubmission& ada = find(intake, intake.submissions[1].id);
        CHECK(ada.student == "Participant 101");
        CHECK(stamp(ada) == "2026-06-10T14:14:00Z");
        CHECK(ada.source == "Ada Lovelace_101");
        CHECK(has(ada.problems, "has text typed into Moodle instead of a file; it was ignored"));
        CHECK(one.taken(ada.id + "/01-twice/twice.cpp") == "ada");
        const ClassSubmission& zoe = intake.submissions[2];
        CHECK(zoe.student == "Participant 102");
        CHECK(stamp(zoe) == "2026-06-10T23:05:00Z");
        CHECK(ada.lms_name == LmsName{.lms = "moodle", .who = "Ada Lovelace", .number = "101"});
        CHECK(zoe.lms_name == LmsName{.lms = "moodle", .who = "Zoë Müller", .number = "102"});
        CHECK_MESSAGE(zoe.problems.empty(), all_of(zoe.problems));
        CHECK(has(intake.problems, "Nobody Known (Nobody Known_999) isn't on the roster"));
        CHECK(has(intake.problems, "Grace Hopper (Participant 103) handed in nothing"));
        CHECK(has(intake.problems, "notes.txt isn't named as Moodle names what is handed in"));
        CHECK(intake.problems.size() == 3);
    }
}

TEST_CASE("Moodle: flat files, without names, by name alone, and groups") {
    Class one;
    one.write("Ada Lovelace_101_assignsubmission_file_twice.cpp", "ada");
    one.write("Ada Lovelace_101_assignsubmission_file_shift.cpp", "a");
    one.write("Ada Lovelace_101_assignsubmission_file_shift (1).cu", "b");
    one.write("Participant_55_assignsubmission_file_twice.cpp", "anonymous");
    ClassIntake intake = one.take();
    CHECK(intake.submissions[1].student == "Participant 55");
    CHECK(intake.submissions[0].student == "Ada Lovelace");
    CHECK(intake.submissions[0].answers.size() == 2);
    CHECK(intake.submissions[0].problems.empty());
    // A roster that doesn't know Moodle's numbers: the name has to do, if it is one student's.
    one.roster("name;id;email\nLovelace, Ada;s1;ada@example.edu\nBen Ott;s2;\nBen Ott;s3;\n");
    one.write("Ben Ott_102_assignsubmission_file_twice.cpp", "ben");
    intake = one.take();
    CHECK(find(intake, "s1-1").answers.size() == 2);
    CHECK(has(intake.problems, "Ben Ott (Ben Ott_102) may be one of several students"));
    // Two of one name are two students, rostered or not.
    one.write("Ben Ott_103_assignsubmission_file_twice.cpp", "the other ben");
    intake = one.take();
    CHECK(std::count_if(intake.submissions.begin(), intake.submissions.end(), [](const ClassSubmission& submission) {
              return submission.student.starts_with("Ben Ott 10") && submission.attempt == 1;
          }) == 2);
    // Moodle's numbers tell them apart.
    Class twins;
    twins.roster("Identifier,Full name\nParticipant 102,Ben Ott\nParticipant 103,Ben Ott\n");
    twins.write("Ben Ott_103_assignsubmission_file_twice.cpp", "103");
    intake = twins.take();
    CHECK(intake.submissions.at(0).student == "Participant 103");
    CHECK(intake.problems == std::vector<std::string>{"Ben Ott (Participant 102) handed in nothing"});
    // A group's submission is everybody's.
    Class group;
    group.roster("id,name,group\ns1,Ada,Blue team\ns2,Ben,Red team\ns3,Cai,Blue team\n");
    group.write("Blue team_7_assignsubmission_file/01-twice/twice.cpp", "blue");
    intake = group.take();
    CHECK(find(intake, "s1-1").members == std::vector<std::string>{"s1", "s3"});
    CHECK_FALSE(find(intake, "s1-1").lms_name);  // it is the group's, and no student's
    CHECK(intake.problems == std::vector<std::string>{"Ben (s2) handed in nothing"});
}

TEST_CASE("Canvas: names, late ones, later uploads, no names") {
    Class one;
    one.roster(
        "Student,ID,SIS User ID,SIS Login ID,Section,Exercise 1 (901234)\n    Points Possible,,,,,10\n"
        "\"Lovelace, Ada\",12345,S100,ada,A,\n\"Müller, Zoë\",12346,S101,zoe,A,\n\"Student, Test\",99,,b1,A,\n");
    one.archive("submissions.zip", {{.path = "lovelaceada_12345_700_twice.cpp", .bytes = "first"},
                                    {.path = "lovelaceada_12345_800_twice-1.cpp", .bytes = "second"},
                                    {.path = "lovelaceada_12345_801_shift.cpp", .bytes = "s"},
                                    {.path = "lovelaceada_12345_802_shift-2.cu", .bytes = "t"},
                                    {.path = "lovelaceada_12345_text.html", .bytes = "<p>"},
                                    {.path = "müllerzoë_LATE_12346_900_submission-zoe.zip",
                                     .bytes = submitted("Zoë Müller", "zoe", "zoe's")},
                                    {.path = "testonestudent_77_901_report_final_12.pdf", .bytes = "%PDF"}});
    const ClassIntake intake = one.take();
    REQUIRE(intake.roster.size() == 2);
    CHECK(intake.roster[0] == ClassStudent{"S100", "Ada Lovelace", "", "", "12345"});
    REQUIRE(intake.submissions.size() == 3);
    const ClassSubmission& ada = find(intake, "S100-1");
    CHECK(one.taken("S100-1/01-twice/twice.cpp") == "second");
    CHECK(ada.answers.size() == 2);
    REQUIRE(ada.lms_name);  // of the last upload
    CHECK(*ada.lms_name == LmsName{"canvas", "lovelaceada", "12345", "802", "shift-2.cu", false});
    CHECK(has(ada.problems, "twice.cpp and twice-1.cpp are both twice.cpp; twice-1.cpp was taken"));
    CHECK(has(ada.problems, "has text typed into Canvas instead of a file; it was ignored"));
    CHECK(ada.problems.size() == 2);
    const ClassSubmission& zoe = find(intake, "S101-1");
    CHECK(one.taken("S101-1/01-twice/twice.cpp") == "zoe's");
    CHECK(has(intake.problems, "S101: Canvas marks it LATE"));
    REQUIRE(zoe.lms_name);
    CHECK(*zoe.lms_name == LmsName{"canvas", "müllerzoë", "12346", "900", "submission-zoe.zip", true});
    CHECK_MESSAGE(zoe.problems.empty(), all_of(zoe.problems));   // students read these
    CHECK(has(intake.problems, "testonestudent (testonestudent_77) isn't on the roster"));
    CHECK(has(intake.submissions[2].problems,
              "none of the files has an exercise's file name (found: report_final_12.pdf; expected: "
              "twice.cpp, shift.cpp, shift.cu)"));
    // The order in the archive doesn't matter, Canvas' numbers do.
    one.archive("other.zip", {{.path = "lovelaceada_12345_800_twice-1.cpp", .bytes = "second"},
                              {.path = "lovelaceada_12345_700_twice.cpp", .bytes = "first"}});
    CHECK(one.take().submissions.size() == 1);
    CHECK(one.taken("S100-1/01-twice/twice.cpp") == "second");
    one.options.submissions = one.folder / "submissions.zip";
    // Once its time is known, nobody need be told.
    one.roster("id,name,submitted\nS101,Zoë Müller,2026-06-10T10:00:00Z\n");
    const ClassSubmission timed = find(one.take(), "S101-1");
    CHECK(stamp(timed) == "2026-06-10T10:00:00Z");
    CHECK(timed.problems.empty());
    Class anonymous;
    anonymous.write("anon_ab12c_700_twice.cpp", "a");
    anonymous.write("LATE_anon_zz9zz_701_twice.cpp", "b");
    const ClassIntake hidden = anonymous.take();
    REQUIRE(hidden.submissions.size() == 2);
    CHECK(hidden.submissions[0].student == "anonymous ab12c");
    CHECK(has(hidden.problems, "LATE"));
    REQUIRE(hidden.submissions[1].lms_name);
    CHECK(*hidden.submissions[1].lms_name == LmsName{"canvas", "anon", "zz9zz", "701", "twice.cpp", true});
}

TEST_CASE("Gradescope: submitters and times by its metadata") {
    const std::string metadata =
        "---\nsubmission_1001:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '30001'\n    :email: "
        "ada@example.edu\n"
        "  :created_at: 2026-06-10 14:14:32.365935000 Z\n  :score: 3.0\n  :results:\n    tests:\n    - name: "
        "\":submitters:\"\n"
        "      :created_at: 1999-01-01 00:00:00 Z\n  :history: []\n"
        "submission_1002:\n  :submitters:\n  - :name: Ben Ott\n    :sid: '30002'\n    :email: ben@example.edu\n"
        "  - :name: Cai Li\n    :sid:\n    :email: cai@example.edu\n"
        "  :created_at: !ruby/object:ActiveSupport::TimeWithZone\n    utc: &1 2026-06-10 16:00:00.000000000 Z\n"
        "    zone: !ruby/object:ActiveSupport::TimeZone\n      name: America/Los_Angeles\n    time: *1\n"
        "submission_1003:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '30001'\n    :email: ada@example.edu\n"
        "  :created_at: 2026-06-09 10:00:00 -0700\n"
        "submission_1004:\n  :submitters: []\n";
    const std::vector<Packed> entries = {
        {.path = "assignment_9_export/submission_metadata.yml", .bytes = metadata},
        {.path = "assignment_9_export/submission_1001/twice.cpp", .bytes = "ada 2"},
        {.path = "assignment_9_export/submission_1001/submission_metadata.yml", .bytes = "submission_1001: {}"},
        {.path = "assignment_9_export/submission_1002/01-twice/twice.cpp", .bytes = "both"},
        {.path = "assignment_9_export/submission_1003/twice.cpp", .bytes = "ada 1"},
        {.path = "assignment_9_export/submission_1009/twice.cpp", .bytes = "?"}};
    Class one;
    one.roster(
        "First Name,Last Name,SID,Email,Sections\nAda,Lovelace,30001,ada@example.edu,\n"
        "Ben,Ott,30002,ben@example.edu,\nCai,Li,30003,cai@example.edu,\n");
    one.archive("assignment_9_export.zip", entries);
    const ClassIntake intake = one.take();
    REQUIRE(intake.submissions.size() == 3);
    CHECK(one.taken("30001-1/01-twice/twice.cpp") == "ada 1");
    CHECK(stamp(find(intake, "30001-1")) == "2026-06-09T17:00:00Z");
    CHECK(one.taken("30001-2/01-twice/twice.cpp") == "ada 2");
    CHECK(stamp(find(intake, "30001-2")) == "2026-06-10T14:14:32Z");
    CHECK(find(intake, "30001-2").attempt == 2);
    CHECK(find(intake, "30002-1").members == std::vector<std::string>{"30002", "30003"});
    CHECK(stamp(find(intake, "30002-1")) == "2026-06-10T16:00:00Z");
    CHECK(has(intake.problems, "submission_1009/ isn't in submission_metadata.yml"));
    CHECK(has(intake.problems, "submission_1004, which isn't in the export"));
    CHECK(intake.problems.size() == 2);
    for (const ClassSubmission& submission : intake.submissions) CHECK(submission.problems.empty());
    Class bad;
    bad.write("submission_metadata.yml", "submission_1: [unclosed\n  - {");
    bad.write("submission_1/twice.cpp", "x");
    CHECK_THROWS_WITH_AS(take_in(bad.options), doctest::Contains("submission_metadata.yml can't be read"), IntakeError);
}

TEST_CASE("GitHub Classroom: a repository for each, with a copy of the course") {
    Class one;
    const std::string stub = read(COURSE_SOURCE_DIR "/autograder/tests/toy/exercises/01-twice/twice.cpp");
    for (const std::string name : {"exercise-1-ada", "exercise-1-ben-ott"}) {
        one.write(name + "/.git/HEAD", "ref: refs/heads/main\n");
        one.write(name + "/.git/01-twice/twice.cpp", "not this");
        one.write(name + "/exercises/01-twice/twice.cpp", stub);
        one.write(name + "/exercises/01-twice/wrong/one/twice.cpp", "nor this");
        one.write(name + "/solutions/01-twice/twice.cpp", "nor this");
    }
    one.write("exercise-1-ada/work/01-twice/twice.cpp", "ada's");
    ClassIntake intake = one.take();
    CHECK(find(intake, "ada-1").student == "ada");
    CHECK(find(intake, "ben-ott-1").answers.empty());
    CHECK(one.taken("ada-1/01-twice/twice.cpp") == "ada's");
    CHECK_MESSAGE(find(intake, "ada-1").problems.empty(), all_of(find(intake, "ada-1").problems));
    CHECK_FALSE(find(intake, "ada-1").time);
    CHECK(has(intake.problems, "don't say when they were handed in"));
    // Worked on where it was given.
    one.write("exercise-1-ben-ott/exercises/01-twice/twice.cpp", "ben's");
    one.roster(
        "identifier,github_username,github_id,name,submitted\nada@x.edu,ada,1,Ada,2026-06-10T10:00:00+02:00\n"
        "ben@x.edu,Ben-Ott,2,Ben,\ncai@x.edu,,,\n");
    intake = one.take();
    CHECK(one.taken("ben@x.edu-1/01-twice/twice.cpp") == "ben's");
    CHECK(stamp(find(intake, "ada@x.edu-1")) == "2026-06-10T08:00:00Z");
    CHECK(has(intake.problems, "cai@x.edu handed in nothing"));
}

TEST_CASE("folders and archives that students or instructors named") {
    Class one;
    one.roster("id,name,group\nada,Ada Lovelace,\nben,Ben Ott,\ncai,Cai Li,\nada,Ada Again,\n");
    one.write("ada/01-twice/twice.cpp", "first");
    one.write("ada-2/01-twice/twice.cpp", "second");
    one.write("ada-10/01-twice/twice.cpp", "tenth");
    one.write("submission-ben.zip", submitted("Ben Ott", "ben", "ben's"));
    one.write("handed in yesterday.zip", submitted("Cai Li", "CAI", "cai's"));
    one.write("roster.csv", "id\nx\n");
    one.write(".DS_Store", "");
    one.write("readme.txt", "");
    const ClassIntake intake = one.take();
    CHECK(one.taken("ada-1/01-twice/twice.cpp") == "first");
    CHECK(one.taken("ada-2/01-twice/twice.cpp") == "second");
    CHECK(one.taken("ada-3/01-twice/twice.cpp") == "tenth");
    CHECK(one.taken("ben-1/01-twice/twice.cpp") == "ben's");
    CHECK(one.taken("cai-1/01-twice/twice.cpp") == "cai's");
    CHECK(intake.submissions.size() == 5);
    CHECK(has(intake.problems, "roster.csv line 5: ada is on the roster twice"));
    CHECK(has(intake.problems, "readme.txt is neither a folder nor an archive"));
    CHECK(intake.problems.size() == 2);
    // The same files have the same digest, others another one.
    CHECK(find(intake, "ada-1").answers[0].digest.size() == 32);
    CHECK(find(intake, "ada-1").answers[0].digest != find(intake, "ada-2").answers[0].digest);
}

TEST_CASE("a numbered copy of a student's archive or folder is the same student's, and comes after it") {
    const auto attempts_of = [](Class& one) {
        const ClassIntake intake = one.take();
        std::string text;
        for (const ClassSubmission& submission : intake.submissions)
            text += fmt::format("{} {}; ", submission.id, submission.source);
        return text;
    };
    Class rostered;
    rostered.roster("id,name\nlea,Lea Noll\nivy,Ivy Orr\n");
    for (const char* name : {"lea (1).zip", "lea-2.zip", "lea.zip"})
        rostered.write(name, submitted("Lea Noll", "lea", name));
    for (const char* name : {"ivy", "ivy (1)", "ivy(10)"})
        rostered.write(fmt::format("{}/01-twice/twice.cpp", name), name);
    CHECK(attempts_of(rostered) ==
          "ivy-1 ivy; ivy-2 ivy (1); ivy-3 ivy(10); lea-1 lea.zip; lea-2 lea (1).zip; lea-3 lea-2.zip; ");
    Class alone;   // nobody says who "lea-2" is
    for (const char* name : {"lea (1)", "lea-2", "lea"})
        alone.write(fmt::format("{}/01-twice/twice.cpp", name), name);
    CHECK(attempts_of(alone) == "lea-1 lea; lea-2 lea (1); lea-2-1 lea-2; ");
}

TEST_CASE("make submit's archive: digests, and whose it is") {
    Class one;
    one.roster("Identifier,Full name\nParticipant 1,Ada Lovelace\nParticipant 2,Grace Hopper\n");
    one.write("Ada Lovelace_1_assignsubmission_file/submission-g1.zip", submitted("Grace Hopper", "g1", "grace's"));
    std::string changed = submitted("Grace Hopper", "g1", "ggggg");
    const std::size_t at = changed.find("ggggg");
    REQUIRE(at != changed.npos);
    const std::string list = changed.substr(changed.find("{\n"), changed.find("\n}\n") + 3 - changed.find("{\n"));
    one.write("Grace Hopper_2_assignsubmission_file/submission-g1.zip",
              pack({{.path = "submission.json", .bytes = list}, {.path = "01-twice/twice.cpp", .bytes = "other"}}));
    ClassIntake intake = one.take();
    const ClassSubmission& ada = intake.submissions[0];
    CHECK(ada.student == "Participant 1");  // the LMS knows better
    CHECK(has(ada.problems,
              "wrong student? submission.json names Grace Hopper (g1), and Moodle says Ada Lovelace (Participant 1); "
              "Participant 1 counts"));
    const ClassSubmission& grace = intake.submissions[1];
    CHECK(grace.student == "Participant 2");
    CHECK(has(grace.problems, "01-twice/twice.cpp isn't the file that make submit packed"));
    CHECK(grace.problems.size() == 1);
    CHECK(one.taken(grace.id + "/01-twice/twice.cpp") == "other");
    one.write("Grace Hopper_2_assignsubmission_file/submission-g1.zip",
              pack({{.path = "submission.json", .bytes = list}}));
    one.write("Ada Lovelace_1_assignsubmission_file/submission-g1.zip",
              pack({{.path = "submission.json", .bytes = "{\"schema\": 7}"}}));
    intake = one.take();
    CHECK(has(intake.submissions[1].problems, "is on the list of make submit, and isn't there"));
    CHECK(has(intake.submissions[0].problems, "submission.json isn't a list that make submit writes"));
    // Without a roster the name in submission.json is the best there is; one archive is one submission.
    Class alone;
    alone.folder.write("ada.zip", submitted("Ada Lovelace", "s-1", "ada's"));
    alone.options.submissions = alone.folder / "ada.zip";
    CHECK(find(alone.take(), "s-1-1").student == "s-1");
}

TEST_CASE("where an answer may lie, and which one counts") {
    const auto taken_of = [](const std::vector<std::string>& paths, std::vector<int> bare = {}) {
        Class one;
        one.options.bare_exercises = std::move(bare);
        for (const std::string& path : paths) one.write("ada/" + path, path);
        one.write("ben/01-twice/twice.cpp", "ben");
        const ClassIntake intake = one.take();
        const ClassSubmission& ada = find(intake, "ada-1");
        std::string text;
        for (const SubmittedAnswer& answer : ada.answers)
            for (const std::string name : {"twice.cpp", "shift.cpp", "shift.cu"})
                if (const std::string bytes = one.taken("ada-1/" + answer.folder + "/" + name); !bytes.empty())
                    text += bytes + " ";
        return text + (ada.problems.empty() ? "" : "| " + all_of(ada.problems));
    };
    for (const std::string path :
         {"01-twice/twice.cpp", "work/01-twice/twice.cpp", "exercises/01-twice/twice.cpp",
          "my-answers/01-twice/twice.cpp", "my-answers/work/01-twice/twice.cpp", "twice.cpp", "my-answers/twice.cpp",
          "home/ada/gpu-course/work/01-twice/twice.cpp", "a/b/c/d/e/f/01-twice/twice.cpp"})
        CHECK(taken_of({path}).starts_with(path + " "));
    for (const std::string path :
         {"solutions/01-twice/twice.cpp", "01-twice/wrong/a/twice.cpp", ".git/twice.cpp",
          "a/b/c/d/e/f/g/01-twice/twice.cpp", "a/b/solutions/01-twice/twice.cpp", "build/twice.cpp"})
        CHECK(taken_of({path}).starts_with("| there is no file in it that could be an answer (expected: twice.cpp)\n"));
    for (const std::string path : {"a/b/twice.cpp", "02-shift/twice.cpp", "exercises/twice.cpp"})
        CHECK(taken_of({path}).starts_with("| no exercise's file lies where an answer may lie (found: " + path + ";"));
    // What lies deeper counts as well, whatever else lies near; a stub of the course's doesn't count there either.
    CHECK(taken_of({"a/b/c/work/01-twice/twice.cpp", "02-shift/shift.cpp", "02-shift/shift.cu"}) ==
          "a/b/c/work/01-twice/twice.cpp 02-shift/shift.cpp 02-shift/shift.cu ");
    CHECK(taken_of({"a/b/c/01-twice/twice.cpp", "a/b/c/work/01-twice/twice.cpp"})
              .starts_with("a/b/c/work/01-twice/twice.cpp "));
    Class home;
    const std::string stub = test::read(COURSE_SOURCE_DIR "/autograder/tests/toy/exercises/01-twice/twice.cpp");
    home.archive("all.zip", {{.path = "ada/home/ada/gpu-course/work/01-twice/twice.cpp", .bytes = "ada"},
                             {.path = "ada/home/ada/gpu-course/exercises/01-twice/twice.cpp", .bytes = stub},
                             {.path = "ben/home/ben/gpu-course/exercises/01-twice/twice.cpp", .bytes = stub}});
    const ClassIntake homes = home.take();
    CHECK(home.taken("ada-1/01-twice/twice.cpp") == "ada");
    CHECK(find(homes, "ada-1").problems.empty());
    CHECK(find(homes, "ben-1").answers.empty());
    CHECK(taken_of({"work/01-twice/twice.cpp", "exercises/01-twice/twice.cpp"}).starts_with("work/01-twice/twice.cpp"));
    CHECK(taken_of({"01-twice/twice.cpp", "twice.cpp"}).starts_with("01-twice/twice.cpp"));
    CHECK(
        taken_of({"a/01-twice/twice.cpp", "b/01-twice/twice.cpp"})
            .find("exercise 1 is there in a/01-twice and in b/01-twice, with different files; b/01-twice was taken") !=
        std::string::npos);
    CHECK(taken_of({"twice.cpp", "02-shift/shift.cu", "02-shift/shift.cpp"}, {2}) ==
          "02-shift/shift.cpp 02-shift/shift.cu ");
    CHECK(taken_of({"01-twice/twice.cpp", "shift.cu", "shift.cpp"}, {2}) == "01-twice/twice.cpp shift.cpp shift.cu ");
    Class one;
    one.write("ada/twice.cpp", "x");
    one.options.bare_exercises = {7};
    CHECK_THROWS_WITH_AS(take_in(one.options), doctest::Contains("there is no exercise 7"), IntakeError);
}

TEST_CASE("a numbered copy counts alike wherever it lies, the latest one, and a line says which") {
    const auto taken_of = [](const std::string& folder, const std::vector<std::string>& names, bool in_archive) {
        Class one;
        std::vector<Packed> entries;
        for (const std::string& name : names) entries.push_back({.path = folder + name, .bytes = name});
        const std::string ada = "Ada_1_assignsubmission_file/";
        if (in_archive)
            one.write(ada + "a.zip", pack(entries));
        else
            for (const Packed& entry : entries) one.write(ada + entry.path, entry.bytes);
        one.write("Ben_2_assignsubmission_file/twice.cpp", "ben");
        const ClassIntake intake = one.take();
        return one.taken("Ada-1/01-twice/twice.cpp") + " | " + all_of(find(intake, "Ada-1").problems);
    };
    for (const std::string folder : {"", "answers/", "01-twice/", "work/01-twice/", "answers/work/01-twice/"})
        for (const bool in_archive : {true, false}) {
            const std::string shown = (in_archive ? "a.zip: " : "") + folder;
            for (const std::string copy : {"twice (1).cpp", "twice(1).cpp", "twice-1.cpp", "twice 1.cpp"})
                for (const bool first : {true, false}) {
                    const std::vector<std::string> names = {first ? copy : "twice.cpp", first ? "twice.cpp" : copy};
                    const std::string said = taken_of(folder, names, in_archive);
                    CHECK(said.starts_with(copy + " | "));
                    CHECK(said.find(" are both twice.cpp; " + shown + copy + " was taken\n") != said.npos);
                }
            CHECK(taken_of(folder, {"twice-10.cpp", "twice-9.cpp"}, in_archive).starts_with("twice-10.cpp | "));
            CHECK(taken_of(folder, {"twice (1)-1.cpp", "twice (2).cpp", "twice.cpp"}, in_archive)
                      .starts_with("twice (1)-1.cpp | "));  // Canvas' copy of a browser's
            CHECK(taken_of(folder, {"TWICE (1).CPP", "twice.cpp"}, in_archive).starts_with("TWICE (1).CPP | "));
            CHECK(taken_of(folder, {"twice (3).cpp"}, in_archive) == "twice (3).cpp | ");  // there is no other
        }
    // Archives are files, too: the second upload of one counts.
    for (const std::string copy : {"answers (1).zip", "answers-1.zip", "answers(1).tar.gz"}) {
        const std::string original = copy.ends_with(".zip") ? "answers.zip" : "answers.tar.gz";
        Class one;
        one.write("ada/" + original, pack({{.path = "01-twice/twice.cpp", .bytes = "first"}}));
        one.write("ada/" + copy, pack({{.path = "01-twice/twice.cpp", .bytes = "second"}}));
        one.write("ben/twice.cpp", "ben");
        const ClassIntake intake = one.take();
        CHECK(one.taken("ada-1/01-twice/twice.cpp") == "second");
        CHECK(has(find(intake, "ada-1").problems, copy + ": 01-twice was taken"));
    }
    Class canvas;
    canvas.write("lovelaceada_12345_700_submission-ada.zip", submitted("Ada", "ada", "first"));
    canvas.write("lovelaceada_12345_800_submission-ada-1.zip", submitted("Ada", "ada", "second"));
    CHECK(canvas.take().submissions.size() == 1);
    CHECK(canvas.taken("lovelaceada-1/01-twice/twice.cpp") == "second");
}

TEST_CASE("an upload that can't be used isn't nothing: which file it was, and which names were expected") {
    Class one;
    one.roster("id,name\nada,Ada\nben,Ben\ncai,Cai\ndee,Dee\neve,Eve\nfay,Fay\ngus,Gus\n");
    one.write("ada/twise.cpp", "x");
    one.write("ben/02-shift/solution.cpp", "x");
    one.write("ben/twice.cpp", "ben");
    one.write("cai.zip", pack({{.path = "notes.txt", .bytes = "x"}}));
    one.write("dee/02-shift/shift.cu", std::string(std::size_t{2} << 20, 'x'));
    one.write("eve.cpp", "x");  // neither a folder nor an archive
    one.write("fay/exercises/01-twice/twice.cpp",
              read(COURSE_SOURCE_DIR "/autograder/tests/toy/exercises/01-twice/twice.cpp"));
    const ClassIntake intake = one.take();
    CHECK(intake.problems == std::vector<std::string>{"Gus (gus) handed in nothing"});
    const auto why_of = [&](const std::string& id) {
        std::string text;
        for (const UnusableAnswer& answer : find(intake, id).unusable)
            text += std::to_string(answer.number) + ": " + answer.why + "\n";
        return text;
    };
    CHECK(why_of("ada-1") ==
          "1: none of the files has its name (found: twise.cpp; expected: twice.cpp)\n"
          "0: none of the files has an exercise's file name (found: twise.cpp; expected: twice.cpp)\n");
    CHECK(find(intake, "ben-1").answers.size() == 1);
    CHECK(why_of("ben-1") ==
          "2: none of the files has its name (found: 02-shift/solution.cpp; expected: shift.cpp, shift.cu)\n");
    CHECK(has(find(intake, "ben-1").problems, "exercise 2: none of the files has its name (found: 02-shift/solution"));
    CHECK(why_of("cai-1") ==
          "0: none of the files has an exercise's file name (found: cai.zip: notes.txt; expected: twice.cpp)\n");
    CHECK(why_of("dee-1") ==
          "2: 02-shift/shift.cu is larger than 1 MiB; no answer needs that\n"
          "0: 02-shift/shift.cu is larger than 1 MiB; no answer needs that\n");
    CHECK(
        why_of("eve-1").starts_with("0: there is no file in it that could be an answer (expected: twice.cpp); eve.cpp "
                                    "is neither a folder nor an archive"));
    CHECK(why_of("fay-1") == "0: the exercises in it are as they were given, and there is no other answer\n");
    one.options.bare_exercises = {2};  // else those are expected that others, here ben, handed in
    CHECK(has(find(one.take(), "cai-1").problems, "(found: cai.zip: notes.txt; expected: shift.cpp, shift.cu)"));
}

TEST_CASE("equal warnings on many are one line, with their number and whom they are about") {
    Class one;
    std::string roster = "id,name\n", names;
    for (int k = 10; k < 45; ++k) {
        roster += fmt::format("s{},s{}\n", k, k);
        names += fmt::format("{}s{}", k > 10 ? ", " : "", k);
    }
    one.roster(roster);
    one.write("zoe/twice.cpp", "zoe");
    one.write("yan/twice.cpp", "yan");
    CHECK(one.take().problems == std::vector<std::string>{"isn't on the roster (2: yan (yan), zoe (zoe))",
                                                          "handed in nothing (35: " + names + ")"});
}

TEST_CASE("an export in a folder of its own, its archive in a folder, and results beside the submissions") {
    Class one;
    one.write("download/Ada_1_assignsubmission_file/twice.cpp", "ada");
    CHECK(one.take().submissions.size() == 1);
    Class two;
    two.write("export.zip", pack({{.path = "Ada_1_assignsubmission_file/twice.cpp", .bytes = "ada"},
                                  {.path = "Ben_2_assignsubmission_file/twice.cpp", .bytes = "ben"}}));
    CHECK(two.take().submissions.size() == 2);
    Class three;
    three.write("ada/twice.cpp", "ada");
    three.write("ben/twice.cpp", "ben");
    for (const std::string into : {"in/results", "in/of/june"}) {
        three.options.into = three.folder / into;
        take_in(three.options);
        CHECK(take_in(three.options).submissions.size() == 2);
        CHECK(read(three.options.into / "submissions/ada-1/01-twice/twice.cpp") == "ada");
        CHECK_FALSE(std::filesystem::exists(three.options.into / "submissions/.taking"));
        std::filesystem::remove_all(three.options.into.parent_path() / into.substr(3));
        std::filesystem::remove_all(three.folder / "in/of");
    }
    Class empty;
    CHECK_THROWS_WITH_AS(take_in(empty.options), doctest::Contains("has no submission"), IntakeError);
}

TEST_CASE("a folder of exports, one for each assignment") {
    Class one;
    one.roster("Identifier,Full name\nParticipant 1,Ada\nParticipant 2,Ben\n");
    one.write("exercise-1.zip", pack({{.path = "Ada_1_assignsubmission_file/twice.cpp", .bytes = "ada 1"},
                                      {.path = "Ben_2_assignsubmission_file/twice.cpp", .bytes = "ben 1"}}));
    one.write("exercise-2/Ada_1_assignsubmission_file/02-shift/shift.cpp", "ada 2");
    one.write("exercise-2/note.txt", "x");
    ClassIntake intake = one.take();
    REQUIRE(intake.submissions.size() == 3);
    CHECK(intake.submissions[0].student == "Participant 1");
    CHECK(intake.submissions[0].source == "exercise-1.zip: Ada_1");
    CHECK(intake.submissions[1].student == "Participant 1");
    CHECK(intake.submissions[1].source == "exercise-2: Ada_1");
    CHECK(intake.submissions[1].attempt == 2);
    CHECK(one.taken(intake.submissions[1].id + "/02-shift/shift.cpp") == "ada 2");
    CHECK(intake.submissions[2].student == "Participant 2");
    CHECK(intake.problems ==
          std::vector<std::string>{
              "exercise-2: note.txt isn't named as Moodle names what is handed in; it was left out"});
    // One that isn't an export: then each is a student's, whatever an archive is made to look like.
    one.write("zoe.zip", pack({{.path = "twice.cpp", .bytes = "zoe"}}));
    intake = one.take();
    CHECK(intake.submissions.size() == 3);
    CHECK(std::any_of(intake.submissions.begin(), intake.submissions.end(),
                      [](const ClassSubmission& submission) { return submission.source == "zoe.zip"; }));
}
