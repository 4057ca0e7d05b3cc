// SPDX-License-Identifier: MIT
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "build/scratch.hpp"
#include "commands/commands.hpp"
#include "kit/probe.hpp"
#include "kit_config.hpp"
#include "report/terminal.hpp"
#include "run/session.hpp"
#include "run/session_pair.hpp"
#include "sandbox/sandbox.hpp"
#include "sandbox/separate_user.hpp"
#include "support/files.hpp"
#include "support/progress.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// The lines of `doctor`: OK, -- (worth knowing), or !! with the remedy.
class Findings {
public:
    void ok(const std::string& what, const std::string& text) { lines_.push_back({"ok", what, text, ""}); }
    void note(const std::string& what, const std::string& text, const std::string& fix = "") {
        lines_.push_back({"note", what, text, fix});
    }
    void bad(const std::string& what, const std::string& text, const std::string& fix) {
        lines_.push_back({"bad", what, text, fix});
        healthy_ = false;
    }
    [[nodiscard]] bool healthy() const noexcept { return healthy_; }

    [[nodiscard]] std::string text(const Style& style) const {
        std::string text;
        for (const Line& line : lines_) {
            const std::string sign = line.state == "ok"    ? style.good("OK")
                                     : line.state == "bad" ? style.bad("!!")
                                                           : "--";
            text += fmt::format("{}  {:<15} {}\n", sign, line.what, line.text);
            if (!line.fix.empty()) text += fmt::format("                    {}\n", line.fix);
        }
        return text;
    }
    [[nodiscard]] std::string json() const {
        nlohmann::ordered_json all = {{"format", 1}, {"version", kit_version()}, {"ready", healthy_}};
        for (const Line& line : lines_)
            all["findings"].push_back(
                {{"state", line.state}, {"what", line.what}, {"text", line.text}, {"fix", line.fix}});
        return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    }

private:
    struct Line {
        std::string state, what, text, fix;
    };
    std::vector<Line> lines_;
    bool healthy_ = true;
};

void look_at_compiler(const Kit& kit, Findings& findings) {
    const std::string version = kit.toolchain.compiler_version();
    if (version.empty())
        findings.bad("compiler", kit.toolchain.compiler + " can't be run", "To install what the kit needs: ./setup");
    else
        findings.ok("compiler", version);
}

/// The first line of the output of `program --version`, after gdb's warnings about a missing home; empty if the program
/// isn't installed.
std::string version_of(const std::string& program) {
    Command command{.arguments = {program, "--version"}, .environment = Toolchain::environment({}), .folder = {}};
    command.seconds = 10;
    const ProcessResult result = run_process(command);
    if (!result.succeeded()) return "";
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);)
        if (line.find("warning: ") == line.npos) return line;
    return "";
}

/// Checks what only some commands and editors need.
void look_at_tools(Findings& findings) {
    const char* const named = std::getenv("COURSE_GDB");
    const std::string gdb = named != nullptr && *named != '\0' ? named : "gdb";
    if (const std::string version = version_of(gdb); !version.empty())
        findings.ok("debugger", version);
    else
        findings.note("debugger", gdb + " isn't here; make debug-8 uses it", "To install it: ./setup --debugger");
    if (const std::string version = version_of("clangd"); !version.empty())
        findings.ok("editor", version);
    else
        findings.note("editor", "clangd isn't here; editors complete kernels with it",
                      "To install it: ./setup --editors");
}

/// "; driver 590.48" for the loaded driver; empty if unknown.
std::string driver_text() {
    try {
        // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  590.48 ...", or "... Module for x86_64  590.48 ..."
        std::istringstream words(read_file("/proc/driver/nvidia/version"));
        for (std::string word; words >> word;)
            if (std::isdigit(static_cast<unsigned char>(word.front())) && word.find('.') != word.npos)
                return "; driver " + word;
    } catch (const FileError&) {}
    return "";
}

/// Why that folder isn't writable; empty if it is.
std::string why_not_writable(const fs::path& folder) {
    try {
        make_folders(folder);
        write_file_atomically(folder / ".course-doctor", "may be deleted\n");
        std::error_code error;
        fs::remove(folder / ".course-doctor", error);
        return "";
    } catch (const FileError& error) {
        return error.what();
    }
}

void look_at_cache(const KernelCacheFacts& cache, Findings& findings) {
    if (cache.folder.empty())
        findings.note("kernel cache", "off: each program compiles its kernels again",
                      "Set LIBGPU_CACHE_DIR to a folder of yours.");
    else if (const std::string why = why_not_writable(cache.folder); why.empty())
        findings.ok("kernel cache", cache_text(cache));
    else
        findings.note("kernel cache", why + " (kernels are compiled again each time)",
                      "Set LIBGPU_CACHE_DIR to a folder where you may write.");
}

/// The three rates that determine what a GPU is worth: lesson 1 reads them.
void look_at_bandwidths(const ProbeAnswer& device, Findings& findings) {
    if (device.host_bytes_per_second > 0)
        findings.ok("host memory", rate_text(device.host_bytes_per_second) + ", read and written by a copy");
    if (device.copy_bytes_per_second > 0)
        findings.ok("device memory",
                    rate_text(device.copy_bytes_per_second) +
                        (device.backend == "cuda" ? ", read and written by a copy"
                                                  : ", read and written by a copy; without a GPU it is host memory"));
    if (device.link_bytes_per_second > 0)
        findings.ok("link", rate_text(device.link_bytes_per_second) + " from page-locked host memory to the GPU");
    else if (device.backend == "host")
        findings.note("link", "none: without a GPU, a copy to the device is one within host memory");
    if (device.peer_bytes_per_second > 0)
        findings.ok("peer", rate_text(device.peer_bytes_per_second) + " from the first GPU's memory to the second's");
}

/// The device that answers run on, or an error if it is unusable.
ProbeAnswer look_at_device(const Kit& kit, Findings& findings) {
    const ProgressLine progress("measuring the device ...");
    const ProbeAnswer device = probe(kit.toolchain, "", "--measure");
    if (!device.error.empty()) {
        findings.bad("device", device.error, "Without LIBGPU_DEVICE in the environment the kit takes what there is.");
        return device;
    }
    const std::string toolkit = *kit::cuda_version ? fmt::format("toolkit {}", kit::cuda_version) : "";
    if (device.backend == "cuda") {
        const double gib = static_cast<double>(device.total_memory) / (1 << 30);
        findings.ok("GPU", fmt::format("{}, {:.0f} GiB, compute capability {}.{}{}{}", device.name, gib,
                                       device.compute_capability / 10, device.compute_capability % 10, driver_text(),
                                       toolkit.empty() ? "" : "; " + toolkit));
    } else {
        findings.note(
            "GPU", device.why_no_gpu.empty() ? "not used: LIBGPU_DEVICE asks for the host backend" : device.why_no_gpu);
        findings.ok("host backend", fmt::format("{}; kernels run on the CPU, and all exercises work", machine_text()));
    }
    if (device.canary.empty())
        findings.ok("test kernel", "compiled, run, and right");
    else
        findings.bad("test kernel", device.canary, "Kernels can't be used on this machine as it is.");
    look_at_bandwidths(device, findings);
    look_at_cache(device.cache, findings);
    return device;
}

void look_at_folders(const Kit& kit, Findings& findings) {
    if (const std::string why = why_not_writable(kit.root / "work"); why.empty())
        findings.ok("your work", (kit.root / "work").string());
    else
        findings.bad("your work", why,
                     "Give yourself the right to write there, or copy the course to a folder of yours.");
    try {
        const Scratch scratch = Scratch::make(kit.toolchain.build_dir / "scratch");
        const fs::path folder = scratch.path().parent_path();
        const double free_gib = static_cast<double>(fs::space(folder).available) / (1 << 30);
        if (free_gib < 0.5)
            findings.bad("temporary files", fmt::format("{}: only {:.2f} GiB free", folder.string(), free_gib),
                         "Make room there, or set TMPDIR to another folder.");
        else
            findings.ok("temporary files", fmt::format("{}, {:.0f} GiB free", folder.string(), free_gib));
    } catch (const std::exception& error) {
        findings.bad("temporary files", error.what(), "Set TMPDIR to a folder where you may write.");
    }
}

void look_at_programs(const Kit& kit, Findings& findings) {
    for (const char* name : {"course-runner", "course-probe"}) {
        const fs::path program = kit.toolchain.program_dir / name;
        if (::access(program.c_str(), X_OK) != 0)
            findings.bad(name, program.string() + " is missing", "To build it: make");
    }
}

/// Why the grader's own runner can't compute on it in the sandbox; empty if it can.
std::string why_not_in_sandbox(const Kit& kit, const std::string& device) {
    try {
        const Scratch scratch = Scratch::make(kit.toolchain.build_dir / "scratch");
        SessionOptions options;
        options.runner = kit.toolchain.program_dir / "course-runner";
        options.scratch = scratch.path() / "run";
        options.kernel_cache = scratch.path() / "kernels";
        options.around = kit.toolchain.surroundings();
        options.around.hidden.push_back(kit.root);
        options.device = device;
        Session session(options);
        const CallResult reply = call_reference(session, {.bytes = 1 << 20, .results = {}});
        return reply.outcome == Outcome::returned ? "" : reply.message;
    } catch (const std::exception& error) {
        return error.what();
    }
}

/// Reports what isolates a student's code, and what this kernel or COURSE_SANDBOX leaves open.
void look_at_sandbox(const Kit& kit, const ProbeAnswer& device, Findings& findings) {
    const SandboxUse use = kit.toolchain.sandbox;
    const bool on_gpu = device.backend == "cuda";
    if (!compiles_in_sandbox(use)) {
        findings.note("sandbox", "off, as COURSE_SANDBOX says: a student's code can do what you can",
                      "Leave COURSE_SANDBOX out of the environment.");
        return;
    }
    Tiers tiers = tiers_around_answer(use, on_gpu);
    if (!runs_in_sandbox(use, on_gpu)) tiers = available_tiers();   // around the compiler
    const bool is_closed =
        tiers.users && !is_open_to(draw_separate_users(1).front(), kit.toolchain.program_dir / "course-runner");
    tiers.users = tiers.users && !is_closed && runs_in_sandbox(use, on_gpu);
    findings.ok("sandbox", tiers.text());
    if (tiers.seccomp)
        findings.ok("sandbox", fmt::format("seccomp: {} calls allowed to an answer, {} to its compiler",
                                           allowed_numbers(on_gpu ? CallList::cuda_runner : CallList::runner).size(),
                                           allowed_numbers(CallList::compiler).size()));
    for (const std::string& open : tiers.missing()) findings.note("sandbox", open);
    if (is_closed)
        findings.note("sandbox", "other users may not read the kit, so answers have no user of their own",
                      fmt::format("To give them one: chmod o+x the folders above {}", kit.root.string()));
    if (!runs_in_sandbox(use, on_gpu)) {
        findings.note("sandbox",
                      "answers are compiled in it; those that run on a GPU run outside, under limits alone, "
                      "as COURSE_SANDBOX says");
        return;
    }
    if (!device.error.empty()) return;
    if (const std::string why = why_not_in_sandbox(kit, device.device); why.empty())
        findings.ok("runner", "computes in the sandbox");
    else
        findings.bad("runner", "can't compute in the sandbox: " + why,
                     on_gpu ? "COURSE_SANDBOX=host keeps answers that run on a GPU outside it; please tell us."
                            : "COURSE_SANDBOX=off goes without it; please tell us.");
}

/// @param json each line with its fix, to be read by programs and pasted into reports
int doctor_command(const Kit& kit, bool json) {
    Findings findings;
    findings.ok("kit", fmt::format("version {}, in {}", kit_version(), kit.root.string()));
    look_at_programs(kit, findings);
    look_at_compiler(kit, findings);
    look_at_tools(findings);
    const ProbeAnswer device = look_at_device(kit, findings);
    look_at_folders(kit, findings);
    look_at_sandbox(kit, device, findings);
    if (json) {
        print(findings.json());
    } else {
        print(findings.text(Style::of_descriptor(STDOUT_FILENO)));
        print(findings.healthy()
                  ? "\nThis machine is ready.\n"
                  : "\nPlease fix the lines with !! first. To report what can't be fixed, send what this "
                    "prints: make doctor JSON=1\n");
    }
    return findings.healthy() ? 0 : 4;
}

}  // namespace

void add_doctor(CommandLine& line) {
    auto [command, json] = line.add("doctor", "what this machine has, and what is missing", doctor_command);
    command.option("--json", &json, "as JSON, to send with a report");
}

}  // namespace course
