// SPDX-License-Identifier: MIT
#include "classroom/class_report/report_command.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "classroom/class_report/class_page.hpp"
#include "classroom/class_report/statistics.hpp"
#include "classroom/class_report/student_pages.hpp"
#include "classroom/submissions/anonymity.hpp"
#include "manifest/names.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// Where `course report` writes its pages.
struct ReportOptions {
    ResultsOptions read;
    std::string out;                         ///< a folder; empty: RESULTS/report
    bool anonymous = false, reveal = false;  ///< hide names from now on; show them again
};

/// The ID, such as "ada". One that can't name a file is changed and gets digits of its digest: no two names are equal.
std::string file_name(const std::string& id) {
    std::string name;
    for (const char c : id.substr(0, 60)) name += is_of_identifier(c) || c == '-' ? c : '-';
    return name == id && !name.empty() ? name : name + "-" + digest(id).substr(0, 8);
}

std::vector<LeaderboardEntry> places_of(const ClassGrades& grades, int exercise,
                                        const std::map<std::string, std::string>& names) {
    std::vector<LeaderboardEntry> places;
    for (const StudentGrade& student : grades.students)
        for (std::size_t k = 0; k < student.exercises.size(); ++k) {
            const ExerciseGrade& grade = student.exercises[k];
            if (grades.exercises[k].number != exercise || grade.standing != Standing::graded) continue;
            LeaderboardEntry best{names.at(student.student.id), 0, 0};
            for (const StoredTask& task : grade.counting()->result->result->tasks)
                if ((task.status == "passed" || task.status == "noisy") && task.speed && task.speed->pairs > 0 &&
                    task.speed->speedup > best.speedup)
                    best = {best.pseudonym, task.speed->speedup, task.speed->copy_percent};
            if (best.speedup > 0) places.push_back(best);
        }
    std::stable_sort(places.begin(), places.end(), [](const LeaderboardEntry& a, const LeaderboardEntry& b) {
        return a.speedup > b.speedup || (!(a.speedup < b.speedup) && a.pseudonym < b.pseudonym);
    });
    return places;
}

/// "Student 17" -> "student-17"
std::string anonymous_file_name(std::string name) {
    std::replace(name.begin(), name.end(), ' ', '-');
    std::replace(name.begin(), name.end(), 'S', 's');
    return name;
}

constexpr const char* hidden_names_note =
    "Names are hidden. course report --reveal shows them again; what students wrote into their code is shown as it is.";

/// The students' pages that a report has written. Pages of an earlier report that aren't written again are removed:
/// otherwise a student whose ID changed would have two.
class StudentFiles {
public:
    explicit StudentFiles(fs::path out) : out_(std::move(out)) {
        make_folders(out_ / "students");
        make_folders(out_ / "feedback");
    }

    void write(const std::string& name, const std::string& text) {
        write_file(out_ / name, text);
        written_.insert(name);
    }

    void remove_former() const {
        std::error_code error;
        const fs::path list = out_ / "students" / ".made-by-course";
        if (fs::is_regular_file(list, error)) {
            std::istringstream names(read_file(list));
            for (std::string name; std::getline(names, name);)
                if (is_of_student(name) && !written_.contains(name)) fs::remove(out_ / name, error);
        }
        std::string all;
        for (const std::string& name : written_) all += name + "\n";
        write_file_atomically(list, all);
    }

private:
    static bool is_of_student(const std::string& name) {
        return (name.starts_with("students/") || name.starts_with("feedback/")) && name.find('/') == name.rfind('/');
    }

    fs::path out_;
    std::set<std::string> written_;
};

/// Replaces names by pseudonyms. Call it after computing the points, which depend on names.
void hide_names(const Anonymity& anonymity, ClassResults& read, ClassGrades& grades) {
    for (StudentGrade& one : grades.students) {
        one.student = {anonymity.of(one.student.id), anonymity.of(one.student.id), "", ""};
        one.unusable = anonymity.in(one.unusable);
        for (std::string& line : one.problems) line = anonymity.in(line);
        for (ExerciseGrade& exercise : one.exercises) exercise.unusable = anonymity.in(exercise.unusable);
    }
    for (std::string& line : read.problems) line = anonymity.in(line);
    for (std::string& line : grades.warnings) line = anonymity.in(line);
    for (std::string& line : read.intake.problems) line = anonymity.in(line);
    for (Confirmation& one : read.confirmed) one.because = anonymity.in(one.because);
}

void hide_names(const Anonymity& anonymity, StudentPageView& view) {
    view.name = view.id = anonymity.of(view.id);
    for (std::string& line : view.problems) line = anonymity.in(line);
    for (ExerciseView& exercise : view.exercises)
        for (std::string& line : exercise.notes) line = anonymity.in(line);
}

int report_command(const Kit& kit, const ReportOptions& options) {
    ProgressLine progress("reading the results");
    ClassResults read = read_class_results(options.read.results);
    const ClassPolicy policy = policy_of(kit, options.read, read.intake);
    const ClassGrades grades = grade_class(read, policy);
    const Names names = options.anonymous ? Names::hidden : options.reveal ? Names::shown : Names::as_before;
    const std::optional<Anonymity> anonymous = anonymity(options.read.results, read.intake, names, true);
    const ShownNames class_names(options.read.results, read.intake);
    const fs::path out = options.out.empty() ? fs::path(options.read.results) / "report" : fs::path(options.out);
    StudentFiles files(out);
    const StudentPages made(kit, policy, grades, options.read.results);
    if (policy.leaderboard) {
        const auto exercise =
            std::find_if(grades.exercises.begin(), grades.exercises.end(),
                         [&](const CountedExercise& one) { return one.number == *policy.leaderboard; });
        write_file(out / "leaderboard.html",
                   leaderboard_page(policy.title,
                                    exercise == grades.exercises.end() ? fmt::format("Exercise {}", *policy.leaderboard)
                                                                       : exercise->title,
                                    places_of(grades, *policy.leaderboard, made.pseudonyms())));
    }
    std::map<std::string, std::string> pages;
    for (const StudentGrade& student : grades.students) {
        progress.say(fmt::format("writing the pages of {} students: {}", grades.students.size(), pages.size()));
        StudentPageView seen = made.view(grades, student);
        if (anonymous) hide_names(*anonymous, seen);
        const std::string name = anonymous ? anonymous_file_name(seen.id) : file_name(seen.id);
        pages[seen.id] = "students/" + name + ".html";
        files.write("students/" + name + ".html", student_page(seen, policy.title));
        files.write("feedback/" + name + ".md", feedback_markdown(seen, policy.title));
    }
    files.remove_former();
    ClassGrades shown = grades;
    if (anonymous) hide_names(*anonymous, read, shown);
    const ClassStatistics counted = count_class(read, shown, policy);
    const std::string script = charts_script();
    write_file_atomically(out / "index.html", class_page({.read = &read,
                                                          .grades = &shown,
                                                          .policy = &policy,
                                                          .counted = &counted,
                                                          .misconceptions = &made.misconceptions(),
                                                          .results = options.read.results,
                                                          .student_pages = std::move(pages),
                                                          .script = script,
                                                          .code = &made.code(),
                                                          .note = anonymous ? hidden_names_note : "",
                                                          .has_leaderboard = policy.leaderboard.has_value()}));
    class_names.print_problems(read, shown);
    print(fmt::format("The class: {}\n{} students: {}, and to hand back {}\n", (out / "index.html").string(),
                      grades.students.size(), (out / "students").string(), (out / "feedback").string()));
    if (anonymous) print("Names are hidden; course report --reveal shows them again.\n");
    if (script.find("d3js.org") == script.npos)
        print("Without charts, as d3 isn't here: apt-get install node-d3-scale node-d3-axis node-d3-selection\n");
    return read.problems.empty() ? 0 : 1;
}

}  // namespace

void add_report(CommandLine& line) {
    auto [command, options] = line.add("report", "pages on the results, for you and for each student", report_command);
    options.read.add(command);
    command.option("--out", &options.out, "the folder for the pages (default: report in that folder)");
    add_hiding(command, options.anonymous, options.reveal);
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::array<std::string_view, 32> colours = {
    "amber", "azure",  "beige",  "black", "blue",  "bronze", "brown",  "copper", "coral",  "cream", "crimson",
    "cyan",  "golden", "green",  "grey",  "ivory", "jade",   "lilac",  "lime",   "mauve",  "navy",  "ochre",
    "olive", "orange", "purple", "red",   "rose",  "ruby",   "silver", "teal",   "violet", "white"};
constexpr std::array<std::string_view, 32> animals = {
    "badger", "beaver", "bison", "crane",  "deer",  "dolphin", "eagle", "falcon", "ferret", "finch", "fox",
    "gecko",  "heron",  "ibex",  "jay",    "koala", "lark",    "lemur", "lynx",   "marten", "mole",  "moth",
    "newt",   "otter",  "panda", "puffin", "raven", "robin",   "seal",  "stork",  "swift",  "tern"};

std::string name_of(const std::string& id, unsigned char turn, const std::string& key) {
    std::array<unsigned char, 16> hash{};
    const std::string text = id + '\0' + static_cast<char>(turn);
    ::crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                         reinterpret_cast<const unsigned char*>(key.data()), key.size());
    return fmt::format("{} {} {}", colours[hash[0] % colours.size()], animals[hash[1] % animals.size()],
                       100 + (hash[2] * 256 + hash[3]) % 900);
}

}  // namespace

std::map<std::string, std::string> pseudonyms(const std::vector<std::string>& ids, const std::string& key) {
    std::map<std::string, std::string> names;
    std::set<std::string> taken;
    std::vector<std::string> sorted = ids;
    std::sort(sorted.begin(), sorted.end());
    for (const std::string& id : sorted) {
        if (names.contains(id)) continue;
        unsigned char turn = 0;
        std::string name = name_of(id, turn, key);
        while (!taken.insert(name).second) name = name_of(id, ++turn, key);
        names.emplace(id, name);
    }
    return names;
}

std::string pseudonym_key(const fs::path& file) {
    constexpr std::size_t length = 32;
    if (sodium_init() < 0) throw std::runtime_error("libsodium can't be used: the system gives it no random numbers");
    if (fs::exists(file))
        if (std::string key = read_file(file, length); key.size() == length) return key;
    std::string key(length, '\0');
    ::randombytes_buf(key.data(), key.size());
    write_file_atomically(file, key, 0600);
    return key;
}

}  // namespace course
