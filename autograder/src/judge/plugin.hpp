// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

#include <course/check_host.hpp>

#include "manifest/manifest.hpp"

namespace course {

/// The tasks of an exercise's check.so.
class CheckPlugin {
public:
    /// Loads the plug-in for the rest of the process. @throws ManifestError if it can't be loaded, or doesn't have
    /// exactly the manifest's tasks.
    static CheckPlugin load(const std::filesystem::path& object, const Manifest& manifest);

    /// Loads one that may omit tasks. @throws ManifestError if it can't be loaded, or has other tasks.
    static CheckPlugin load_some(const std::filesystem::path& object, const Manifest& manifest);

    /// Tasks that are linked into this program. @throws ManifestError as load() does.
    CheckPlugin(const CheckRegistration* first, const Manifest& manifest);

    [[nodiscard]] const CheckRegistration& task(std::string_view id) const;
    [[nodiscard]] bool has(std::string_view id) const noexcept;

private:
    enum class Tasks { all, some };
    CheckPlugin(const CheckRegistration* first, const Manifest& manifest, Tasks tasks);
    static CheckPlugin load(const std::filesystem::path& object, const Manifest& manifest, Tasks tasks);

    const CheckRegistration* first_;
};

}  // namespace course
