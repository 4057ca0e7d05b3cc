// SPDX-License-Identifier: MIT
#include "judge/plugin.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/files.hpp"
#include "support/open_file.hpp"
#include "support/throw_errno.hpp"

namespace course {

namespace {

void compare_tasks(const CheckRegistration* first, const Manifest& manifest, bool may_leave_out) {
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
    const bool fits = may_leave_out ? std::includes(listed.begin(), listed.end(), checked.begin(), checked.end())
                                    : checked == listed;
    if (!fits)
        throw ManifestError(fmt::format("check.cpp of {} checks the tasks: {}; exercise.toml lists: {}",
                                        manifest.folder.string(), fmt::join(checked, ", "), fmt::join(listed, ", ")));
}

/// A copy in memory that nobody can change: what is loaded stays as it is, whatever becomes of the file.
OpenFile sealed_copy(const std::filesystem::path& object) try {
    const std::string bytes = read_file(object);
    OpenFile copy(::memfd_create("course-check", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!copy) throw_errno("memfd_create");
    if (::write(copy.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) throw_errno("write");
    if (::fcntl(copy.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        throw_errno("fcntl(F_ADD_SEALS)");
    return copy;
} catch (const std::exception& error) {
    throw ManifestError(fmt::format("{} can't be loaded: {}", object.string(), error.what()));
}

}  // namespace

CheckPlugin::CheckPlugin(std::shared_ptr<void> object, const CheckRegistration* first, const Manifest& manifest,
                         Tasks tasks)
    : object_(std::move(object)), first_(first) {
    compare_tasks(first_, manifest, tasks == Tasks::some);
}

CheckPlugin::CheckPlugin(const CheckRegistration* first, const Manifest& manifest)
    : CheckPlugin(nullptr, first, manifest, Tasks::all) {}

CheckPlugin CheckPlugin::load(const std::filesystem::path& object, const Manifest& manifest) {
    return load(object, manifest, Tasks::all);
}

CheckPlugin CheckPlugin::load_some(const std::filesystem::path& object, const Manifest& manifest) {
    return load(object, manifest, Tasks::some);
}

CheckPlugin CheckPlugin::load(const std::filesystem::path& object, const Manifest& manifest, Tasks tasks) {
    // Open as long as it is loaded: dlopen takes a second object under the same path for the first.
    const auto copy = std::make_shared<const OpenFile>(sealed_copy(object));
    // Not /proc/self, so that a debugger finds the same file there.
    const std::string path = fmt::format("/proc/{}/fd/{}", ::getpid(), copy->get());
    const std::shared_ptr<void> handle(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL),
                                       [copy](void* loaded) { if (loaded != nullptr) ::dlclose(loaded); });
    if (handle == nullptr) {
        std::string why = ::dlerror();
        if (why.starts_with(path)) why.replace(0, path.size(), object.filename().string());
        throw ManifestError(fmt::format("the check of {} can't be loaded: {}", manifest.folder.string(), why));
    }
    using Checks = const CheckRegistration* (*)();
    const auto checks = reinterpret_cast<Checks>(::dlsym(handle.get(), "course_checks"));
    if (checks == nullptr)
        throw ManifestError(fmt::format("{} is not a check: it doesn't include course/check.hpp", object.string()));
    return {handle, checks(), manifest, tasks};
}

bool CheckPlugin::has(std::string_view id) const noexcept {
    for (const CheckRegistration* one = first_; one != nullptr; one = one->next)
        if (one->task == id) return true;
    return false;
}

const CheckRegistration& CheckPlugin::task(std::string_view id) const {
    for (const CheckRegistration* one = first_; one != nullptr; one = one->next)
        if (one->task == id) return *one;
    throw ManifestError(fmt::format("check.cpp has no task \"{}\"", id));
}

}  // namespace course
