// SPDX-License-Identifier: MIT
#include "answer/shared_kernels.hpp"

#include <system_error>

#include "run/kernel_files.hpp"

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
