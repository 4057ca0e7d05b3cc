// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answer/judge_answer.hpp"
#include "author/dev_commands.hpp"
#include "author/mutate/results.hpp"
#include "build/scratch.hpp"
#include "collect/collect.hpp"
#include "kit/probe.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/parallel.hpp"
#include "support/process.hpp"
#include "support/progress.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// How `course dev mutate` judges, and which mutants.
struct DevMutateOptions {
    std::vector<int> numbers;       ///< of exercises; empty: all
    int jobs = 0;                   ///< mutants side by side; 0: as many as there are cores
    std::string part;               ///< "K/M": the K-th of M parts; empty: all
    int sample = 0;                 ///< so many of them, drawn; 0: all
    std::string seed = "1";         ///< of the drawing
    std::string device;             ///< "host", "cuda:0"; empty: libgpu's own choice
    std::string results;            ///< the folder of the results so far; empty: build/mutants below the root
    std::string report;             ///< the Markdown file to write; empty: none
    bool again = false;             ///< judge those that have a result, too
    bool list = false;              ///< print the mutants and judge none
    std::vector<std::string> only;  ///< for its own processes: judge the mutants with these keys, a line of JSON each
};

constexpr double max_call_seconds = 5;               // a mutant that hangs shouldn't do so for long
constexpr double seconds_of_a_mutant = 300;      // of a process that says nothing
constexpr std::size_t max_in_a_process = 8;     // they share kernels; and a process that dies takes no more with it

/// A right answer to be mutated.
struct RightAnswer {
    std::string name;
    std::vector<AnswerFile> files;
    std::string circumstances;
};

/// An exercise with its right answers and all their mutants.
struct MutatedExercise {
    ExerciseFolder folder;
    Manifest manifest;
    std::map<std::string, RightAnswer> answers = {};
    std::vector<Mutant> mutants = {};
    [[nodiscard]] std::string name() const { return folder.path.filename().string(); }
};

/// What a mutant's verdict depends on besides its edit: the exercise's files, the answer's, and the kit.
std::string circumstances(const MutatedExercise& exercise, const std::vector<AnswerFile>& files) {
    SourceKey key;
    key.add(kit_version());
    std::vector<fs::path> own;
    for (const auto& entry : fs::directory_iterator(exercise.folder.path))
        if (entry.is_regular_file() && entry.path().extension() != ".md") own.push_back(entry.path());
    std::sort(own.begin(), own.end());
    for (const fs::path& file : own) key.add(file.filename().string() + ' ' + digest(read_file(file)));
    for (const AnswerFile& file : files) key.add(file.name + ' ' + digest(file.text));
    return key.value();
}

MutatedExercise mutate_exercise(const Kit& kit, const ExerciseFolder& folder) {
    MutatedExercise exercise{folder, read_manifest(folder.path)};
    std::map<std::string, std::string> solved;   // a file shared by several answers is mutated once
    const auto add = [&](const std::string& name, const fs::path& path) {
        RightAnswer answer{name, collect(exercise.manifest, path, kit.root).files, ""};
        answer.circumstances = circumstances(exercise, answer.files);
        for (const AnswerFile& file : answer.files) {
            if (name != "solution" && solved[file.name] == file.text) continue;
            if (name == "solution") solved[file.name] = file.text;
            for (Mutant& one : mutants_of(name, file.name, file.text)) exercise.mutants.push_back(std::move(one));
        }
        exercise.answers.emplace(name, std::move(answer));
    };
    add("solution", kit.solution(folder.path));
    for (const PlantedAnswer& right : exercise.manifest.right) add(right.name, folder.path / "right" / right.name);
    return exercise;
}

std::vector<MutatedExercise> mutate_exercises(const Kit& kit, const std::vector<int>& numbers) {
    if (!kit.has_solutions()) throw UsageError("this edition has no solutions to mutate");
    std::vector<ExerciseFolder> folders;
    for (const int number : numbers) folders.push_back(kit.find(number));
    if (folders.empty()) folders = exercise_folders(kit.root);
    std::vector<MutatedExercise> exercises;
    try {
        for (const ExerciseFolder& folder : folders) exercises.push_back(mutate_exercise(kit, folder));
    } catch (const CollectError& error) {
        throw UsageError(error.what());
    }
    return exercises;
}

/// The verdict on a mutant, and the task that failed. A star counts if the mutant is in its part; one whose part is
/// back to the stub's isn't earned either.
void set_verdict_of_mutant(const Manifest& manifest, const Mutant& mutant, const Result& result, MutantResult& out) {
    Verdict verdict = exit_code(result.verdict) == 0 ? Verdict::passed : result.verdict;
    int stars = 0, earned = 0;
    for (std::size_t k = 0; k < std::min(manifest.tasks.size(), result.tasks.size()); ++k) {
        const TaskResult& task = result.tasks[k];
        const bool counts = !task.star || (mutant.star && (mutant.star->empty() || *mutant.star == task.id));
        if (!counts) continue;
        if (task.star) ++stars;
        if (task.star && is_passed(task)) ++earned;
        if (task.star && !is_passed(task) && task.verdict != Verdict::not_started && verdict == Verdict::passed)
            verdict = task.verdict;
        if (out.task.empty() && !is_passed(task) && task.verdict != Verdict::not_started) out.task = task.id;
    }
    if (stars > 0 && earned == 0 && verdict == Verdict::passed) verdict = Verdict::not_started;
    out.verdict = to_string(verdict);
}

/// In a separate process: a judge waits for its runners, and two in one program would see each other's.
int judge_here(const Kit& kit, const MutatedExercise& exercise, const std::set<std::string>& keys) {
    const Scratch scratch = Scratch::make(kit.toolchain.build_dir / "scratch");
    make_folders(scratch.path() / "kernels");
    const SharedKernels kernels(scratch.path() / "kernels", SharedKernels::Author::course);
    const ProbeAnswer device = look_at_device(kit, exercise.manifest, {});
    for (const Mutant& mutant : exercise.mutants) {
        if (!keys.contains(mutant.key)) continue;
        const RightAnswer& right = exercise.answers.at(mutant.answer);
        const fs::path folder = scratch.path() / mutant.key;
        make_folders(folder);
        for (const AnswerFile& file : right.files)
            write_file(folder / file.name, file.name == mutant.file ? mutant.text(file.text) : file.text);
        RunOptions options;
        options.call_seconds = std::min(max_call_seconds, exercise.manifest.call_seconds);
        const JudgedAnswer judged = judge_answer(kit, {.manifest = exercise.manifest,
                                                       .folder = folder,
                                                       .options = options,
                                                       .judge_stub = true,
                                                       .measure_speed = MeasureSpeed::nowhere,
                                                       .stops_at_failure = true,
                                                       .judge_stars = mutant.star.has_value(),
                                                       .device = &device,
                                                       .kernels = &kernels});
        if (judged.result.verdict == Verdict::environment) {
            print_error(judged.result.message + "\n");
            return 4;
        }
        MutantResult result{.key = mutant.key, .circumstances = right.circumstances, .verdict = "", .task = ""};
        set_verdict_of_mutant(exercise.manifest, mutant, judged.result, result);
        result.seconds = judged.result.seconds;
        print(to_json_line(result));
    }
    return 0;
}

/// The results so far: one file of JSON lines per exercise, extended with each mutant.
class ResultsSoFar {
public:
    explicit ResultsSoFar(fs::path folder) : folder_(std::move(folder)) { make_folders(folder_); }

    void read(const MutatedExercise& exercise) {
        const fs::path path = path_of(exercise.name());
        if (!fs::exists(path)) return;
        std::istringstream lines(read_file(path));
        for (std::string line; std::getline(lines, line);)
            if (const auto result = parse_mutant_result(line)) results_[result->key] = *result;
    }
    void add(const std::string& exercise, const MutantResult& result) {
        const std::lock_guard lock(mutex_);
        results_[result.key] = result;
        std::ofstream(path_of(exercise), std::ios::app) << to_json_line(result) << std::flush;
    }
    void forget(const std::string& key) { results_.erase(key); }
    /// The result of a mutant judged under these circumstances.
    [[nodiscard]] std::optional<MutantResult> find(const std::string& key, const std::string& circumstances) const {
        const auto found = results_.find(key);
        if (found == results_.end() || found->second.circumstances != circumstances) return std::nullopt;
        return found->second;
    }

private:
    [[nodiscard]] fs::path path_of(const std::string& exercise) const { return folder_ / (exercise + ".jsonl"); }

    fs::path folder_;
    std::mutex mutex_;
    std::map<std::string, MutantResult> results_;
};

/// Some mutants of one answer, for one process.
struct Batch {
    const MutatedExercise* exercise;
    std::vector<std::string> keys;
};

struct Chosen {
    const MutatedExercise* exercise;
    const Mutant* mutant;
};

/// The mutants of this run, in order: those of the part, or a sample of them.
std::vector<Chosen> choose(const std::vector<MutatedExercise>& exercises, const DevMutateOptions& options) {
    std::vector<Chosen> all;
    for (const MutatedExercise& exercise : exercises)
        for (const Mutant& mutant : exercise.mutants) all.push_back({&exercise, &mutant});
    if (!options.part.empty()) {
        const auto [which, parts] = read_part(options.part);
        std::vector<Chosen> some;
        for (std::size_t k = which - 1; k < all.size(); k += parts) some.push_back(all[k]);
        all = std::move(some);
    }
    if (options.sample > 0 && static_cast<std::size_t>(options.sample) < all.size()) {
        std::vector<std::size_t> order(all.size());
        for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
        SeededRng(options.seed).shuffle(order);
        order.resize(static_cast<std::size_t>(options.sample));
        std::sort(order.begin(), order.end());
        std::vector<Chosen> some;
        for (const std::size_t k : order) some.push_back(all[k]);
        all = std::move(some);
    }
    return all;
}

/// Judges them in parallel processes; unexpected output is returned as a fault.
std::string judge_apart(const Kit& kit, const std::vector<Batch>& batches, std::size_t count, int jobs,
                        const DevMutateOptions& options, ResultsSoFar& results) {
    std::mutex mutex;
    std::string faults;
    std::size_t done = 0, survived = 0;
    ProgressLine progress(fmt::format("judging {} mutants ...", count));
    const auto judge = [&](const Batch& batch) {
        Command command;
        command.arguments = {(kit.toolchain.program_dir / "course").string(),
                             "--root", kit.root.string(), "dev", "mutate",
                             std::to_string(batch.exercise->folder.number),
                             "--only", fmt::format("{}", fmt::join(batch.keys, ","))};
        command.environment = own_environment();
        if (!options.device.empty()) {
            std::erase_if(command.environment,
                          [](const std::string& one) { return one.starts_with("LIBGPU_DEVICE="); });
            command.environment.push_back("LIBGPU_DEVICE=" + options.device);
        }
        command.seconds = seconds_of_a_mutant * static_cast<double>(batch.keys.size());
        command.cpu_seconds = command.seconds * 64;
        command.output_bytes = std::size_t{1} << 26;
        command.file_bytes = 0;
        std::string line, other;
        command.on_output = [&](std::string_view text) {
            for (const char c : text) {
                line += c;
                if (c != '\n') continue;
                if (const auto result = parse_mutant_result(line)) {
                    results.add(batch.exercise->name(), *result);
                    const std::lock_guard lock(mutex);
                    ++done;
                    survived += result->survived() ? 1 : 0;
                    progress.say(fmt::format("{} of {} mutants judged, {} passed", done, count, survived));
                } else {
                    other += line;
                }
                line.clear();
            }
        };
        const ProcessResult ended = run_process(command);
        if (ended.succeeded()) return;
        const std::lock_guard lock(mutex);
        faults += fmt::format("some mutants of {} could not be judged:\n{}{}\n", batch.exercise->name(), other, line);
    };
    in_pieces(std::ssize(batches), 1,
              [&](std::int64_t begin, std::int64_t) { judge(batches[static_cast<std::size_t>(begin)]); }, jobs);
    return faults;
}

std::vector<Batch> batches_of(const std::vector<Chosen>& todo, int jobs) {
    const std::size_t size = std::clamp<std::size_t>(todo.size() / (static_cast<std::size_t>(jobs) * 4), 1,
                                                     max_in_a_process);
    std::vector<Batch> batches;
    const Mutant* last = nullptr;
    for (const auto& [exercise, mutant] : todo) {
        const bool joins = !batches.empty() && batches.back().exercise == exercise &&
                           batches.back().keys.size() < size && last->answer == mutant->answer;
        if (!joins) batches.push_back({exercise, {}});
        batches.back().keys.push_back(mutant->key);
        last = mutant;
    }
    return batches;
}

std::string entry_text(const Equivalent& entry) {
    const auto shown = [](const std::string& text) { return text.empty() ? "(all)" : text; };
    const std::string where = fmt::format("{} {} {} ({})\n", shown(entry.exercise), shown(entry.answer),
                                          shown(entry.file), entry.made_by);
    return where + (entry.pattern ? fmt::format("change = '{}'\n", entry.change)
                                  : fmt::format("- {}\n+ {}\n", entry.before, entry.after));
}

/// Faults in the list: entries that match no mutant. An entry for any exercise is judged only if all are here.
std::string stale_entries(const std::vector<MutatedExercise>& exercises, bool all, const EquivalentsList& list) {
    std::string text;
    for (const Equivalent& entry : list.entries) {
        bool asked = entry.exercise.empty() && all, found = false;
        for (const MutatedExercise& exercise : exercises) {
            asked |= exercise.name() == entry.exercise;
            found |= std::any_of(exercise.mutants.begin(), exercise.mutants.end(),
                                 [&](const Mutant& one) { return entry.is(exercise.name(), one); });
        }
        if (asked && !found) text += "no mutant is as the list of equivalent ones says: " + entry_text(entry);
    }
    return text;
}

int dev_mutate_command(const Kit& kit, const DevMutateOptions& options) {
    const std::vector<MutatedExercise> exercises = mutate_exercises(kit, options.numbers);
    if (!options.only.empty()) {
        int code = 0;
        for (const MutatedExercise& exercise : exercises)
            code = std::max(code, judge_here(kit, exercise, {options.only.begin(), options.only.end()}));
        return code;
    }
    const EquivalentsList list = read_equivalents(kit.root);
    const std::vector<Chosen> chosen = choose(exercises, options);
    const auto as_judged = [&](const Chosen& one) {
        JudgedMutant judged{one.exercise->name(), *one.mutant};
        for (const Equivalent& entry : list.entries)
            if (entry.is(judged.exercise, judged.mutant)) judged.listed = &entry;
        return judged;
    };
    if (options.list) {
        for (const Chosen& one : chosen) print(mutant_text(as_judged(one)));
        print(fmt::format("\n{} mutants\n", chosen.size()));
        return 0;
    }

    ResultsSoFar results(options.results.empty() ? kit.root / "build" / "mutants" : fs::path(options.results));
    for (const MutatedExercise& exercise : exercises) results.read(exercise);
    const auto result_of = [&](const Chosen& one) {
        return results.find(one.mutant->key, one.exercise->answers.at(one.mutant->answer).circumstances);
    };
    std::vector<Chosen> todo;
    for (const Chosen& one : chosen)
        if (options.again || !result_of(one)) todo.push_back(one);
    for (const Chosen& one : todo) results.forget(one.mutant->key);
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    const int jobs = options.jobs > 0 ? options.jobs : std::max(1, cores);
    const std::string faults = judge_apart(kit, batches_of(todo, jobs), todo.size(), jobs, options, results);

    int killed = 0, equivalent = 0, survived = 0, not_compiled = 0, not_judged = 0;
    std::string text = stale_entries(exercises, options.numbers.empty(), list);
    bool holds = text.empty();
    for (const Chosen& one : chosen) {
        JudgedMutant judged = as_judged(one);
        judged.result = result_of(one);
        if (!judged.result) {
            ++not_judged;
        } else if (!judged.result->compiles()) {
            ++not_compiled;
        } else if (!judged.result->survived()) {
            ++killed;
            if (judged.listed == nullptr) continue;
            holds = false;
            text += fmt::format("listed as equivalent, yet {}: {}", judged.result->verdict, mutant_text(judged));
        } else if (judged.listed != nullptr) {
            ++equivalent;
        } else {
            ++survived;
            text += "survived: " + mutant_text(judged);
        }
    }
    print(text + (text.empty() ? "" : "\n") + faults);
    print(fmt::format("{} mutants: {} killed, {} equivalent, {} survived, {} don't compile", chosen.size(), killed,
                      equivalent, survived, not_compiled));
    print(not_judged > 0 ? fmt::format(", {} not judged\n", not_judged) : "\n");
    if (!options.report.empty()) {
        DevMutateOptions everything;
        std::vector<JudgedMutant> page;
        for (const Chosen& one : choose(exercises, everything)) {
            page.push_back(as_judged(one));
            page.back().result = result_of(one);
        }
        write_file(options.report, mutants_page(page, list));
    }
    if (not_judged > 0) return 4;
    return holds && survived == 0 ? 0 : 1;
}

}  // namespace

void add_dev_mutate(CommandLine& line) {
    auto [command, options] =
        line.add("mutate", "right answers with one mistake each: none may pass", dev_mutate_command);
    command.option("numbers", &options.numbers, "exercises (default: all)", {.is_number = true});
    command.option("--list", &options.list, "print the mutants and judge none");
    command.option("--jobs", &options.jobs, "mutants side by side (default: as many as there are cores)",
                   {.is_positive = true});
    command.option("--part", &options.part, "K/M: the K-th of M parts, for several machines");
    command.option("--sample", &options.sample, "so many mutants, drawn", {.is_positive = true});
    command.option("--seed", &options.seed, "of the drawing (default: 1)");
    command.option("--device", &options.device, "host or cuda:0 (default: a usable GPU, else the host)");
    command.option("--results", &options.results,
                   "the folder of results: what it has isn't judged again (default: build/mutants)");
    command.option("--again", &options.again, "judge those that have a result, too");
    command.option("--report", &options.report, "the Markdown file to write, of all results");
    command.option("--only", &options.only, "", {.has_commas = true});  // for its own processes
}

}  // namespace course
