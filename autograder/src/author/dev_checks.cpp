// SPDX-License-Identifier: MIT
// What the first verdict of each exercise would wait for, built before a class or into an image.
#include <algorithm>

#include <fmt/format.h>

#include "author/dev_commands.hpp"
#include "build/exercise_build.hpp"
#include "build/scratch.hpp"
#include "build/source_key.hpp"
#include "build/student_header.hpp"
#include "report/output.hpp"

namespace course {

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
        if (end == scratch.path().end())  // good for one verdict, and gone afterwards
            throw UsageError(
                fmt::format("checks are kept in {}, which you may not write", kit.toolchain.build_dir.string()));
    }
    static_cast<void>(StudentHeader(toolchain).keep());
    print(fmt::format("The check{} of {} exercise{} {} built\n", folders.size() == 1 ? "" : "s", folders.size(),
                      folders.size() == 1 ? "" : "s", folders.size() == 1 ? "is" : "are"));
    return 0;
}

}  // namespace course
