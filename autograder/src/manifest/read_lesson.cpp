// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "manifest/lesson.hpp"
#include "manifest/manifest.hpp"
#include "manifest/names.hpp"
#include "manifest/toml_table.hpp"
#include "support/parallel.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::int64_t newest_lesson_format = 1;

/// Verbs whose success can't be observed.
constexpr std::array<std::string_view, 10> unmeasurable = {"understand", "know", "learn",    "appreciate", "grasp",
                                                           "see",        "be",   "remember", "study",      "realise"};

bool is_name_of(std::string_view text, std::string_view others) {
    return !text.empty() && text[0] >= 'a' && text[0] <= 'z' && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || others.find(c) != others.npos;
    });
}

int read_tag(const TomlTable& table, std::size_t misconceptions) {
    if (!table.has("tag")) return 0;
    const std::int64_t tag = table.integer("tag", 1);
    if (tag > static_cast<std::int64_t>(misconceptions))
        table.fail("tag", fmt::format("\"tag\" is {}; expected a number of lessons/misconceptions.toml, 1 to {}", tag,
                                      misconceptions));
    return static_cast<int>(tag);
}

double any_number(const TomlTable& table, std::string_view key) { return table.number(key, -1e18); }

LessonProgram read_program(const TomlTable& table, const fs::path& folder) {
    table.know({"name", "shows", "measures", "breather"});
    LessonProgram program{table.text("name"), table.text("shows"), table.boolean_or_false("measures"),
                          table.boolean_or_false("breather")};
    if (!is_name_of(program.name, "_"))
        table.fail("name", fmt::format("\"{}\" can't be a program's name; expected lower-case letters, digits and "
                                       "underscores",
                                       program.name));
    const auto is_there = [&](const char* kind) {
        std::error_code error;
        return fs::is_regular_file(folder / (program.name + kind), error);
    };
    if (!is_there(".cpp") && !is_there(".cu"))   // the latter is a plain CUDA program
        table.fail("name",
                   fmt::format("there is no file {0}.cpp beside lesson.toml; expected the program {0}", program.name));
    return program;
}

Choice read_choice(const TomlTable& table, bool with_program, std::size_t misconceptions) {
    table.know({"text", "right", "value", "why", "tag"});
    Choice choice{table.text("text"), table.text("why"), table.boolean_or_false("right"), table.text_or_empty("value"),
                  read_tag(table, misconceptions)};
    if (choice.right && choice.tag != 0)
        table.fail("tag", "the right choice has a tag; expected one of a wrong choice");
    if (!choice.right && !choice.value.empty())
        table.fail("value", "a wrong choice has a value; expected one of the right choice alone");
    if (choice.right && with_program && choice.value.empty())
        table.fail("value", "the key \"value\" is missing here; expected what the program prints behind \"Answer: \"");
    if (choice.right && !with_program && !choice.value.empty())
        table.fail("value", "the question has no program; expected no value");
    return choice;
}

NumberAnswer read_number(const TomlTable& table, std::size_t misconceptions) {
    const TomlTable number = table.table("number");
    number.know({"unit", "within_percent"});
    NumberAnswer answer{number.text("unit"), 0, table.text("why"), {}};
    if (number.has("within_percent")) answer.within_percent = number.number("within_percent", 0);
    for (const TomlTable& slip : table.tables("slip")) {
        slip.know({"value", "tag", "why"});
        answer.slips.push_back({any_number(slip, "value"), read_tag(slip, misconceptions), slip.text_or_empty("why")});
        if (answer.slips.back().tag == 0 && answer.slips.back().why.empty())
            slip.fail("why", "a slip without a tag and without a \"why\"; expected one of them");
    }
    return answer;
}

std::vector<Choice> read_choices(const TomlTable& table, const std::string& seed, bool with_program,
                                 std::size_t misconceptions) {
    std::vector<Choice> choices;
    int right = 0;
    for (const TomlTable& element : table.tables("choice")) {
        choices.push_back(read_choice(element, with_program, misconceptions));
        right += choices.back().right ? 1 : 0;
    }
    if (choices.size() < 2 || choices.size() > 6)
        table.fail("choice", fmt::format("there {} {} [[question.choice]]; expected 2 to 6, or a \"number\"",
                                         choices.size() == 1 ? "is" : "are", choices.size()));
    if (right != 1) table.fail("choice", fmt::format("{} choices are right; expected exactly 1", right));
    SeededRng(seed).shuffle(choices);  // authors write the right one first
    return choices;
}

Question read_question(const TomlTable& table, const Lesson& lesson, std::size_t misconceptions) {
    table.know({"id", "program", "ask", "listing", "choice", "number", "why", "slip", "breather"});
    Question question;
    question.id = table.text("id");
    if (!is_name_of(question.id, "-"))
        table.fail("id", fmt::format("\"{}\" can't be a question's id; expected lower-case letters, digits and dashes",
                                     question.id));
    question.program = table.text_or_empty("program");
    const auto is_named = [&](const LessonProgram& program) { return program.name == question.program; };
    const auto program = std::find_if(lesson.programs.begin(), lesson.programs.end(), is_named);
    if (!question.program.empty() && program == lesson.programs.end())
        table.fail("program",
                   fmt::format("there is no program \"{}\"; expected the name of a [[program]]", question.program));
    if (!question.program.empty() && table.has("breather"))
        table.fail_at_key("breather", "a question belongs where its program does; expected the key at the program");
    question.breather = question.program.empty() ? table.boolean_or_false("breather") : program->breather;
    question.which = static_cast<std::size_t>(std::count_if(
        lesson.questions.begin(), lesson.questions.end(),
        [&](const Question& other) { return !question.program.empty() && other.program == question.program; }));
    question.ask = table.text("ask");
    question.listing = table.text_or_empty("listing");
    if (!table.has("number")) {
        for (const std::string_view key : {"why", "slip"})
            if (table.has(key)) table.fail_at_key(key, fmt::format("\"{}\" is for questions with a \"number\"", key));
        question.choices = read_choices(table, lesson.full_id(question), !question.program.empty(), misconceptions);
        return question;
    }
    if (table.has("choice"))
        table.fail_at_key("choice", "a question has choices or a \"number\"; expected one of them");
    if (question.program.empty())
        table.fail("number", "a number is compared with what a program answers; expected the key \"program\"");
    question.number = read_number(table, misconceptions);
    return question;
}

int read_sittings(const TomlTable& table) {
    if (!table.has("sittings")) return 1;
    const std::int64_t sittings = table.integer("sittings", 1);
    if (sittings > 2) table.fail("sittings", fmt::format("\"sittings\" is {}; expected 1 or 2", sittings));
    return static_cast<int>(sittings);
}

/// The file says [teach, practise] as { teach = 35, practise = 80 }.
void read_minutes(const TomlTable& table, Lesson& lesson) {
    const TomlTable minutes = table.table("minutes");
    minutes.know({"teach", "practise"});
    lesson.teach_minutes = minutes.count("teach", 1);
    lesson.practise_minutes = minutes.count("practise", 0);
}

void read_breather(const TomlTable& table, Lesson& lesson) {
    const auto is_of_breather = [](const auto& one) { return one.breather; };
    const bool asked = std::any_of(lesson.questions.begin(), lesson.questions.end(), is_of_breather);
    if (!table.has("breather")) {
        if (asked || std::any_of(lesson.programs.begin(), lesson.programs.end(), is_of_breather))
            table.fail("breather", "programs or questions are of the breather, and there is none; expected breather = "
                                   "{ title = \"...\", minutes = 30 }");
        return;
    }
    const TomlTable breather = table.table("breather");
    breather.know({"title", "minutes"});
    lesson.breather = Breather{breather.text("title"), breather.count("minutes", 1)};
    if (!asked) breather.fail("title", "the breather has no question; expected some with breather = true");
}

void refuse_unmeasurable(const TomlTable& table, const Lesson& lesson) {
    for (std::size_t k = 0; k < lesson.objectives.size(); ++k) {
        std::string verb = lesson.objectives[k].substr(0, lesson.objectives[k].find_first_of(" ,"));
        std::transform(verb.begin(), verb.end(), verb.begin(), [](unsigned char c) { return std::tolower(c); });
        if (is_one_of(verb, unmeasurable))
            table.fail("objectives", k,
                       fmt::format("nobody can measure \"{}\"; expected a verb such as compute, predict, name, write, "
                                   "choose or repair",
                                   verb));
    }
}

/// Strings that aren't blank, each once.
std::vector<std::string> distinct_texts(const TomlTable& table, std::string_view key) {
    std::vector<std::string> texts = table.texts(key);
    for (std::size_t k = 0; k < texts.size(); ++k)
        if (std::find(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(k), texts[k]) !=
            texts.begin() + static_cast<std::ptrdiff_t>(k))
            table.fail(key, k, fmt::format("\"{}\" is listed twice", texts[k]));
    return texts;
}

std::string shown_lesson(const fs::path& path) { return "lessons/" + path.filename().string(); }

}  // namespace

bool NumberAnswer::accepts(const PredictedNumber& predicted, std::string_view answer) const {
    const double right = std::strtod(std::string(answer).c_str(), nullptr);
    const auto is_close = [](double a, double b, double relative) {
        return std::abs(a - b) <= relative * std::abs(b) + 1e-9 * std::abs(b);
    };
    if (is_close(predicted.value, right, within_percent / 100)) return true;
    const std::size_t point = answer.find('.');
    if (point == answer.npos || answer.find('e') != answer.npos) return false;  // whole numbers are counts
    const auto rounded = [](double value, int decimals) {
        return std::round(value * std::pow(10, decimals)) / std::pow(10, decimals);
    };
    const int decimals = static_cast<int>(answer.size() - point - 1);
    if (predicted.decimals < 0 || predicted.decimals > decimals)
        return is_close(rounded(predicted.value, decimals), right, 0);
    constexpr int min_significant = 2;  // 1 isn't 1.27 rounded, but a guess
    return predicted.significant >= min_significant && is_close(rounded(right, predicted.decimals), predicted.value, 0);
}

const Choice& Question::right_choice() const {
    return *std::find_if(choices.begin(), choices.end(), [](const Choice& choice) { return choice.right; });
}

std::string Lesson::full_id(const Question& question) const {
    return fmt::format("{:02}/{}", folder.number, question.id);
}

LessonFolder name_lesson(const fs::path& path) {
    const std::string folder = path.filename().string();
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool numbered = folder.size() > 3 && digit(folder[0]) && digit(folder[1]) && folder[2] == '-';
    if (!numbered || !is_name_of(folder.substr(3), "-"))
        throw ManifestError(
            fmt::format("{}: a lesson's folder has two digits, a dash and a topic in lower-case "
                        "letters, as in 06-raw-kernels; expected such a name",
                        shown_lesson(path)));
    const int number = std::stoi(folder.substr(0, 2));
    return {path, number, number};
}

namespace {

/// What the lesson says in "after"; empty if its lesson.toml can't be read, which is reported where that is needed.
std::string lesson_before(const LessonFolder& folder) {
    try {
        const fs::path file = folder.path / "lesson.toml";
        return TomlDocument(file, file.string(), folder.name()).table().text_or_empty("after");
    } catch (const ManifestError&) {
        return "";
    }
}

/// By number, but each lesson that names one before it in "after" stands behind that one and behind its followers.
std::vector<LessonFolder> in_reading_order(const std::vector<LessonFolder>& by_number) {
    std::vector<LessonFolder> order;
    std::map<std::string, std::string> before;
    const auto follows = [&](std::string name, const std::string& other) {
        while (name != other && !name.empty()) name = before[name];
        return name == other;
    };
    for (const LessonFolder& folder : by_number) {
        const std::string after = lesson_before(folder);
        auto place = std::find_if(order.begin(), order.end(),
                                  [&](const LessonFolder& other) { return other.name() == after; });
        if (place != order.end()) {
            before[folder.name()] = after;
            while (place != order.end() && follows(place->name(), after)) ++place;
        }
        order.insert(place, folder);
    }
    for (std::size_t k = 0; k < order.size(); ++k) order[k].place = static_cast<int>(k) + 1;
    return order;
}

}  // namespace

std::vector<LessonFolder> lesson_folders(const fs::path& root) {
    constexpr std::string_view notebooks = "tutorials";
    std::vector<fs::path> paths;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(root / "lessons", error)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory() && name.find_first_of("._") != 0 && name != notebooks) paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<LessonFolder> folders;
    for (const fs::path& path : paths) {
        folders.push_back(name_lesson(path));
        if (folders.size() > 1 && folders[folders.size() - 2].number == folders.back().number)
            throw ManifestError(fmt::format("{}: {} is lesson {} already; expected a number of its own",
                                            shown_lesson(path), folders[folders.size() - 2].name(),
                                            folders.back().number));
    }
    return in_reading_order(folders);
}

Lesson Lesson::sitting(bool of_breather) const {
    Lesson part = *this;
    std::erase_if(part.programs, [&](const LessonProgram& program) { return program.breather != of_breather; });
    std::erase_if(part.questions, [&](const Question& question) { return question.breather != of_breather; });
    return part;
}

Lesson read_lesson(const LessonFolder& folder) {
    const TomlDocument document(folder.path / "lesson.toml", shown_lesson(folder.path) + "/lesson.toml",
                                fmt::format("lesson {}", folder.number));
    document.need_format(newest_lesson_format, "lesson");
    const TomlTable table = document.table();
    table.know({"format", "title", "after", "needs", "exercises", "minutes", "sittings", "objectives", "introduces",
                "program", "question", "breather"});
    const std::size_t misconceptions = read_misconceptions(folder.path.parent_path().parent_path()).size();
    Lesson lesson;
    lesson.folder = folder;
    lesson.title = table.text("title");
    lesson.after = table.text_or_empty("after");
    if (!lesson.after.empty() && lesson.after >= folder.name())
        table.fail("after", fmt::format("\"after\" is {}; expected a lesson with a smaller number than {}",
                                        lesson.after, folder.number));
    if (table.has("needs")) lesson.needs = distinct_texts(table, "needs");
    if (table.has("exercises")) lesson.exercises = distinct_texts(table, "exercises");
    read_minutes(table, lesson);
    lesson.sittings = read_sittings(table);
    lesson.objectives = distinct_texts(table, "objectives");
    if (lesson.objectives.empty()) table.fail("objectives", "\"objectives\" is empty; expected one or more");
    refuse_unmeasurable(table, lesson);
    if (table.has("introduces")) lesson.introduces = distinct_texts(table, "introduces");
    std::set<std::string> names;
    for (const TomlTable& element : table.tables("program")) {
        lesson.programs.push_back(read_program(element, folder.path));
        if (!names.insert(lesson.programs.back().name).second)
            element.fail("name", fmt::format("a second [[program]] with name \"{}\"; expected each once",
                                             lesson.programs.back().name));
    }
    names.clear();
    for (const TomlTable& element : table.tables("question")) {
        lesson.questions.push_back(read_question(element, lesson, misconceptions));
        if (!names.insert(lesson.questions.back().id).second)
            element.fail("id", fmt::format("a second [[question]] with id \"{}\"; expected each once",
                                           lesson.questions.back().id));
    }
    read_breather(table, lesson);
    return lesson;
}

std::vector<Lesson> read_lessons(const fs::path& root) {
    std::vector<Lesson> lessons;
    for (const LessonFolder& folder : lesson_folders(root)) lessons.push_back(read_lesson(folder));
    return lessons;
}

std::vector<Misconception> read_misconceptions(const fs::path& root) {
    const std::string shown = "lessons/misconceptions.toml";
    const TomlDocument document(root / shown, shown, "what learners believe");
    document.need_format(newest_lesson_format, "list");
    const TomlTable table = document.table();
    table.know({"format", "misconception"});
    std::vector<Misconception> all;
    for (const TomlTable& element : table.tables("misconception")) {
        element.know({"number", "name", "sentence"});
        const auto expected = static_cast<std::int64_t>(all.size()) + 1;
        if (element.integer("number", 1) != expected)
            element.fail("number", fmt::format("\"number\" is {}; expected {}, the next one",
                                               element.integer("number", 1), expected));
        all.push_back({static_cast<int>(expected), element.text("name"), element.text("sentence")});
    }
    if (all.empty()) table.fail("misconception", "there are no [[misconception]]; expected one or more");
    return all;
}

}  // namespace course
