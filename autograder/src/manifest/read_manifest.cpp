// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manifest/lesson.hpp"
#include "manifest/manifest.hpp"
#include "manifest/names.hpp"
#include "manifest/toml_table.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

double Limit::at(const CallSize& size) const {
    auto n = static_cast<double>(size.elements);
    if (of > 0) {
        if (static_cast<std::size_t>(of) > size.arguments.size())
            throw ManifestError(fmt::format("a limit of exercise.toml grows with argument {}, and the call has {}", of,
                                            size.arguments.size()));
        n = size.arguments[static_cast<std::size_t>(of - 1)];
    }
    return plus + (each == 0 ? 0 : each * std::ceil(n / per));
}

namespace {

/// "exercises/08-raw-add", whatever the root's name.
std::string shown(const fs::path& folder) { return "exercises/" + folder.filename().string(); }

}  // namespace

// Which exercises there are.

ExerciseFolder name_exercise(const fs::path& path) {
    const std::string folder = path.filename().string();
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    std::string topic = folder.size() > 3 ? folder.substr(3) : "";
    const bool numbered = folder.size() > 3 && digit(folder[0]) && digit(folder[1]) && folder[2] == '-';
    const bool named = !topic.empty() && topic[0] >= 'a' && topic[0] <= 'z' &&
                       topic.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == topic.npos;
    if (!numbered || !named)
        throw ManifestError(
            fmt::format("{}: an exercise's folder has two digits, a dash and a topic in lower-case letters, "
                        "as in 08-raw-add; expected such a name",
                        shown(path)));
    std::replace(topic.begin(), topic.end(), '-', '_');
    return {path, std::stoi(folder.substr(0, 2)), topic};
}

std::vector<ExerciseFolder> exercise_folders(const fs::path& root) {
    std::error_code error;
    fs::directory_iterator entries(root / "exercises", error);
    if (error) throw ManifestError(fmt::format("exercises: can't be read: {}", error.message()));
    std::vector<fs::path> paths;
    for (const auto& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory() && name[0] != '.' && name[0] != '_') paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());

    std::vector<ExerciseFolder> folders;
    std::map<int, std::string> by_number;
    std::map<std::string, int> by_name;
    for (const fs::path& path : paths) {
        const ExerciseFolder& folder = folders.emplace_back(name_exercise(path));
        if (const auto [other, first] = by_number.emplace(folder.number, shown(path)); !first)
            throw ManifestError(fmt::format("{}: {} is exercise {} already; expected a number of its own", shown(path),
                                            other->second, folder.number));
        if (const auto [other, first] = by_name.emplace(folder.name, folder.number); !first)
            throw ManifestError(fmt::format("{}: exercise {} is called {} already; expected a name of its own",
                                            shown(path), other->second, folder.name));
    }
    return folders;
}

std::map<std::string, std::string> former_names(const fs::path& root) {
    std::map<std::string, std::string> names;
    const std::vector<ExerciseFolder> folders = exercise_folders(root);
    for (const ExerciseFolder& folder : folders) {
        try {
            for (const std::string& old_name : read_manifest(folder.path).was) names.emplace(old_name, folder.name);
        } catch (const ManifestError&) {}  // reported where this exercise is needed
    }
    for (const ExerciseFolder& folder : folders) names.erase(folder.name);
    return names;
}

std::vector<Manifest> read_course(const fs::path& root) {
    std::vector<Manifest> course;
    std::map<std::string, int> numbers;
    for (const ExerciseFolder& folder : exercise_folders(root)) {
        course.push_back(read_manifest(folder.path));
        numbers.emplace(folder.name, folder.number);
    }
    std::map<std::string, std::string> former;
    for (const Manifest& manifest : course)
        for (const std::string& name : manifest.was) {
            const auto other = former.emplace(name, manifest.name).first;
            if (numbers.contains(name) || other->second != manifest.name)
                throw ManifestError(fmt::format(
                    "{}/exercise.toml: \"was\" has {}, which {}; expected a name of its own", shown(manifest.folder),
                    name, numbers.contains(name) ? "an exercise has now" : other->second + " has as well"));
        }
    for (const Manifest& manifest : course)
        for (const std::string& name : manifest.needs)
            if (const auto found = numbers.find(name); found != numbers.end() && found->second >= manifest.number)
                throw ManifestError(
                    fmt::format("{}/exercise.toml: \"needs\" names {}, which is exercise {}; "
                                "expected one before {}",
                                shown(manifest.folder), name, found->second, manifest.number));
    return course;
}

namespace {

// What a task may cost.

constexpr std::int64_t last_tag = 16;

int tag_at(const TomlTable& table, std::string_view key) {
    const std::int64_t tag = table.integer(key, 1);
    if (tag > last_tag)
        table.fail(key,
                   fmt::format("\"{}\" is {}; expected the number of a misconception, 1 to {}", key, tag, last_tag));
    return static_cast<int>(tag);
}

/// tag = N: the number of a misconception; none if the key is missing. @throws ManifestError
std::optional<int> read_tag(const TomlTable& table) {
    return table.has("tag") ? std::optional(tag_at(table, "tag")) : std::nullopt;
}

constexpr std::string_view formula_keys[] = {"plus", "each", "per", "of"};

/// Reads plus, each, per and of from the table for the limit `name`.
Limit read_formula(const TomlTable& formula, const Manifest& manifest) {
    Limit limit;
    if (formula.has("plus")) limit.plus = formula.number("plus", 0);
    if (formula.has("each")) limit.each = formula.number("each", 0);
    if (formula.has("per")) limit.per = formula.number("per", 1);
    if (!formula.has("of")) return limit;
    std::size_t max_arguments = 0;
    for (const Function& function : manifest.functions) max_arguments = std::max(max_arguments, function.takes.size());
    const std::int64_t of = formula.integer("of", 1);
    if (of > static_cast<std::int64_t>(max_arguments))
        formula.fail("of", fmt::format("\"of\" is {}, but no function takes more than {}; expected the number "
                                       "of an argument, counted from 1",
                                       of, plural(max_arguments, "argument")));
    limit.of = static_cast<int>(of);
    return limit;
}

Limit read_limit(const TomlTable& table, std::string_view key, std::string_view counter, const Manifest& manifest) {
    if (!table.is_table(key)) return {.plus = table.number(key, 0)};
    if (is_ratio(counter))
        table.fail(key, fmt::format("\"{}\" is a ratio, which doesn't grow with n; expected a number", counter));
    const TomlTable formula = table.table(key);
    formula.know({"plus", "each", "per", "of"});
    if (!formula.has("plus") && !formula.has("each"))
        table.fail(key,
                   fmt::format("\"{}\" of \"{}\" says no limit; expected \"plus\", \"each\" or both", key, counter));
    return read_formula(formula, manifest);
}

bool is_number(const Limit& limit) { return limit.each == 0; }

// { exactly = LIMIT }, { at_least = LIMIT, at_most = LIMIT }, or a formula, which is a ceiling; and a cure.
Budget read_bounds(const TomlTable& table, const std::string& counter, const Manifest& manifest) {
    const TomlTable bounds = table.table(counter);
    bounds.know({"exactly", "at_least", "at_most", "plus", "each", "per", "of", "cure", "tag"});
    Budget budget{.counter = counter, .tag = read_tag(bounds)};
    if (bounds.has("cure")) budget.cure = bounds.text("cure");
    const auto has = [&](std::string_view key) { return bounds.has(key); };
    const bool formula = std::any_of(std::begin(formula_keys), std::end(formula_keys), has);
    const bool ends = has("at_least") || has("at_most");
    if (int{formula} + int{has("exactly")} + int{ends} > 1)
        table.fail(counter, fmt::format("\"{}\" has bounds of several kinds; expected {{ exactly = ... }}, "
                                        "{{ at_least = ..., at_most = ... }} or a formula, which is a ceiling",
                                        counter));
    if (has("exactly")) {
        budget.at_least = budget.at_most = read_limit(bounds, "exactly", counter, manifest);
    } else if (ends) {
        if (has("at_least")) budget.at_least = read_limit(bounds, "at_least", counter, manifest);
        if (has("at_most")) budget.at_most = read_limit(bounds, "at_most", counter, manifest);
        if (budget.at_least && is_number(*budget.at_least) && budget.at_least->plus == 0)
            bounds.fail("at_least",
                        fmt::format("\"at_least\" of \"{}\" is 0, which asks for nothing; expected more", counter));
        const bool numbers =
            budget.at_least && budget.at_most && is_number(*budget.at_least) && is_number(*budget.at_most);
        if (numbers && budget.at_least->plus > budget.at_most->plus)
            table.fail(counter,
                       fmt::format("\"{}\" is asked to be at least {} and at most {}; expected the floor below "
                                   "the ceiling",
                                   counter, budget.at_least->plus, budget.at_most->plus));
    } else {
        if (is_ratio(counter))
            table.fail(counter,
                       fmt::format("\"{}\" is a ratio, which doesn't grow with n; expected a number", counter));
        if (!has("plus") && !has("each"))
            table.fail(counter, fmt::format("\"{}\" says no limit; expected a number, \"exactly\", \"at_least\", "
                                            "\"at_most\", or a formula with \"plus\", \"each\" or both",
                                            counter));
        budget.at_most = read_formula(bounds, manifest);
    }
    return budget;
}

Budget read_budget(const TomlTable& table, const std::string& counter, const Manifest& manifest) {
    if (table.is_table(counter)) return read_bounds(table, counter, manifest);
    return {.counter = counter, .at_most = Limit{.plus = table.number(counter, 0)}};
}

/// budgets = { COUNTER = BOUNDS, ... }, where BOUNDS is a LIMIT (a ceiling), { exactly = LIMIT } or { at_least = LIMIT,
/// at_most = LIMIT }, and a LIMIT is a number or { plus, each, per, of }. @throws ManifestError
std::vector<Budget> read_budgets(const TomlTable& table, const Manifest& manifest) {
    std::vector<Budget> budgets;
    for (const std::string& counter : table.keys()) {
        if (!is_one_of(counter, counter_names) && !is_counted_in_check_mode(counter))
            table.fail_at_key(counter, fmt::format("\"{}\" is not a valid counter; expected one of: {}, {}, {}",
                                                   counter, fmt::join(counter_names, ", "),
                                                   fmt::join(work_counter_names, ", "), fmt::join(ratio_names, ", ")));
        budgets.push_back(read_budget(table, counter, manifest));
    }
    return budgets;
}

// How many threads must share the work depends on the launch: check_parallelism() computes the floor.
/// parallelism = ["global_accesses", ...]: adds a budget for each. @throws ManifestError
void read_parallelism(const TomlTable& table, std::optional<int> tag, std::vector<Budget>& budgets) {
    if (!table.has("parallelism")) return;
    for (const std::string& work : table.texts("parallelism")) {
        if (!is_one_of(work, shared_work_names))
            table.fail("parallelism", fmt::format("\"{}\" isn't work that threads share; expected one of: {}", work,
                                                  fmt::join(shared_work_names, ", ")));
        budgets.push_back({.counter = work + " parallelism", .at_least = Limit{.plus = 1}, .tag = tag});
    }
}

/// [[task.kernel]]: a name, a file of the student's, and bounds as above. Without `launches` it must run at least once.
/// @throws ManifestError
RequiredKernel read_required_kernel(const TomlTable& table, const Manifest& manifest) {
    RequiredKernel kernel;
    if (manifest.check_elements == 0)
        table.fail("file",
                   "a kernel is required, and with check_elements = 0 none is looked at; expected more elements");
    kernel.name = table.text_or_empty("name");
    kernel.file = table.text("file");
    if (!is_one_of(kernel.file, manifest.edit))
        table.fail("file", fmt::format("\"{}\" is none of the student's files; expected one of \"edit\": {}",
                                       kernel.file, fmt::join(manifest.edit, ", ")));
    kernel.with = table.text_or_empty("with");
    const std::optional<int> tag = read_tag(table);
    // Whether it ran at all is the first question.
    if (table.has("launches"))
        kernel.budgets.push_back(read_budget(table, "launches", manifest));
    else
        kernel.budgets.push_back({.counter = "launches", .at_least = Limit{.plus = 1}});
    for (const std::string& counter : table.keys()) {
        constexpr std::string_view others[] = {"name", "file", "with", "launches", "tag", "parallelism"};
        if (is_one_of(counter, others)) continue;
        if (!is_one_of(counter, kernel_counter_names) && !is_counted_in_check_mode(counter))
            table.fail_at_key(
                counter, fmt::format("\"{}\" isn't counted of a kernel; expected name, file, with, tag, parallelism, "
                                     "or one of: {}, {}, {}",
                                     counter, fmt::join(kernel_counter_names, ", "),
                                     fmt::join(work_counter_names, ", "), fmt::join(ratio_names, ", ")));
        kernel.budgets.push_back(read_budget(table, counter, manifest));
        if (!kernel.budgets.back().tag) kernel.budgets.back().tag = tag;
    }
    read_parallelism(table, tag, kernel.budgets);
    return kernel;
}

/// tags = { "what a verdict says" = N, ... }. @throws ManifestError
std::vector<Sign> read_signs(const TomlTable& table) {
    std::vector<Sign> signs;
    for (const std::string& says : table.keys()) {
        if (says.find_first_not_of(' ') == says.npos)
            table.fail_at_key(says, "\"\" is in every verdict; expected a few words that one may say");
        signs.push_back({says, tag_at(table, says)});
    }
    return signs;
}

constexpr std::int64_t newest_format = 1;
constexpr std::int64_t max_devices = 8;

bool is_plain_name(std::string_view text) {
    return !text.empty() && text[0] != '.' && text.find_first_of("/\\\n\t") == text.npos;
}

std::string verdict(const TomlTable& table, std::string_view key) {
    std::string name = table.text(key);
    if (!is_one_of(name, failing_verdicts))
        table.fail(key, fmt::format("\"{}\" is not a verdict that an answer can fail with; expected one of: {}", name,
                                    fmt::join(failing_verdicts, ", ")));
    return name;
}

std::vector<ValueType> types(const TomlTable& table, std::string_view key) {
    std::vector<ValueType> found;
    const std::vector<std::string> names = table.texts(key);
    if (names.size() > static_cast<std::size_t>(protocol::max_values))
        table.fail(key,
                   fmt::format("\"{}\" has {} types; expected {} or fewer", key, names.size(), protocol::max_values));
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto type = parse_value_type(names[k]);
        if (!type)
            table.fail(key, k,
                       fmt::format("\"{}\" is not a valid type; expected \"array<T>\", \"vector<T>\" or \"T\" with T "
                                   "one of: {}",
                                   names[k], fmt::join(type_names, ", ")));
        found.push_back(*type);
    }
    return found;
}

Function read_function(const TomlTable& table) {
    table.know({"name", "takes", "returns", "given"});
    Function function;
    function.name = table.text("name");
    if (!is_identifier(function.name) || function.name.size() >= protocol::name_bytes)
        table.fail("name", fmt::format("\"{}\" can't be a function's name; expected a C++ name", function.name));
    function.takes = types(table, "takes");
    if (table.has("returns")) function.returns = types(table, "returns");
    function.given = table.boolean_or_false("given");
    return function;
}

ChangeLimit read_changes(const TomlTable& table, const Manifest& manifest) {
    table.know({"files", "at_most", "cure"});
    ChangeLimit limit;
    limit.files = table.texts("files");
    if (limit.files.empty()) table.fail("files", "\"files\" is empty; expected some of \"edit\"");
    for (std::size_t k = 0; k < limit.files.size(); ++k)
        if (!is_one_of(limit.files[k], manifest.edit))
            table.fail("files", k,
                       fmt::format("\"{}\" is none of the student's files; expected one of \"edit\": {}",
                                   limit.files[k], fmt::join(manifest.edit, ", ")));
    limit.at_most = table.count("at_most", 1);
    limit.cure = table.text_or_empty("cure");
    return limit;
}

/// A sentence in which {counter} stands for the count per element.
std::string read_ahead(const TomlTable& table) {
    std::string text = table.text("ahead");
    for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
        const std::size_t end = std::min(text.find('}', at), text.size());
        const std::string counter = text.substr(at + 1, end - at - 1);
        if (end == text.size() || !is_one_of(counter, work_counter_names))
            table.fail("ahead", fmt::format("\"{}\" is not a counter; expected one of: {}", counter,
                                            fmt::join(work_counter_names, ", ")));
    }
    return text;
}

std::vector<std::string> read_not_replayed(const TomlTable& table) {
    std::vector<std::string> names = table.texts("not_replayed");
    for (const std::string& name : names)
        if (!is_one_of(name, not_replayed_names))
            table.fail("not_replayed", fmt::format("\"{}\" is nothing that keeps a call from being replayed; expected "
                                                   "some of: {}",
                                                   name, fmt::join(not_replayed_names, ", ")));
    return names;
}

Task read_task(const TomlTable& table, const Manifest& manifest) {
    table.know({"id", "title", "points", "star", "budgets", "speed", "kernel", "tags", "changed_lines", "ahead",
                "not_replayed", "parallelism"});
    Task task;
    task.id = table.text("id");
    if (!is_identifier(task.id))
        table.fail("id", fmt::format("\"{}\" can't be a task's id; expected letters, digits and underscores", task.id));
    task.title = table.text("title");
    task.star = table.boolean_or_false("star");
    if (task.star && table.has("points"))
        table.fail("points", "a task with \"star = true\" is a bonus without points; expected no key \"points\"");
    if (!task.star) task.points = table.count("points", 1);
    if (table.has("tags")) task.signs = read_signs(table.table("tags"));
    if (table.has("budgets")) task.budgets = read_budgets(table.table("budgets"), manifest);
    read_parallelism(table, {}, task.budgets);
    if (table.has("speed")) {
        const TomlTable speed = table.table("speed");
        speed.know({"at_least", "copy_percent", "elements"});
        task.speed = SpeedLine{.at_least = speed.number("at_least", 0),
                               .elements = speed.integer("elements", 1),
                               .copy_percent = speed.has("copy_percent") ? speed.number("copy_percent", 0) : 0};
    }
    if (table.has("ahead")) task.ahead = read_ahead(table);
    if (table.has("not_replayed")) task.not_replayed = read_not_replayed(table);
    for (const TomlTable& kernel : table.tables("kernel"))
        task.kernels.push_back(read_required_kernel(kernel, manifest));
    if (table.has("changed_lines")) task.changes = read_changes(table.table("changed_lines"), manifest);
    return task;
}

bool has_task(const Manifest& manifest, const std::string& id) {
    return std::any_of(manifest.tasks.begin(), manifest.tasks.end(), [&](const Task& task) { return task.id == id; });
}

/// A student edition has a ready-made third hint and no planted answers.
std::size_t min_planted(const Manifest& manifest) { return manifest.third_hint.empty() ? 2 : 0; }

/// The entries of the exercise's folder `kind`, in order; without names that begin with a dot.
std::vector<fs::path> entries_of(const Manifest& manifest, const std::string& kind) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(manifest.folder / kind, error))
        if (!entry.path().filename().string().starts_with('.')) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

std::string shown_below(const Manifest& manifest, const std::string& name) {
    return fmt::format("exercises/{}/{}", manifest.folder.filename().string(), name);
}

/// Reads the text above the patch.
void read_head(const TomlTable& table, const Manifest& manifest, const std::string& kind, PlantedAnswer& answer) {
    if (kind == "wrong") {
        table.know({"verdict", "says", "task", "tag"});
        answer.tag = read_tag(table);
    } else {
        table.know({"kind", "verdict", "says", "task", "in_class"});
        answer.kind = table.text("kind");
        if (!is_one_of(answer.kind, lazy_kinds))
            table.fail("kind", fmt::format("\"{}\" is not a kind of lazy answer; expected one of: {}", answer.kind,
                                           fmt::join(lazy_kinds, ", ")));
        answer.in_class = table.boolean_or_false("in_class");
    }
    if (kind == "wrong" || table.has("verdict")) answer.verdict = verdict(table, "verdict");
    answer.says = table.text("says");
    answer.task = table.text_or_empty("task");
    if (!answer.task.empty() && !has_task(manifest, answer.task))
        table.fail("task", fmt::format("there is no task \"{}\"; expected the id of a [[task]]", answer.task));
}

/// The answers in wrong/ or lazy/.
std::vector<PlantedAnswer> read_planted(const TomlTable& table, const Manifest& manifest, const std::string& kind) {
    std::vector<PlantedAnswer> answers;
    for (const fs::path& path : entries_of(manifest, kind)) {
        const std::string shown = shown_below(manifest, kind + "/" + path.filename().string());
        if (path.extension() != ".patch" || !fs::is_regular_file(path))
            throw ManifestError(fmt::format("{}: expected patches of the solution alone, NAME.patch", shown));
        PlantedAnswer answer{.name = path.stem().string(), .verdict = {}, .says = {}, .task = {}};
        try {
            answer.patch = read_patch(read_file(path), shown);
        } catch (const PatchError& error) {
            throw ManifestError(error.what());
        }
        for (const FilePatch& change : answer.patch.files)
            if (!is_one_of(change.file, manifest.edit))
                throw ManifestError(fmt::format("{} changes {}; expected only files of \"edit\": {}", shown,
                                                change.file, fmt::join(manifest.edit, ", ")));
        const TomlDocument head(answer.patch.head, shown);
        read_head(head.table(), manifest, kind, answer);
        answers.push_back(std::move(answer));
    }
    if (const std::size_t min_answers = min_planted(manifest); answers.size() < min_answers)
        table.fail(kind, fmt::format("{}/ holds {}; expected {} or more", kind,
                                     plural(answers.size(), "patch", "patches"), min_answers));
    return answers;
}

/// The folders in right/: each holds the student's files that differ, and no others.
std::vector<PlantedAnswer> read_right(const Manifest& manifest) {
    std::vector<PlantedAnswer> answers;
    for (const fs::path& folder : entries_of(manifest, "right")) {
        const std::string shown = shown_below(manifest, "right/" + folder.filename().string());
        std::error_code error;
        int files = 0;
        for (const auto& entry : fs::directory_iterator(folder, error)) {
            const std::string file = entry.path().filename().string();
            if (!is_one_of(file, manifest.edit))
                throw ManifestError(fmt::format("{} holds {}; expected only files of \"edit\": {}", shown, file,
                                                fmt::join(manifest.edit, ", ")));
            ++files;
        }
        if (files == 0) throw ManifestError(shown + ": expected a folder with the files that differ");
        answers.push_back({.name = folder.filename().string(), .verdict = {}, .says = {}, .task = {}});
    }
    return answers;
}

Distractor read_distractor(const TomlTable& table, const Manifest& manifest) {
    table.know({"file", "line", "why"});
    Distractor wrong{manifest.edit.front(), table.text("line"), table.text("why")};
    if (table.has("file"))
        wrong.file = table.text("file");
    else if (manifest.edit.size() > 1)
        table.fail("file", fmt::format("the key \"file\" is missing here; expected one of: {}",
                                       fmt::join(manifest.edit, ", ")));
    if (!is_one_of(wrong.file, manifest.edit))
        table.fail("file", fmt::format("\"{}\" is not a file of \"edit\"; expected one of: {}", wrong.file,
                                       fmt::join(manifest.edit, ", ")));
    if (wrong.line.find('\n') != wrong.line.npos) table.fail("line", "\"line\" has several lines; expected one");
    return wrong;
}

SolutionLines read_third_hint(const TomlTable& table, const Manifest& manifest) {
    table.know({"file", "lines"});
    SolutionLines hint{table.text("file"), table.texts("lines")};
    if (!is_one_of(hint.file, manifest.edit))
        table.fail("file", fmt::format("\"{}\" is not a file of \"edit\"; expected one of: {}", hint.file,
                                       fmt::join(manifest.edit, ", ")));
    return hint;
}

void read_edit(const TomlTable& table, Manifest& manifest) {
    manifest.edit = table.texts("edit");
    std::set<std::string> seen;
    for (std::size_t k = 0; k < manifest.edit.size(); ++k) {
        const std::string& name = manifest.edit[k];
        if (!is_plain_name(name)) table.fail("edit", k, fmt::format("\"{}\" isn't a plain file name", name));
        if (!seen.insert(name).second) table.fail("edit", k, fmt::format("\"{}\" is listed twice", name));
        if (std::error_code error; !fs::is_regular_file(manifest.folder / name, error))
            table.fail("edit", k, fmt::format("there is no file \"{}\"; expected the stub beside exercise.toml", name));
    }
    const std::string kind = manifest.is_program ? ".cu" : ".cpp";
    if (std::none_of(manifest.edit.begin(), manifest.edit.end(),
                     [&](const std::string& name) { return name.ends_with(kind); }))
        table.fail("edit", fmt::format("\"edit\" lists no {} file; expected one or more", kind));
}

/// What the student writes: functions, or a program.
void read_kind(const TomlTable& table, Manifest& manifest) {
    const std::string kind = table.text("kind");
    if (!is_one_of(kind, std::initializer_list<std::string_view>{"functions", "program"}))
        table.fail("kind", fmt::format("\"kind\" is \"{}\"; expected \"functions\" or \"program\"", kind));
    manifest.is_program = kind == "program";
}

void read_former_names(const TomlTable& table, Manifest& manifest) {
    manifest.was = table.texts("was");
    for (std::size_t k = 0; k < manifest.was.size(); ++k) {
        const std::string& name = manifest.was[k];
        if (!is_identifier(name) || name == manifest.name)
            table.fail("was", k,
                       fmt::format("\"{}\" is not a former name of {}; expected one as progress has it, such "
                                   "as raw_add",
                                   name, manifest.name));
    }
}

void read_picture(const TomlTable& table, Manifest& manifest) {
    manifest.picture = table.text("picture");
    if (!is_one_of(manifest.picture, picture_names))
        table.fail("picture", fmt::format("\"{}\" is not a picture; expected one of: {}", manifest.picture,
                                          fmt::join(picture_names, ", ")));
}

/// Reads the elements of [[key]], each with a unique name.
template <class Read>
auto read_list(const TomlTable& table, std::string_view key, std::string_view name, std::size_t min_length,
               const Read& read) {
    std::vector<decltype(read(table))> list;
    std::set<std::string> names;
    for (const TomlTable& element : table.tables(key)) {
        list.push_back(read(element));
        if (const std::string value = element.text(name); !names.insert(value).second)
            element.fail(name, fmt::format("a second [[{}]] with {} \"{}\"; expected each once", key, name, value));
    }
    if (list.size() < min_length)
        table.fail(key, fmt::format("there {} {} [[{}]]; expected {} or more", list.size() == 1 ? "is" : "are",
                                    list.empty() ? "no" : std::to_string(list.size()), key, min_length));
    return list;
}

/// Reads a list element that refers to parts of the manifest read earlier.
template <class Read>
auto with(const Manifest& manifest, Read read) {
    return [&manifest, read](const TomlTable& element) { return read(element, manifest); };
}

void read_hints(const TomlTable& table, Manifest& manifest) {
    manifest.hints = table.texts("hints");
    if (manifest.hints.size() != 2)
        table.fail("hints", fmt::format("{} here; expected exactly 2: nudge, where (the third is made of the "
                                        "solution and the distractors)",
                                        plural(manifest.hints.size(), "hint")));
    manifest.third_hint = read_list(table, "third_hint", "file", 0, with(manifest, read_third_hint));
    const std::size_t wanted = min_planted(manifest);
    manifest.distractors = read_list(table, "distractor", "line", wanted, with(manifest, read_distractor));
    if (manifest.distractors.size() != wanted)
        table.fail("distractor", fmt::format("there are {} [[distractor]]; expected {}", manifest.distractors.size(),
                                             wanted == 0 ? "none beside a [[third_hint]]" : "exactly 2"));
}

int read_devices(const TomlTable& table) {
    const std::int64_t devices = table.integer("devices", 2);
    if (devices > max_devices)
        table.fail("devices", fmt::format("\"devices\" is {}; expected {} or fewer", devices, max_devices));
    return static_cast<int>(devices);
}

void read_tasks(const TomlTable& table, Manifest& manifest) {
    manifest.tasks = read_list(table, "task", "id", 1, with(manifest, read_task));
    const auto gives_points = [](const Task& task) { return !task.star; };
    if (std::none_of(manifest.tasks.begin(), manifest.tasks.end(), gives_points))
        table.fail("task", "each [[task]] has \"star = true\"; expected one or more with points");
    if (!std::is_partitioned(manifest.tasks.begin(), manifest.tasks.end(), gives_points))
        table.fail("task",
                   "a [[task]] with points stands below one with \"star = true\"; expected the stars at the end");
    if (!table.has("picture_task")) return;
    manifest.picture_task = table.text("picture_task");
    if (!has_task(manifest, manifest.picture_task))
        table.fail("picture_task",
                   fmt::format("there is no task \"{}\"; expected the id of a [[task]]", manifest.picture_task));
}

/// The folder image-pipeline has the name image_pipeline.
std::string name_of_folder(const fs::path& folder) {
    std::string name = folder.filename().string();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

}  // namespace

std::string called(const Manifest& manifest) {
    if (manifest.is_own) return "your " + manifest.name;
    return manifest.number == 0 ? "the capstone" : fmt::format("exercise {}", manifest.number);
}

Capstone read_capstone(const fs::path& folder) {
    Capstone capstone;
    Manifest& manifest = capstone.manifest;
    manifest.folder = folder;
    manifest.name = name_of_folder(folder);
    const std::string file = "capstone/" + folder.filename().string() + "/capstone.toml";
    const TomlDocument document(folder / "capstone.toml", file, "the capstone");
    document.need_format(newest_format, "capstone");
    const TomlTable table = document.table();
    table.know({"format", "title", "objective", "minutes", "edit", "call_seconds", "check_elements", "timed",
                "function", "task"});
    manifest.title = table.text("title");
    manifest.objective = table.text("objective");
    manifest.minutes = table.count("minutes", 1);
    read_edit(table, manifest);
    if (table.has("call_seconds")) manifest.call_seconds = table.number("call_seconds", 0.1);
    if (table.has("check_elements")) manifest.check_elements = table.integer("check_elements", 1);
    manifest.functions = read_list(table, "function", "name", 1, read_function);
    const TomlTable timed = table.table("timed");
    timed.know({"gpu", "host"});
    capstone.gpu_elements = timed.integer("gpu", 1);
    capstone.host_elements = timed.integer("host", 1);
    const TomlTable task = table.table("task");
    task.know({"id", "title", "element", "min_bytes"});
    capstone.element = task.text("element");
    capstone.min_bytes = task.number("min_bytes", 0);
    // No line to reach: speed is measured for the log, and not judged.
    manifest.tasks.push_back({.id = task.text("id"),
                              .title = task.text("title"),
                              .budgets = {},
                              .speed = SpeedLine{.at_least = 0, .elements = capstone.host_elements}});
    return capstone;
}

Manifest read_own_manifest(const fs::path& folder) {
    Manifest manifest;
    manifest.folder = folder;
    manifest.is_own = true;
    manifest.name = folder.parent_path().filename().string();
    const TomlDocument document(folder / "own.toml", fmt::format("work/own/{}/check/own.toml", manifest.name),
                                called(manifest));
    document.need_format(newest_format, "function of your own");
    const TomlTable table = document.table();
    table.know({"format", "title", "linear_algebra", "call_seconds", "check_elements", "function", "task"});
    manifest.title = table.text("title");
    manifest.edit = {manifest.name + ".cpp", manifest.name + ".cu"};
    manifest.linear_algebra = table.boolean_or_false("linear_algebra");
    if (table.has("call_seconds")) manifest.call_seconds = table.number("call_seconds", 0.1);
    if (table.has("check_elements")) manifest.check_elements = table.integer("check_elements", 0);
    manifest.functions = read_list(table, "function", "name", 1, read_function);
    read_tasks(table, manifest);
    return manifest;
}

Manifest read_manifest(const fs::path& folder) {
    Manifest manifest;
    manifest.folder = folder;
    const std::string file = "exercises/" + folder.filename().string() + "/exercise.toml";
    const ExerciseFolder named = name_exercise(folder);
    manifest.number = named.number;
    manifest.name = named.name;
    const TomlDocument document(folder / "exercise.toml", file, fmt::format("exercise {}", manifest.number));
    document.need_format(newest_format, "exercise");
    const TomlTable table = document.table();
    table.know({"format",         "title",      "was",        "lesson",       "objective",      "needs",
                "minutes",        "edit",       "stub_fails", "hints",        "bonus",          "devices",
                "distractor",     "third_hint", "picture",    "picture_task", "linear_algebra", "call_seconds",
                "check_elements", "function",   "task",       "kind"});
    manifest.title = table.text("title");
    manifest.lesson = table.text("lesson");
    manifest.objective = table.text("objective");
    if (table.has("needs")) manifest.needs = table.texts("needs");
    manifest.bonus = table.boolean_or_false("bonus");
    if (table.has("was")) read_former_names(table, manifest);
    if (table.has("picture")) read_picture(table, manifest);
    manifest.minutes = table.count("minutes", 1);
    if (table.has("kind")) read_kind(table, manifest);
    read_edit(table, manifest);
    manifest.stub_fails = verdict(table, "stub_fails");
    read_hints(table, manifest);
    if (table.has("devices")) manifest.devices = read_devices(table);
    manifest.linear_algebra = table.boolean_or_false("linear_algebra");
    if (table.has("call_seconds")) manifest.call_seconds = table.number("call_seconds", 0.1);
    if (table.has("check_elements")) manifest.check_elements = table.integer("check_elements", 0);
    manifest.functions = read_list(table, "function", "name", 1, read_function);
    read_tasks(table, manifest);
    manifest.wrong = read_planted(table, manifest, "wrong");
    manifest.lazy = read_planted(table, manifest, "lazy");
    manifest.right = read_right(manifest);
    return manifest;
}

}  // namespace course
