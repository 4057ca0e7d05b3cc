// SPDX-License-Identifier: MIT
#include "judge/plugin.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/files.hpp"
#include "support/process.hpp"

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
        throw ManifestError(
            fmt::format("check.cpp of {} checks the task \"{}\" twice", manifest.folder.string(), *twice));
    const bool fits =
        may_leave_out ? std::includes(listed.begin(), listed.end(), checked.begin(), checked.end()) : checked == listed;
    if (!fits)
        throw ManifestError(fmt::format("check.cpp of {} checks the tasks: {}; exercise.toml lists: {}",
                                        manifest.folder.string(), fmt::join(checked, ", "), fmt::join(listed, ", ")));
}

/// A copy in sealed memory: what is loaded can't change, whatever happens to the file.
UniqueFd sealed_copy(std::string_view bytes) {
    UniqueFd copy(::memfd_create("course-check", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!copy) throw_errno("memfd_create");
    if (::write(copy.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) throw_errno("write");
    if (::fcntl(copy.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        throw_errno("fcntl(F_ADD_SEALS)");
    return copy;
}

/// The plug-ins that this process has loaded, each content once and for good. An object with C++'s unique symbols is
/// never unloaded, and dlopen would take another one with the same path for it: so the descriptors, whose numbers are
/// part of the paths, stay open as well.
class LoadedPlugins {
public:
    static LoadedPlugins& of_this_process() {
        static LoadedPlugins all;
        return all;
    }

    void* load(const std::filesystem::path& object) {
        const std::string bytes = read(object);
        const std::lock_guard lock(mutex_);
        Loaded& one = loaded_[digest(bytes)];
        if (one.handle != nullptr) return one.handle;
        one.copy = copy_of(bytes, object);
        // Not /proc/self, so that a debugger finds the same file there.
        const std::string path = fmt::format("/proc/{}/fd/{}", ::getpid(), one.copy.get());
        one.handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (one.handle != nullptr) return one.handle;
        std::string why = ::dlerror();
        if (why.starts_with(path)) why.replace(0, path.size(), object.filename().string());
        throw ManifestError(fmt::format("{} can't be loaded: {}", object.string(), why));
    }

private:
    struct Loaded {
        UniqueFd copy;
        void* handle = nullptr;
    };

    static std::string read(const std::filesystem::path& object) try {
        return read_file(object);
    } catch (const std::exception& error) {
        throw ManifestError(fmt::format("{} can't be loaded: {}", object.string(), error.what()));
    }

    static UniqueFd copy_of(std::string_view bytes, const std::filesystem::path& object) try {
        return sealed_copy(bytes);
    } catch (const std::exception& error) {
        throw ManifestError(fmt::format("{} can't be loaded: {}", object.string(), error.what()));
    }

    std::mutex mutex_;
    std::map<std::string, Loaded> loaded_;
};

}  // namespace

CheckPlugin::CheckPlugin(const CheckRegistration* first, const Manifest& manifest, Tasks tasks) : first_(first) {
    compare_tasks(first_, manifest, tasks == Tasks::some);
}

CheckPlugin::CheckPlugin(const CheckRegistration* first, const Manifest& manifest)
    : CheckPlugin(first, manifest, Tasks::all) {}

CheckPlugin CheckPlugin::load(const std::filesystem::path& object, const Manifest& manifest) {
    return load(object, manifest, Tasks::all);
}

CheckPlugin CheckPlugin::load_some(const std::filesystem::path& object, const Manifest& manifest) {
    return load(object, manifest, Tasks::some);
}

CheckPlugin CheckPlugin::load(const std::filesystem::path& object, const Manifest& manifest, Tasks tasks) {
    void* const handle = LoadedPlugins::of_this_process().load(object);
    using Checks = const CheckRegistration* (*)();
    const auto checks = reinterpret_cast<Checks>(::dlsym(handle, "course_checks"));
    if (checks == nullptr)
        throw ManifestError(fmt::format("{} is not a check: it doesn't include course/check.hpp", object.string()));
    return {checks(), manifest, tasks};
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
