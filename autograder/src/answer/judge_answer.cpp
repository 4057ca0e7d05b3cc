// SPDX-License-Identifier: MIT
#include "answer/judge_answer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "answer/judged_on.hpp"
#include "answer/plain_cuda.hpp"
#include "build/exercise_build.hpp"
#include "build/scratch.hpp"
#include "build/student_build.hpp"
#include "collect/collect.hpp"
#include "judge/judge.hpp"
#include "kit/probe.hpp"
#include "manifest/lesson.hpp"
#include "manifest/names.hpp"
#include "run/process.hpp"
#include "run/sealed_memory.hpp"
#include "run/session_pair.hpp"
#include "sandbox/sandbox.hpp"
#include "support/files.hpp"
#include "support/parallel.hpp"
#include "support/process.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"
#include "verdict/verdict.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr int host_devices = 4;  // for exercises that use several

/// Why an answer can't be judged, and the verdict of the whole exercise.
struct NotJudged {
    Verdict verdict;
    std::string message;
};

std::string wanted_device(const RunOptions& options) {
    if (!options.device.empty()) return options.device;
    const char* variable = std::getenv("LIBGPU_DEVICE");
    return variable ? variable : "";
}

void put_copy(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);   // the same file, if the rules name it
    if (error) throw FileError("write", to, error.value());
}

/// The runners of an answer, whose object may still be missing: `bring` puts it where they look for it. A GPU's are
/// started at once, since its contexts take time.
struct Runners {
    SessionOptions usual, checked, replayer;
    ReferenceRunner own_reference;
    ReferenceRunner* reference = nullptr;
    std::optional<SessionPair> caller;
    std::vector<std::string> sandbox;   // in force around them

    void bring(const fs::path& object) const {
        for (const SessionOptions* const one : {&usual, &checked}) put_copy(object, one->object);
    }
};

/// All stages for one answer; they collect their results in `judged`, which they never ask for anything.
class AnswerPipeline {
public:
    AnswerPipeline(const Kit& kit, const AnswerToJudge& asked, JudgedAnswer& judged)
        : kit_(kit), asked_(asked), manifest_(asked.manifest), judged_(judged) {}

    void run() {
        const Answer answer =
            collect(manifest_, asked_.folder, asked_.shown_below.empty() ? kit_.root : asked_.shown_below);
        judged_.answer = answer_digest(answer);
        judged_.screen.notes = answer.notes;
        judged_.screen.files.clear();
        for (const AnswerFile& file : answer.files) {
            judged_.screen.files.push_back(file.shown);
            judged_.screen.sources.push_back({file.name, plain_text(file.text, file.text.size(), file.text.size())});
        }
        if (answer.not_started && !asked_.judge_stub) throw NotJudged{Verdict::not_started, ""};
        count_changes(answer);

        std::optional<Scratch> scratch;
        if (asked_.build_in.empty()) scratch.emplace(Scratch::make(kit_.toolchain.build_dir / "scratch"));
        const fs::path folder = scratch ? scratch->path() : asked_.build_in;
        Toolchain toolchain = kit_.toolchain;
        toolchain.gpu_headers = gpu_headers_key(toolchain);
        std::optional<StudentHeader> header;
        std::future<fs::path> keeping;   // for later answers
        if (toolchain.student_header.empty()) toolchain.student_header = header.emplace(toolchain).kept();
        if (toolchain.student_header.empty())
            keeping = std::async(std::launch::async, [&header] { return header->keep(); });
        StudentBuild student(toolchain, manifest_, answer, folder);
        auto device = std::async(std::launch::async, [this] {
            return asked_.device ? *asked_.device : look_at_device(kit_, manifest_, asked_.options);
        });
        auto exercise =
            std::async(std::launch::async, [&] { return build_exercise(toolchain, manifest_, folder); });
        // If the check is still being built, say so: it takes a while.
        const bool fresh = exercise.wait_for(std::chrono::milliseconds(200)) == std::future_status::ready;
        ExerciseObjects objects;
        ProbeAnswer found;
        std::unique_ptr<Runners> runners;
        {
            const ScopedTimer spent(judged_.screen.build_seconds);
            auto compiling = std::async(std::launch::async, [&] { return student.compile_sources(); });
            std::optional<ProgressLine> progress;
            if (fresh) {
                progress.emplace("compiling your answer ...");
                found = device.get();
                // creating its contexts takes as long as compiling
                if (found.backend == "cuda" && found.error.empty()) {
                    decide_where(found);
                    runners = start_runners(manifest_, folder, objects = exercise.get(), measures_speed());
                }
            }
            if (!compiling.get()) throw does_not_compile(student);
            progress.reset();
            if (exercise.valid()) objects = exercise.get();
            link(student, objects.bind);
        }
        for (const std::string& one : student.result().warnings) warnings_.push_back(plain_text(one, 2048, 10));
        if (!runners) {
            const ScopedTimer spent(judged_.screen.probe_seconds);
            if (device.valid()) found = device.get();
            decide_where(found);
        }
        not_begun_ = answer.stars_not_begun;
        for (const Task& task : manifest_.tasks)
            if (task.star && !asked_.judge_stars) not_begun_.push_back(task.id);
        functions_begun_ = answer.functions_begun;
        files_as_given_ = answer.files_as_given;
        for (const AnswerFile& file : answer.files)
            if (!manifest_.is_program && file.name.ends_with(".cu") && !is_one_of(file.name, files_as_given_))
                kernel_texts_[file.name] = file.text;
        judge_in_runner(answer, folder, student.result(), objects, std::move(runners));
        if (manifest_.is_program) tell_in_cuda(judged_.result);
    }

    /// What a result says besides its verdict, however far the stages have come.
    void complete(Result& result) const {
        result.warnings = warnings_;
        Environment& environment = result.environment;
        environment.kit_version = kit_version();
        environment.machine = machine_text();
        environment.sandbox = sandbox_;
        environment.compiler = compiler_;
        if (!on_) return;
        environment.backend = on_->backend;
        environment.device = on_->name;
        environment.unused_gpu = on_->unused_gpu;
    }

private:
    void count_changes(const Answer& answer) {
        for (const AnswerFile& file : answer.files)
            for (const Task& task : manifest_.tasks)
                if (task.changes && is_one_of(file.name, task.changes->files) && !changes_.contains(file.name))
                    changes_[file.name] = changed_lines(read_file(manifest_.folder / file.name), file.text);
    }

    static NotJudged does_not_compile(const StudentBuild& student) {
        // The compiler quotes the student's lines, whatever bytes they contain.
        return {Verdict::does_not_compile, plain_text(student.result().error, 8192, 40)};
    }

    void link(StudentBuild& student, const fs::path& bind) {
        if (!student.link(bind)) throw does_not_compile(student);
    }

    /// Once, before anything of the answer runs.
    void decide_where(const ProbeAnswer& device) {
        if (!device.error.empty()) throw NotJudged{Verdict::environment, device.error + "\nmake doctor says more."};
        on_.emplace(judged_on(device, manifest_));
        compiler_ = kit_.toolchain.compiler_version();
        judged_.screen.copy_bytes_per_second = on_->copy_bytes_per_second;
        if (!on_->note.empty()) judged_.screen.notes.push_back(on_->note);
        Tiers tiers = tiers_around_answer(kit_.toolchain.sandbox, on_gpu());
        tiers.users = false;   // so far
        sandbox_ = tiers.names();
    }

    /// Gives each runner its own user, if users can be separated and may access everything that the runners need.
    /// @return the sandbox's parts around them
    std::vector<std::string> separate_users(const fs::path& scratch, std::initializer_list<SessionOptions*> sessions) {
        Tiers tiers = tiers_around_answer(kit_.toolchain.sandbox, on_gpu());
        if (tiers.users && std::getenv("LIBGPU_DUMP") == nullptr) {   // its folder is the grader's
            const std::vector<SeparateUser> users = draw_separate_users(sessions.size());
            let_pass(users.front().group, scratch);
            const std::vector<PathRule> rules = runner_policy(**sessions.begin()).paths;
            const auto is_open = [&](const PathRule& rule) {
                return rule.access == Access::own || is_open_to(users.front(), rule.path);
            };
            tiers.users = std::all_of(rules.begin(), rules.end(), is_open);
            for (auto user = users.begin(); SessionOptions* one : sessions)
                if (tiers.users) one->as = *user++;
        }
        return tiers.names();
    }

    [[nodiscard]] bool on_gpu() const { return on_->on_gpu(); }

    /// Kernels are read when the answer runs: check mode must see those that were handed in.
    static std::string changed_files(const Answer& answer, const fs::path& folder) {
        std::string changed;
        for (const AnswerFile& file : answer.files) {
            bool is_same = false;
            try {
                is_same = read_answer_file(folder / file.name, file.name) == file.text;
            } catch (const CollectError&) {  // no longer a file
            }
            if (!is_same) changed += (changed.empty() ? "" : ", ") + file.shown;
        }
        return changed;
    }

    /// @param runners those already started; null: none
    void judge_in_runner(const Answer& answer, const fs::path& scratch, const StudentObject& student,
                         const ExerciseObjects& objects, std::unique_ptr<Runners> runners) {
        const fs::path& check = objects.check;
        const CheckPlugin plugin = CheckPlugin::load(check, manifest_);
        Baselines baselines(check.parent_path() / "baselines", baseline_circumstances(check));
        if (!runners) runners = start_runners(manifest_, scratch, objects, measures_speed());
        sandbox_ = runners->sandbox;
        Result result = judge_by(plugin, manifest_, *runners, student, &baselines);
        show_own_paths(result, student.names);
        const bool was_judged = result.verdict != Verdict::environment;
        judged_.result = std::move(result);
        runners->caller->end();
        if (!asked_.hidden_check.empty() && was_judged) {
            runners.reset();
            judge_hidden(scratch, student, objects);
        }
        judged_.ending = std::move(runners);
        if (const std::string changed = changed_files(answer, student.object.parent_path()); !changed.empty())
            throw NotJudged{Verdict::crashed, "the answer changed its own files while it ran: " + changed};
    }

    /// An error in the hidden check is reported on its own.
    void judge_hidden(const fs::path& scratch, const StudentObject& student, const ExerciseObjects& objects) {
        try {
            const CheckPlugin plugin = CheckPlugin::load_some(asked_.hidden_check, manifest_);
            Manifest some = manifest_;
            std::erase_if(some.tasks, [&](const Task& task) { return !plugin.has(task.id); });
            judged_.hidden = judge_by(plugin, some, *start_runners(some, scratch, objects, false), student, nullptr);
        } catch (const ManifestError& error) {
            judged_.hidden.emplace();
            judged_.hidden->verdict = Verdict::environment;
            judged_.hidden->message = error.what();
        }
    }

    [[nodiscard]] MeasureSpeed measure_speed() const {
        return asked_.options.timings ? MeasureSpeed::everywhere : asked_.measure_speed;
    }

    [[nodiscard]] bool measures_speed() const {
        return asks_for_speed(manifest_) && (measure_speed() == MeasureSpeed::everywhere ||
                                             (measure_speed() == MeasureSpeed::on_gpu && on_gpu()));
    }

    /// @param measures also start the grader's own reference runs
    std::unique_ptr<Runners> start_runners(const Manifest& manifest, const fs::path& scratch,
                                           const ExerciseObjects& objects, bool measures) {
        auto made = std::make_unique<Runners>();
        SessionOptions& session = made->usual;
        session.runner = kit_.toolchain.program_dir / "course-runner";
        session.device = on_->device;
        session.variables = kit_.toolchain.variables;
        session.sandboxed = runs_in_sandbox(kit_.toolchain.sandbox, on_gpu());
        session.around = kit_.toolchain.surroundings();
        for (const fs::path& hidden : {kit_.root, asked_.folder}) session.around.hidden.push_back(hidden);
        session.one_call = manifest.is_program;
        if (manifest.devices > 1) session.devices = std::max(manifest.devices, host_devices);
        session.call_seconds = asked_.options.call_seconds > 0 ? asked_.options.call_seconds : manifest.call_seconds;
        if (on_gpu()) session.lock = std::make_shared<DeviceLock>(on_->uuid);
        SessionOptions& checked = made->checked = session;
        SessionOptions& replayer = made->replayer = session;
        SessionOptions given = session;
        replayer.one_call = false;           // it holds no program
        checked.lock = replayer.lock = {};   // on the host
        checked.records = asked_.options.replays;
        session.records = asked_.options.replays && !on_gpu();   // on a GPU, kernels are compiled differently
        // Two of everything, under names that don't reveal which of the two runners this is. The objects stay next to
        // the sources, where the answer looks for its kernels.
        for (SessionOptions* const one : {&session, &checked}) {
            const std::string name = fmt::format("{:016x}", random_bits());
            use_folders(*one, scratch / name);
            if (asked_.kernels != nullptr) asked_.kernels->bring_to(one->kernel_cache);
            one->object = StudentBuild::folder_in(scratch) / (name + ".so");
            write_file(one->object, "");
        }
        if (asked_.options.replays) use_folders(replayer, scratch / fmt::format("{:016x}", random_bits()));
        if (asked_.options.replays && asked_.kernels != nullptr) asked_.kernels->bring_to(replayer.kernel_cache);
        use_folders(given, scratch / fmt::format("{:016x}", random_bits()));
        if (!objects.given.empty())
            put_copy(objects.given, given.object = given.scratch.parent_path() / "given.so");
        made->sandbox = separate_users(scratch, {&session, &checked, &given, &replayer});
        std::optional<SessionOptions> given_alone, replayer_if_asked;
        if (!objects.given.empty()) given_alone = given;
        if (asked_.options.replays) replayer_if_asked = replayer;
        made->reference = asked_.reference != nullptr ? asked_.reference : &made->own_reference;
        Session* const beside = measures ? &made->reference->runner(session, kit_.toolchain.build_dir) : nullptr;
        made->caller.emplace(session, checked, beside, given_alone, replayer_if_asked);
        if (on_gpu()) made->caller->begin();
        return made;
    }

    /// @param baselines null: hidden cases, whose speed isn't measured, and which show nothing
    Result judge_by(const CheckPlugin& plugin, const Manifest& manifest, Runners& runners,
                    const StudentObject& student, Baselines* baselines) {
        runners.bring(student.object);
        JudgeOptions options;
        options.on_gpu = on_gpu();
        options.measure_speed = baselines == nullptr ? MeasureSpeed::nowhere : measure_speed();
        options.device = runners.usual.lock.get();
        options.steady_until = &runners.reference->steady_until;
        options.seed = asked_.options.seed;
        options.not_begun = not_begun_;
        options.functions_begun = functions_begun_;
        options.files_as_given = files_as_given_;
        options.kernel_texts = kernel_texts_;
        options.changes = changes_;
        options.baselines = baselines;
        options.replays = asked_.options.replays;
        options.stops_at_failure = asked_.stops_at_failure;
        if (asked_.after_tasks && baselines != nullptr)
            options.after_tasks = [&](std::span<const JudgedTask> tasks) {
                asked_.after_tasks(tasks, *runners.caller, runners.checked.scratch);
            };
        options.before_timing = asked_.before_timing;
        options.bandwidth = on_->copy_bytes_per_second;
        const ProgressLine progress(fmt::format("judging {} ...", called(manifest)));
        Result result = judge(manifest, plugin, *runners.caller, options);
        runners.own_reference.end();
        result.printed = runners.caller->output();
        if (asked_.kernels != nullptr)
            for (const SessionOptions* const one : {&runners.usual, &runners.checked, &runners.replayer})
                asked_.kernels->take_from(one->kernel_cache);
        return result;
    }

    /// The plug-in's key covers the compiler, its flags and all sources.
    static std::string baseline_circumstances(const fs::path& check) {
        return machine_text() + "; check " + read_file(check.string() + ".key");
    }

    static void use_folders(SessionOptions& session, const fs::path& folder) {
        session.scratch = folder / "run";
        session.kernel_cache = folder / "kernels";
        make_folders(session.scratch);
        make_folders(session.kernel_cache);
    }

    /// Kernels are compiled by the runner, which only knows the private folder.
    static void show_own_paths(Result& result, const PathNames& names) {
        for (std::string* text : {&result.message, &result.printed}) *text = names.apply(*text);
        for (TaskResult& task : result.tasks) {
            task.message = names.apply(task.message);
            for (BudgetResult& budget : task.budgets)
                for (std::string* const text : {&budget.statement, &budget.cause}) *text = names.apply(*text);
            for (CaseResult& one : task.cases) one.message = names.apply_to_kernel_error(one.message);
            if (task.check) show_own_paths(*task.check, names);
        }
    }

    /// Kernels in a .cu file are named by its name alone; those in a string by the .cpp file's path.
    static void show_own_paths(CheckResult& check, const PathNames& names) {
        for (FoundMistake& found : check.found)
            for (std::string* text :
                 {&found.finding.file, &found.finding.what, &found.finding.who, &found.finding.advice})
                *text = names.apply(*text);
        for (KernelCounts& kernel : check.kernels) {
            kernel.file = names.apply(kernel.file);
            kernel.rewritten = names.apply(kernel.rewritten);
            kernel.made_in = names.apply(kernel.made_in);
            for (LineCounts& line : kernel.lines) line.file = names.apply(line.file);
        }
    }

    const Kit& kit_;
    const AnswerToJudge& asked_;
    const Manifest& manifest_;
    JudgedAnswer& judged_;
    std::optional<JudgedOn> on_;         // set once
    std::string compiler_;
    std::vector<std::string> sandbox_;   // in force around the answer
    std::vector<std::string> warnings_;
    std::vector<std::string> not_begun_;
    std::vector<std::string> files_as_given_;
    std::map<std::string, std::string> kernel_texts_;
    std::map<std::string, bool> functions_begun_;
    std::map<std::string, ChangedLines> changes_;
};

/// True if the student knows what a sector is: the exercise itself limits such a ratio, or its lesson or an earlier one
/// introduces the word. If no lesson does, everybody is assumed to know it.
bool knows_sectors(const Kit& kit, const Manifest& manifest) {
    const auto is_limited = [](const std::vector<Budget>& budgets) {
        return std::any_of(budgets.begin(), budgets.end(), [](const Budget& one) { return is_ratio(one.counter); });
    };
    for (const Task& task : manifest.tasks) {
        if (is_limited(task.budgets)) return true;
        for (const RequiredKernel& kernel : task.kernels)
            if (is_limited(kernel.budgets)) return true;
    }
    try {
        bool is_earlier = false;
        for (const LessonFolder& folder : lesson_folders(kit.root)) {
            const std::vector<std::string> terms = read_lesson(folder).introduces;
            if (std::find(terms.begin(), terms.end(), "sector") != terms.end()) return !is_earlier;
            is_earlier = is_earlier || folder.name() == manifest.lesson;
        }
    } catch (const ManifestError&) {  // `course dev lessons` reports what is wrong with a lesson
    }
    return true;
}

JudgedAnswer before_judging(const Kit& kit, const AnswerToJudge& asked) {
    JudgedAnswer judged;
    const Manifest& manifest = asked.manifest;
    judged.result.number = manifest.number;
    judged.result.exercise = manifest.name;
    judged.result.title = manifest.title;
    judged.screen.has_solution = kit.has_solutions();
    judged.screen.readme = shown_path(manifest.folder / "README.md", kit.root);
    judged.screen.minutes = manifest.minutes;
    judged.screen.shows_work = knows_sectors(kit, manifest);
    for (const std::string& name : manifest.edit)
        judged.screen.files.push_back(shown_path(asked.folder / name, kit.root));
    return judged;
}

void set_verdict(const Manifest& manifest, Result& result, const NotJudged& why) {
    result.verdict = why.verdict;
    result.message = why.message;
    result.tasks.clear();
    for (const Task& task : manifest.tasks) result.tasks.push_back(not_judged(task, why.verdict));
}

}  // namespace

bool asks_for_speed(const Manifest& manifest) {
    return std::any_of(manifest.tasks.begin(), manifest.tasks.end(),
                       [](const Task& task) { return task.speed.has_value(); });
}

ProbeAnswer look_at_device(const Kit& kit, const Manifest& manifest, const RunOptions& options) {
    return probe(kit.toolchain, wanted_device(options), asks_for_speed(manifest) ? "--bandwidth" : "");
}

JudgedAnswer judge_answer(const Kit& kit, const AnswerToJudge& answer) {
    const auto start = std::chrono::steady_clock::now();
    JudgedAnswer judged = before_judging(kit, answer);
    const auto fault = [&](const std::exception& error) {
        const auto* of_system = dynamic_cast<const std::system_error*>(&error);
        set_verdict(answer.manifest, judged.result,
                    {Verdict::environment, of_system ? explained(*of_system) : error.what()});
    };
    AnswerPipeline pipeline(kit, answer, judged);
    try {
        pipeline.run();
    } catch (const NotJudged& why) {
        set_verdict(answer.manifest, judged.result, why);
    } catch (const CollectError& error) {
        fault(error);
    } catch (const BuildFault& error) {
        fault(error);
    } catch (const FileError& error) {
        fault(error);
    } catch (const ManifestError& error) {  // from the check plug-in
        fault(error);
    } catch (const std::system_error& error) {
        fault(error);
    }
    pipeline.complete(judged.result);
    judged.result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return judged;
}

}  // namespace course
