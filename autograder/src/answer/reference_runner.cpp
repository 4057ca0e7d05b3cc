// SPDX-License-Identifier: MIT
#include "answer/reference_runner.hpp"

#include <system_error>

#include <fmt/ranges.h>

#include "run/file_use.hpp"
#include "support/files.hpp"

namespace course {

Session& ReferenceRunner::runner(const SessionOptions& beside, const std::filesystem::path& build_dir) {
    const std::string place = fmt::format("{} with {}", beside.device, fmt::join(beside.variables, " "));
    if (!session_ || place != place_) {
        session_.reset();
        steady_until = {};
        if (!scratch_) scratch_ = Scratch::make(build_dir / "scratch");
        SessionOptions options = beside;
        options.object.clear();
        options.records = false;
        options.lock.reset();   // the answer's own runner holds the device during its calls
        options.scratch = scratch_->path() / "run";
        options.kernel_cache = scratch_->path() / "kernels";
        make_folders(options.scratch);
        make_folders(options.kernel_cache);
        if (options.as) {
            options.as = draw_separate_users(1).front();
            let_pass(options.as->group, scratch_->path());
        }
        session_.emplace(std::move(options));
        place_ = place;
    }
    return *session_;
}

void ReferenceRunner::end() noexcept {
    if (session_) session_->end();
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

void SharedKernels::bring_to(const fs::path& cache) const { copy_kernels(folder_, cache); }

void SharedKernels::take_from(const fs::path& cache) const {
    if (author_ == Author::student) return;
    for_each_kernel(cache, folder_, [](const fs::path& there, const fs::path& here) {
        std::error_code ignored;
        if (!fs::exists(here, ignored)) fs::copy_file(there, here, ignored);
    });
}

}  // namespace course
