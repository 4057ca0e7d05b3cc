// SPDX-License-Identifier: MIT
// Tables, times, names, and intake.json.
#include <ctime>

#include "support/csv.hpp"
#include "classroom/submissions/formats/names.hpp"
#include "classroom/submissions/roster.hpp"
#include "submissions/packing.hpp"

using namespace course;

namespace {

std::string as_text(const CsvTable& table) {
    std::string text;
    for (const CsvRow& row : table.rows) {
        text += std::to_string(row.line) + ":";
        for (const std::string& cell : row.cells) text += "[" + cell + "]";
        text += " ";
    }
    for (const std::string& problem : table.problems) text += "! " + problem;
    return text;
}

std::string at(const std::string& text) {
    const auto time = parse_stamp(text);
    return time ? stamp_text(*time) : "none";
}

}  // namespace

TEST_CASE("CSV: separators, quotes, line ends, marks and encodings") {
    CHECK(as_text(read_csv("a,b\n1,2\n")) == "1:[a][b] 2:[1][2] ");
    CHECK(as_text(read_csv("\xEF\xBB\xBF"
                           "a;b\r\n1,5;2\r\n")) == "1:[a][b] 2:[1,5][2] ");
    CHECK(as_text(read_csv("a\tb\r1\t2")) == "1:[a][b] 2:[1][2] ");
    CHECK(as_text(read_csv("a,b\n\"x, \"\"y\"\"\",\"two\r\nlines\"\n\n,\nz")) ==
          "1:[a][b] 2:[x, \"y\"][two\nlines] 6:[z] ");
    CHECK(as_text(read_csv("a\n\"open")) == "1:[a] 2:[open] ! has a quotation mark in line 2 that isn't closed.");
    CHECK(as_text(read_csv("na\xEFve,b\n")).find("naïve") != std::string::npos);
    CHECK(as_text(read_csv("na\xEFve,b\n")).find("isn't UTF-8") != std::string::npos);
    CHECK(as_text(read_csv(std::string_view("\xFF\xFE"
                                            "a\0",
                                            4)))
              .find("is saved as UTF-16") != std::string::npos);
    CHECK(as_text(read_csv("")).empty());
    CHECK(as_text(read_csv("a \"b\" c,\"d\"e\n")) == "1:[a \"b\" c][de] ");
}

TEST_CASE("times as LMS write them") {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    CHECK(at("2026-11-23T18:00:00Z") == "2026-11-23T18:00:00Z");
    CHECK(at("2022-06-25 13:16:26 -0600") == "2022-06-25T19:16:26Z");
    CHECK(at("2017-06-01T14:22:32.365935-07:00") == "2017-06-01T21:22:32Z");
    CHECK(at("2026-02-28 23:59:59.999 UTC") == "2026-02-28T23:59:59Z");
    CHECK(at("2026-11-23 18:00") == "2026-11-23T18:00:00Z");
    CHECK(at("Wednesday, 10 June 2026, 2:14 PM") == "2026-06-10T14:14:00Z");
    CHECK(at("Wednesday, September 23, 2020, 9:00 PM") == "2020-09-23T21:00:00Z");
    CHECK(at("Monday, 1 Feb 2027, 12:05 AM") == "2027-02-01T00:05:00Z");
    CHECK(at("1 May 2026, 14:30") == "2026-05-01T14:30:00Z");
    for (const std::string bad :
         {"", "-", "tomorrow", "2026-02-30T00:00:00Z", "2026-11-23T25:00:00Z", "10 Juni 2026, 14:14",
          "32 June 2026, 1:00 PM", "10 June 2026, 13:00 PM", "2026-11-23T18:00:00+99:00", "1 June 99999, 1:00 PM",
          "2026-11-23T18:00:00Z and more"})
        CHECK_MESSAGE(at(bad) == "none", bad);
    ::setenv("TZ", "Europe/Berlin", 1);
    ::tzset();
    CHECK(at("Wednesday, 10 June 2026, 2:14 PM") == "2026-06-10T12:14:00Z");
    CHECK(at("10 January 2026, 2:14 PM") == "2026-01-10T13:14:00Z");
    ::unsetenv("TZ");
    ::tzset();
    // Whose times they are is said, unless TZ says it.
    const std::string roster = "id,submitted\n1,\"10 June 2026, 2:14 PM\"\n2,-\n";
    CHECK(test::has(Roster(roster, "w.csv").problems(),
                    "w.csv: its times name no time zone, and were read as this machine's ("));
    CHECK(Roster("id,submitted\n1,2026-06-10T14:14:00Z\n2,2026-06-10 14:14:00 -0600\n", "w.csv").problems().empty());
    CHECK(test::has(Roster("id,submitted\n1,2026-06-10 14:14\n", "w.csv").problems(), "name no time zone"));
    ::setenv("TZ", "Europe/Berlin", 1);
    CHECK(Roster(roster, "w.csv").problems().empty());
    ::unsetenv("TZ");
}

TEST_CASE("names: shown, compared, and made safe") {
    CHECK(shown_name("caf\xC3\xA9.cu") == "café.cu");
    CHECK(shown_name("caf\xE9.cu") == "caf\\xE9.cu");
    CHECK(shown_name("a\nb\x1b[0m") == "a\\x0Ab\\x1B[0m");
    CHECK(shown_name(std::string(5000, 'a')).size() < 400);
    CHECK(is_part_of_file_name("Zoë Mu\xCC\x88ller"));
    for (const char* bad : {"caf\xE9", "a/b", "a\\b", "a\nb", "\x7F", "\xC2\x9B"})
        CHECK_FALSE(is_part_of_file_name(bad));
    CHECK(folded_name("Müller, Zoë") == "mullerzoe");
    CHECK(folded_name("MU\xCC\x88LLER zoe\xCC\x88") == "mullerzoe");
    CHECK(folded_name("Łukasz Żółć") == "lukaszzolc");
    CHECK(folded_name("ΑΔΑ") == folded_name("αδα"));
    CHECK(folded_name("Ада") == folded_name("ада"));
    CHECK(folded_name("李") == "李");
    CHECK(safe_file_name("ada@x.edu") == "ada@x.edu");
    CHECK(safe_file_name("Participant 12") == "Participant_12");
    CHECK(safe_file_name("a b_c") != safe_file_name("a_b c"));
    CHECK(safe_file_name("..") != "..");
    CHECK(safe_file_name("") != "");
    CHECK(safe_file_name("a/b") != safe_file_name("a\\b"));
    CHECK(safe_file_name(std::string(500, 'a')).size() < 100);
    CHECK(path_parts("./a//b\\c/") == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("rosters of each LMS, columns in any order") {
    const Roster ours("group,email,name,id\nBlue,ada@x.edu,Ada Lovelace,s1\n,,Ben,s2\n", "class.csv");
    REQUIRE(ours.rows().size() == 2);
    CHECK(ours.rows()[0].student == ClassStudent{"s1", "Ada Lovelace", "ada@x.edu", "Blue"});
    CHECK(ours.find({roster_key::email("ADA@x.edu")}).row->student.id == "s1");
    CHECK(ours.find({roster_key::name("lovelace ada")}).row->student.id == "s1");
    CHECK(ours.group("Blue").size() == 1);
    const Roster moodle("First name,Last name,ID number,Email address\nAda,Lovelace,,ada@x.edu\nBen,Ott,7,ben@x.edu\n",
                        "m");
    CHECK(moodle.rows()[0].student.id == "ada@x.edu");  // the first column in which everybody has something
    CHECK(moodle.find({roster_key::name("lovelaceada")}).row->student.name == "Ada Lovelace");
    CHECK(moodle.find({roster_key::id("7")}).row->student.id == "ben@x.edu");
    const Roster german("Identifier;Full name\nTeilnehmer/in 12;Ada\n", "g");
    CHECK(german.find({roster_key::participant("12")}).row->student.name == "Ada");
    CHECK_THROWS_WITH_AS(Roster("colour,size\nred,1\n", "c.csv"), doctest::Contains("must name one of id"),
                         IntakeError);
    CHECK_THROWS_AS(Roster("", "c.csv"), IntakeError);
    const Roster wide("id,name\n1,Ada,extra\n", "w.csv");
    CHECK(test::has(wide.problems(), "w.csv line 2 has 3 cells"));
    const Roster late("id,submitted\n1,10 Juni 2026\n", "l.csv");
    CHECK(test::has(late.problems(), "\"10 Juni 2026\" isn't a time that the kit can read"));
    const Roster extended(
        "Identifier,Full name,Status\n"
        "Participant 1,Ada,\"Submitted for grading - 2 days late - Extension granted until: Friday, "
        "30 October 2026, 11:59 PM\"\n"
        "Participant 2,Ben,No submission - extension granted until: 30 Oktober 2026\n"
        "Participant 3,Cai,Submitted for grading - 2 days late\n"
        "Participant 4,Dan,No submission - Extension granted until: 2026-10-30T23:59Z - Locked\n"
        "Participant 5,Eve,No submission - Extension granted until:\n",
        "w.csv");
    CHECK(extended.rows()[0].student.extended_until == parse_stamp("30 October 2026, 23:59"));
    for (const std::size_t k : {1, 2, 4}) CHECK_FALSE(extended.rows()[k].student.extended_until);
    CHECK(extended.rows()[3].student.extended_until == parse_stamp("2026-10-30T23:59Z"));
    CHECK(test::has(extended.problems(),
                    "Participant 1 has an extension in Moodle until Friday, 30 October 2026, 11:59 PM"));
    CHECK(test::has(extended.problems(),
                    "w.csv line 3: Participant 2 has an extension in Moodle until \"30 Oktober "
                    "2026\", a time that the kit can't read"));
    CHECK(test::has(extended.problems(), "w.csv line 6: Participant 5 has an extension in Moodle until \"\", a time"));
    CHECK_FALSE(test::has(extended.problems(), "Participant 3"));
    // Of two students with one name only other keys say who is meant.
    const Roster twins("id,name\n1,Ada\n2,Ada\n", "t.csv");
    CHECK(twins.find({roster_key::name("Ada")}).several);
    CHECK(twins.find({roster_key::name("Ada"), roster_key::id("2")}).row->student.id == "2");
    CHECK(twins.problems().empty());
    // An address or a user name is one student's.
    const Roster shared("id,name,username,email\n1,Ada,ada,a@x.edu\n2,Ben,ADA,b@x.edu\n3,Cai,cai,A@x.edu\n", "s.csv");
    CHECK(
        test::has(shared.problems(),
                  "s.csv line 3: 2 has another student's user name, ada: neither is found by it; correct the roster"));
    CHECK(
        test::has(shared.problems(), "s.csv line 4: 3 has another student's email address, a@x.edu: neither is found"));
    CHECK(shared.problems().size() == 2);
    CHECK(shared.find({roster_key::email("a@x.edu")}).several);
    // A number that is one student's ID and another's in some other column is the former's.
    const Roster crossed("ID number,Identifier,name\n7,Participant 1,Ada\n8,7,Ben\n9,8,Cai\n", "x.csv");
    CHECK(crossed.find({roster_key::id("7")}).row->student.name == "Ada");
    CHECK(crossed.find({roster_key::id("8")}).row->student.name == "Ben");
    // What isn't text can't get into a message.
    const Roster escapes("id,name\n\"1\x1b[31m\",\"two\nlines\"\n", "e.csv");
    CHECK(escapes.rows()[0].student.id == "1[31m");
    CHECK(escapes.rows()[0].student.name == "two lines");
}

TEST_CASE("intake.json: what is written is read, and nothing else is") {
    ClassIntake intake;
    intake.roster = {{"s1", "Ada \"A\" Lovelace", "ada@x.edu", "Blue", "12345", parse_stamp("2026-11-30T18:00:00Z")},
                     {"s2", "Ben", "", ""}};
    intake.submissions = {{.id = "s1-1",
                           .student = "s1",
                           .members = {"s1", "s2"},
                           .attempt = 1,
                           .time = parse_stamp("2026-11-23T18:00:00Z"),
                           .source = "a.zip",
                           .answers = {{8, "08-raw-add", "0123"}},
                           .problems = {"<b> & \xE2\x82\xAC"},
                           .lms_name = LmsName{.lms = "canvas",
                                               .who = "lovelaceada",
                                               .number = "12345",
                                               .upload = "700",
                                               .file = "raw_add.cu",
                                               .is_late = true}},
                          {.id = "s2-1",
                           .student = "s2",
                           .members = {"s2"},
                           .attempt = 3,
                           .time = {},
                           .source = "b",
                           .answers = {},
                           .problems = {}}};
    intake.problems = {"one"};
    const std::string text = intake_json(intake);
    CHECK(read_intake(text) == intake);
    CHECK(read_intake(intake_json({})) == ClassIntake{});
    const std::string earlier = test::replaced(text, ",\n   \"canvas\": \"12345\"", "");
    REQUIRE(earlier != text);
    CHECK(read_intake(earlier).roster.at(0).canvas.empty());
    CHECK(read_intake(test::replaced(text, ",\n   \"extended_until\": null", "")) == intake);
    const std::string nameless = test::replaced(text, ",\n   \"lms_name\": null", "");
    REQUIRE(nameless != text);
    CHECK(read_intake(nameless) == intake);  // results of an earlier kit have none
    const auto refuses = [&](const std::string& what, const std::string& by, const std::string& why) {
        const std::string changed = test::replaced(text, what, by);
        CHECK_THROWS_WITH_AS(read_intake(changed), doctest::Contains(why.c_str()), IntakeError);
    };
    refuses("\"schema\": 1", "\"schema\": 2", "has schema 2");
    refuses("\"s1-1\"", "\"../x\"", "submissions[0].id isn't a file's name");
    refuses("\"s1-1\"", "\"..\"", "isn't a file's name");
    refuses("\"s1-1\"", "7", "submissions[0].id isn't a text");
    refuses("\"08-raw-add\"", "\"/etc\"", "answers[0].folder isn't a file's name");
    refuses("\"attempt\": 3", "\"attempt\": 0", "submissions[1].attempt is out of range");
    refuses("\"attempt\": 3", "\"attempt\": 18446744073709551615", "is out of range");
    refuses("\"attempt\": 3", "\"attempt\": 1.5", "isn't a whole number");
    refuses("2026-11-23T18:00:00Z", "yesterday", "submissions[0].time isn't a time");
    refuses("2026-11-30T18:00:00Z", "later", "roster[0].extended_until isn't a time");
    refuses("\"source\": \"b\"", "\"sauce\": \"b\"", "submissions[1] has no \"source\"");
    refuses("\"s2-1\"", "\"S1-1\"", "submissions[1].id is there twice");
    refuses("\"lovelaceada\"", "\"../x\"", "submissions[0].lms_name.who isn't part of a file's name");
    refuses("\"late\": true", "\"late\": 1", "submissions[0].lms_name.late is neither true nor false");
    refuses("\"problems\": [\n  \"one\"\n ]", "\"problems\": {}", "problems isn't a list");
    CHECK_THROWS_AS(read_intake("{"), IntakeError);
    CHECK_THROWS_AS(read_intake("[]"), IntakeError);
    CHECK_THROWS_AS(read_intake(std::string(100'000, '[')), IntakeError);
}
