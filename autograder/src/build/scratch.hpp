// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

#include "support/files.hpp"
#include "support/process.hpp"

namespace course {

/// A private folder for one run, removed at its end, on Ctrl-C too; one that kill -9 left behind goes at the next run.
class Scratch {
public:
    /// In $TMPDIR (else /tmp), or in `otherwise` where that can't be written. @throws BuildFault that names the folder.
    static Scratch make(const std::filesystem::path& otherwise);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_->path(); }

private:
    explicit Scratch(const std::filesystem::path& folder);

    OpenFile lock_;   ///< held as long as the folder is in use: what can be locked is left over
    std::unique_ptr<TemporaryPath> folder_;
};

}  // namespace course
