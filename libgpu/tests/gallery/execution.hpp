// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gpu/array_core.hpp>
#include <gpu/raw_kernel.hpp>

#include "kernel_file.hpp"
#include "references.hpp"

namespace gallery {

/// The values of a file's arrays, by name.
using Contents = std::map<std::string, Values>;

/// What the arrays hold before the first launch; those that nobody fills hold NaN here.
[[nodiscard]] Contents first_contents(const KernelFile& file);

/// A file's launches on the current device. Its kernels are compiled once, however often it runs.
class Execution {
public:
    explicit Execution(const KernelFile& file);

    /// Makes the arrays anew, launches everything, waits.
    void run();
    /// What the arrays hold after the last run.
    [[nodiscard]] Contents contents() const;

private:
    void launch(std::size_t number);

    const KernelFile& file_;
    std::vector<std::shared_ptr<gpu::detail::RawKernelCore>> kernels_;
    std::map<std::string, gpu::detail::ArrayCore> arrays_;
};

/// Which values aren't as the file says, in a few lines; empty if all are right.
[[nodiscard]] std::string wrong_values(const KernelFile& file, const Contents& after);

/// The largest difference of two runs' checked arrays, in units of what each check allows (of eps where it allows
/// nothing).
[[nodiscard]] double largest_difference(const KernelFile& file, const Contents& one, const Contents& other);

}  // namespace gallery
