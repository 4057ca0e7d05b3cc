// SPDX-License-Identifier: MIT
#include <cctype>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "build/scratch.hpp"
#include "commands/commands.hpp"
#include "kit/machine.hpp"
#include "kit/probe.hpp"
#include "kit_config.hpp"
#include "report/output.hpp"
#include "report/style.hpp"
#include "report/terminal.hpp"
#include "run/reference.hpp"
#include "run/session.hpp"
#include "sandbox/sandbox_use.hpp"
#include "support/files.hpp"
#include "support/progress_line.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// The lines of `doctor`: OK, -- (worth knowing), or !! with what to do about it.
class Findings {
public:
    explicit Findings(Style style) : style_(style) {}

    void ok(const std::string& what, const std::string& text) { add(style_.good("OK"), what, text); }
    void note(const std::string& what, const std::string& text) { add("--", what, text); }
    void bad(const std::string& what, const std::string& text, const std::string& fix) {
        add(style_.bad("!!"), what, text);
        if (!fix.empty()) text_ += fmt::format("                    {}\n", fix);
        healthy_ = false;
    }
    [[nodiscard]] bool healthy() const noexcept { return healthy_; }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    void add(const std::string& sign, const std::string& what, const std::string& text) {
        text_ += fmt::format("{}  {:<15} {}\n", sign, what, text);
    }
    Style style_;
    std::string text_;
    bool healthy_ = true;
};

void look_at_compiler(const Kit& kit, Findings& findings) {
    const std::string version = kit.toolchain.compiler_version();
    if (version.empty())
        findings.bad("compiler", kit.toolchain.compiler + " can't be run", "To install what the kit needs: ./setup");
    else
        findings.ok("compiler", version);
}

/// "; driver 590.48" of the loaded driver; empty where it can't be told.
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

/// Why nothing can be written there; empty if it can.
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
        findings.note("kernel cache", "off: each program compiles its kernels again");
    else if (const std::string why = why_not_writable(cache.folder); why.empty())
        findings.ok("kernel cache", cache_text(cache));
    else
        findings.note("kernel cache", why + " (kernels are compiled again each time)");
}

/// The three rates that decide what a GPU is worth: lesson 1 reads them.
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
}

/// What answers run on; an error, if it can't be used.
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
        findings.bad("temporary files", error.what(), "");
    }
}

void look_at_programs(const Kit& kit, Findings& findings) {
    for (const char* name : {"course-runner", "course-probe"}) {
        const fs::path program = kit.toolchain.program_dir / name;
        if (::access(program.c_str(), X_OK) != 0)
            findings.bad(name, program.string() + " is missing", "To build it: make");
    }
}

/// Why the grader's own runner can't compute there in the sandbox; empty if it can.
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
        const CallReply reply = call_reference(session, {.bytes = 1 << 20, .results = {}});
        return reply.outcome == Outcome::returned ? "" : reply.message;
    } catch (const std::exception& error) {
        return error.what();
    }
}

/// What keeps a student's code apart, and what this kernel or COURSE_SANDBOX leaves open.
void look_at_sandbox(const Kit& kit, const ProbeAnswer& device, Findings& findings) {
    const SandboxUse use = kit.toolchain.sandbox;
    const bool on_gpu = device.backend == "cuda";
    if (!compiles_in_sandbox(use)) {
        findings.note("sandbox", "off, as COURSE_SANDBOX says: a student's code can do what you can");
        return;
    }
    findings.ok("sandbox", available_tiers().text());
    for (const std::string& open : available_tiers().missing()) findings.note("sandbox", open);
    if (!runs_in_sandbox(use, on_gpu)) {
        findings.note("sandbox", "answers are compiled in it; those that run on a GPU run outside, under limits alone, "
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

}  // namespace

int doctor_command(const Kit& kit) {
    Findings findings(Style::of_descriptor(STDOUT_FILENO));
    findings.ok("kit", fmt::format("version {}, in {}", kit_version(), kit.root.string()));
    look_at_programs(kit, findings);
    look_at_compiler(kit, findings);
    const ProbeAnswer device = look_at_device(kit, findings);
    look_at_folders(kit, findings);
    look_at_sandbox(kit, device, findings);
    print(findings.text());
    print(findings.healthy() ? "\nThis machine is ready.\n" : "\nPlease fix the lines with !! first.\n");
    return findings.healthy() ? 0 : 4;
}

}  // namespace course
