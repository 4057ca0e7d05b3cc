// SPDX-License-Identifier: MIT
#include "run/kernel_files.hpp"

#include <system_error>

namespace fs = std::filesystem;

namespace course {

void for_each_kernel(const fs::path& from, const fs::path& to, const KernelUse& use) {
    std::error_code error;
    for (auto entry = fs::recursive_directory_iterator(from, error); entry != fs::recursive_directory_iterator();
         entry.increment(error)) {
        if (error) return;
        std::error_code ignored;
        const bool is_file = fs::is_regular_file(entry->symlink_status(ignored));
        if (!is_file || entry->path().extension() != ".kernel") continue;
        const fs::path there = to / entry->path().lexically_relative(from);
        fs::create_directories(there.parent_path(), ignored);
        use(entry->path(), there);
    }
}

void copy_kernels(const fs::path& from, const fs::path& to) {
    for_each_kernel(from, to, [](const fs::path& here, const fs::path& there) {
        std::error_code ignored;
        fs::copy_file(here, there, ignored);
    });
}

}  // namespace course
