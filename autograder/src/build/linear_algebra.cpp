// SPDX-License-Identifier: MIT
#include "build/linear_algebra.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "support/files.hpp"
#include "support/process.hpp"
#include "support/progress.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr const char* what = "building libgpu's linear algebra for the host (once; takes some minutes)";

// "[12/41]" of ninja's last line, or nothing.
std::string last_step(std::string_view printed) {
    const std::size_t from = printed.rfind("\n[") == printed.npos ? printed.find('[') : printed.rfind("\n[") + 1;
    if (from == printed.npos) return {};
    const std::size_t to = printed.find(']', from);
    return to == printed.npos ? std::string() : " " + std::string(printed.substr(from, to - from + 1));
}

}  // namespace

void build_linear_algebra(const Toolchain& toolchain) try {
    const fs::path library = toolchain.library_dir / "libgpu_host_linalg.so";
    if (fs::exists(library)) return;
    ProgressLine progress(std::string(what) + " ...");
    const FileLock lock(toolchain.build_dir / ".lock");   // cmake/build_quietly takes the same one
    if (fs::exists(library)) return;
    const ProcessResult result =
        run_process({.arguments = {"cmake", "--build", toolchain.build_dir.string(), "--target", "gpu_host_linalg"},
                     .environment = Toolchain::environment({}),
                     .folder = toolchain.build_dir,
                     .seconds = 3600,
                     .on_output = [&](std::string_view printed) {
                         if (const std::string step = last_step(printed); !step.empty()) progress.say(what + step);
                     }});
    if (result.succeeded() && fs::exists(library)) return;
    const std::string why = result.ending == ProcessResult::Ending::not_started
                                ? fmt::format("cmake can't be started: {}", std::strerror(result.code))
                                : result.output;
    throw BuildFault("libgpu's linear algebra for the host could not be built; make build says why:\n" +
                     why.substr(why.size() - std::min<std::size_t>(why.size(), 2000)));
} catch (const FileError& error) {
    throw BuildFault(error.what());
}

}  // namespace course
