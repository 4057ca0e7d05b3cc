// SPDX-License-Identifier: MIT
#include "judge/plugin.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <dlfcn.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace course {

namespace {

void compare_tasks(const CheckRegistration* first, const Manifest& manifest) {
    std::vector<std::string> checked, listed;
    for (const CheckRegistration* one = first; one != nullptr; one = one->next) {
        if (one->exercise != manifest.name)
            throw ManifestError(fmt::format("check.cpp of {} checks the exercise \"{}\": write GRADER_TASK({}, \"{}\")",
                                            manifest.folder.string(), one->exercise, manifest.name, one->task));
        checked.emplace_back(one->task);
    }
    for (const Task& task : manifest.tasks) listed.push_back(task.id);
    std::sort(checked.begin(), checked.end());
    std::sort(listed.begin(), listed.end());
    if (const auto twice = std::adjacent_find(checked.begin(), checked.end()); twice != checked.end())
        throw ManifestError(fmt::format("check.cpp of {} checks the task \"{}\" twice", manifest.folder.string(),
                                        *twice));
    if (checked != listed)
        throw ManifestError(fmt::format("check.cpp of {} checks the tasks: {}; exercise.toml lists: {}",
                                        manifest.folder.string(), fmt::join(checked, ", "), fmt::join(listed, ", ")));
}

}  // namespace

CheckPlugin::CheckPlugin(std::shared_ptr<void> object, const CheckRegistration* first, const Manifest& manifest)
    : object_(std::move(object)), first_(first) {
    compare_tasks(first_, manifest);
}

CheckPlugin::CheckPlugin(const CheckRegistration* first, const Manifest& manifest)
    : CheckPlugin(nullptr, first, manifest) {}

CheckPlugin CheckPlugin::load(const std::filesystem::path& object, const Manifest& manifest) {
    // An absolute path: dlopen would look for a bare name elsewhere.
    const std::shared_ptr<void> handle(::dlopen(std::filesystem::absolute(object).c_str(), RTLD_NOW | RTLD_LOCAL),
                                       [](void* loaded) { if (loaded != nullptr) ::dlclose(loaded); });
    if (handle == nullptr) throw ManifestError(fmt::format("the check of {} can't be loaded: {}",
                                                           manifest.folder.string(), ::dlerror()));
    using Checks = const CheckRegistration* (*)();
    const auto checks = reinterpret_cast<Checks>(::dlsym(handle.get(), "course_checks"));
    if (checks == nullptr)
        throw ManifestError(fmt::format("{} is not a check: it doesn't include course/check.hpp", object.string()));
    return {handle, checks(), manifest};
}

const CheckRegistration& CheckPlugin::task(std::string_view id) const {
    for (const CheckRegistration* one = first_; one != nullptr; one = one->next)
        if (one->task == id) return *one;
    throw ManifestError(fmt::format("check.cpp has no task \"{}\"", id));
}

}  // namespace course
