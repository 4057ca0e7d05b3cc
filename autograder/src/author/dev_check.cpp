// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "author/dev_commands.hpp"
#include "author/five_proofs.hpp"
#include "build/exercise_build.hpp"
#include "build/scratch.hpp"
#include "build/student_build.hpp"
#include "kit/probe.hpp"
#include "report/terminal.hpp"
#include "support/parallel.hpp"
#include "support/process.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// How `course dev check` proves.
struct DevCheckOptions {
    bool json = false;     ///< a line of JSON for each exercise, one after the other, in place of the table
    bool replays = false;  ///< all answers are judged as in class grading
    std::string part;      ///< "K/M": of the planted answers of each exercise the K-th of M parts; empty: all
};

constexpr std::array<int, 5> widths = {20, 14, 14, 14, 0};
constexpr double seconds_of_an_exercise = 1800;

std::string cell(const Proof& proof) { return proof.failures.empty() ? proof.text : "FAILED"; }

/// A row of the table: the exercise, and a cell for each proof.
template <class Cell>
std::string row(const std::string& exercise, const Cell& cell_of) {
    std::string text = fmt::format("{:<20}", exercise);
    for (std::size_t k = 0; k < FiveProofs::columns().size(); ++k)
        text += fmt::format(" {:<{}}", cell_of(FiveProofs::columns()[k]), widths[k]);
    return text + "\n";
}

std::string json_line(const FiveProofs& proofs) {
    std::vector<Proof> list;
    for (const FiveProofs::Column& column : FiveProofs::columns()) list.push_back(proofs.*column.proof);
    return proofs_json(proofs.name, list);
}

/// Parses the output of another `course`, whose last line is JSON.
FiveProofs proofs_of_output(const std::string& name, std::string output) {
    while (output.ends_with('\n')) output.pop_back();
    FiveProofs proofs;
    proofs.name = name;
    const auto list = parse_proofs_json(std::string_view(output).substr(output.rfind('\n') + 1));
    if (!list || list->size() != FiveProofs::columns().size())
        proofs.stub.failures.push_back("it could not be proved:\n" + output);
    else
        for (std::size_t k = 0; k < list->size(); ++k) proofs.*FiveProofs::columns()[k].proof = (*list)[k];
    return proofs;
}

/// In a separate process: a judge waits for its runners, and two in one program would see each other's.
FiveProofs prove_apart(const Kit& kit, const ExerciseFolder& folder, const DevCheckOptions& options) {
    Command command;
    command.arguments = {(kit.toolchain.program_dir / "course").string(),
                         "--root",
                         kit.root.string(),
                         "dev",
                         "check",
                         std::to_string(folder.number),
                         "--json"};
    if (options.replays) command.arguments.push_back("--replay");
    if (!options.part.empty()) command.arguments.insert(command.arguments.end(), {"--part", options.part});
    command.environment = own_environment();
    command.seconds = seconds_of_an_exercise;
    command.cpu_seconds = seconds_of_an_exercise * 64;
    command.output_bytes = std::size_t{1} << 26;
    command.file_bytes = 0;
    return proofs_of_output(folder.name, run_process(command).output);
}

std::string failures_text(int number, const FiveProofs& proofs) {
    std::string text;
    for (const FiveProofs::Column& column : FiveProofs::columns())
        for (const std::string& failure : (proofs.*column.proof).failures)
            text += fmt::format("\nexercise {} {}: {}\n", number, proofs.name, failure);
    return text;
}

std::string notes_text(int number, const FiveProofs& proofs) {
    std::string text;
    for (const FiveProofs::Column& column : FiveProofs::columns())
        for (const std::string& note : (proofs.*column.proof).notes)
            text += fmt::format("note: exercise {} {}: {}\n", number, proofs.name, note);
    return text;
}

/// How many answers there are to judge, to start with those that take longest.
std::size_t planted_answers(const ExerciseFolder& folder) {
    try {
        const Manifest manifest = read_manifest(folder.path);
        return manifest.wrong.size() + manifest.lazy.size() + manifest.right.size();
    } catch (const ManifestError&) {
        return 0;
    }
}

/// How many exercises may be judged at the same time; 0: as many as there are cores. A GPU's memory must hold the
/// arrays of all of them; while one is being timed, the others wait.
int side_by_side(const Kit& kit) {
    const char* const device = std::getenv("LIBGPU_DEVICE");
    const ProbeAnswer answer = probe(kit.toolchain, device ? device : "", "");
    if (answer.backend != "cuda") return 0;
    constexpr std::uint64_t each = 8ULL << 30;
    return static_cast<int>(
        std::clamp<std::uint64_t>(answer.total_memory / each, 1, std::max(std::thread::hardware_concurrency(), 1U)));
}

/// The table of all exercises: prints a row as soon as it and those before it are proved.
class ProofTable {
public:
    explicit ProofTable(std::vector<ExerciseFolder> folders)
        : folders_(std::move(folders)), proofs_(folders_.size()), done_(folders_.size(), false) {}

    void begin(std::size_t which) {
        const std::lock_guard lock(mutex_);
        print_error(fmt::format("judging exercise {} {} ({} of {})\n", folders_[which].number, folders_[which].name,
                                ++begun_, folders_.size()));
    }
    void finish(std::size_t which, FiveProofs proofs) {
        const std::lock_guard lock(mutex_);
        proofs_[which] = std::move(proofs);
        done_[which] = true;
        for (; shown_ < done_.size() && done_[shown_]; ++shown_)
            print(row(fmt::format("{} {}", folders_[shown_].number, proofs_[shown_].name),
                      [&](const FiveProofs::Column& column) { return cell(proofs_[shown_].*column.proof); }));
    }
    [[nodiscard]] const std::vector<ExerciseFolder>& folders() const { return folders_; }
    [[nodiscard]] const std::vector<FiveProofs>& proofs() const { return proofs_; }

private:
    std::mutex mutex_;
    std::vector<ExerciseFolder> folders_;
    std::vector<FiveProofs> proofs_;
    std::vector<bool> done_;
    std::size_t begun_ = 0, shown_ = 0;
};

void prove_side_by_side(const Kit& kit, ProofTable& table, const DevCheckOptions& options) {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < table.folders().size(); ++k) order.push_back(k);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return planted_answers(table.folders()[a]) > planted_answers(table.folders()[b]);
    });
    in_pieces(
        std::ssize(order), 1,
        [&](std::int64_t begin, std::int64_t) {
            const std::size_t which = order[static_cast<std::size_t>(begin)];
            table.begin(which);
            table.finish(which, prove_apart(kit, table.folders()[which], options));
        },
        side_by_side(kit));
}

}  // namespace

Part read_part(const std::string& text) {
    constexpr std::size_t max_parts = 1'000'000;
    const std::optional<Share> share = share_from(text, max_parts);
    if (!share) throw UsageError(fmt::format("--part {}: expected K/M, as in 2/4", text));
    return {share->number, share->of};
}

int dev_check_command(const Kit& kit, const std::vector<int>& numbers, const DevCheckOptions& options) {
    std::vector<ExerciseFolder> wanted;
    for (const int number : numbers) wanted.push_back(kit.find(number));
    if (wanted.empty()) wanted = exercise_folders(kit.root);
    if (wanted.empty()) throw UsageError("this edition has no exercises");
    const Part part = options.part.empty() ? Part{1, 1} : read_part(options.part);
    if (options.json) {
        bool hold = true;
        for (const ExerciseFolder& folder : wanted) {
            const FiveProofs proofs = prove(kit, folder, options.replays, part);
            print(json_line(proofs));
            hold = hold && proofs.hold();
        }
        return hold ? 0 : 1;
    }
    print(row("exercise", [](const FiveProofs::Column& column) { return std::string(column.title); }));
    ProofTable table(wanted);
    if (wanted.size() == 1)
        table.finish(0, prove(kit, wanted[0], options.replays, part));
    else
        prove_side_by_side(kit, table, options);
    std::string failures, notes;
    int failed = 0;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        failures += failures_text(wanted[k].number, table.proofs()[k]);
        notes += notes_text(wanted[k].number, table.proofs()[k]);
        failed += table.proofs()[k].hold() ? 0 : 1;
    }
    print(failures + (notes.empty() ? "" : "\n" + notes));
    print(fmt::format("\n{} of {} exercises hold.\n", static_cast<int>(wanted.size()) - failed, wanted.size()));
    return failed == 0 ? 0 : 1;
}

// What the first verdict of each exercise would wait for, built before a class or into an image.
int dev_checks_command(const Kit& kit, const std::vector<int>& numbers) {
    std::vector<ExerciseFolder> folders;
    if (numbers.empty()) folders = exercise_folders(kit.root);
    for (const int number : numbers) folders.push_back(kit.find(number));

    Toolchain toolchain = kit.toolchain;
    toolchain.gpu_headers = gpu_headers_key(toolchain);
    const Scratch scratch = Scratch::make(toolchain.build_dir / "scratch");
    for (const ExerciseFolder& folder : folders) {
        const ExerciseObjects objects = build_exercise(toolchain, read_manifest(folder.path), scratch.path());
        const auto [end, rest] =
            std::mismatch(scratch.path().begin(), scratch.path().end(), objects.check.begin(), objects.check.end());
        if (end == scratch.path().end())  // used for one verdict only
            throw UsageError(
                fmt::format("checks are kept in {}, which you may not write", kit.toolchain.build_dir.string()));
    }
    static_cast<void>(StudentHeader(toolchain).keep());
    print(fmt::format("The check{} of {} {} built\n", folders.size() == 1 ? "" : "s",
                      plural(folders.size(), "exercise"), folders.size() == 1 ? "is" : "are"));
    return 0;
}

void add_dev_check(CommandLine& line) {
    auto [command, numbers, options] = line.add("check", "the five proofs of each exercise", dev_check_command);
    command.option("--replay", &options.replays, "all answers as in class grading, not only the solution");
    command.option("--part", &options.part, "K/M: of each exercise's planted answers the K-th of M parts");
    command.option("--json", &options.json, "a line of JSON for each exercise, one after the other");
    command.option("numbers", &numbers, "exercises (default: all)", {.is_number = true});
}

void add_dev_checks(CommandLine& line) {
    auto [command, numbers] = line.add("checks", "build the exercises' checks, before a class", dev_checks_command);
    command.option("numbers", &numbers, "exercises (default: all)", {.is_number = true});
}

}  // namespace course
