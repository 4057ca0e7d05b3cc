// SPDX-License-Identifier: MIT
#include "build/exercise_build.hpp"

#include <algorithm>
#include <cerrno>
#include <future>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "build/compile.hpp"
#include "build/diagnostics.hpp"
#include "build/scratch.hpp"
#include "support/files.hpp"
#include "support/process.hpp"
#include "support/progress.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// One of the objects: its source, how it is compiled, and the output.
struct Part {
    fs::path source, object;
    std::vector<std::string> command;   // everything but input and output
    std::string key;
    std::vector<std::string> libraries = {};   // after them
    [[nodiscard]] fs::path key_file() const { return object.string() + ".key"; }
    /// The key file's content for an object with these bytes: an object changed since it was built isn't used.
    [[nodiscard]] std::string key_text(const std::string& bytes) const { return key + ' ' + digest(bytes); }
    [[nodiscard]] bool fresh() const {
        std::error_code error;
        if (!fs::is_regular_file(object, error) || !fs::is_regular_file(key_file(), error)) return false;
        return read_file(key_file()) == key_text(read_file(object));
    }
};

/// The exercise's own sources, except the student's files: its check and its bindings may include them.
std::vector<fs::path> own_sources(const Manifest& manifest) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(manifest.folder)) {
        const std::string name = entry.path().filename().string();
        const bool code = name.ends_with(".hpp") || name.ends_with(".cpp") || name.ends_with(".h");
        const bool edited = std::find(manifest.edit.begin(), manifest.edit.end(), name) != manifest.edit.end();
        if (entry.is_regular_file() && code && !edited) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<Part> parts(const Toolchain& toolchain, const Manifest& manifest, const fs::path& folder) {
    Part bind{manifest.folder / "bind.cpp", folder / "bind.o", student_flags(toolchain), ""};
    bind.command.insert(bind.command.end(),
                        {"-c", "-w", "-I" + manifest.folder.string(), "-I" + toolchain.gpu_include.string(),
                         "-I" + toolchain.course_include.string()});
    Part check{manifest.folder / "check.cpp", folder / "check.so", check_flags(toolchain), ""};
    check.command.push_back("-I" + manifest.folder.string());

    // The exercise's own functions, with stubs for those that they call.
    Part given{bind.source, folder / "given.so", bind.command, ""};
    given.command.emplace_back("-shared");
    std::erase(given.command, "-c");
    const std::string library = toolchain.library_dir.string();
    given.libraries = {"-L" + library, "-lgpu", "-Wl,-rpath," + library, "-Wl,-z,now"};
    for (const std::string& name : manifest.edit)
        if (name.ends_with(".cpp")) given.command.push_back((manifest.folder / name).string());

    SourceKey common;
    common.add(compiler_identity(toolchain));
    for (const fs::path& file : own_sources(manifest)) common.add_file(file);
    common.add_headers(toolchain.course_include);
    SourceKey bind_key = common;
    bind_key.add(gpu_headers_key(toolchain));
    SourceKey given_key = bind_key;
    for (const std::string& argument : bind.command) bind_key.add(argument);
    bind.key = bind_key.value();
    for (const auto& more : {given.command, given.libraries})
        for (const std::string& argument : more) given_key.add(argument);
    for (const std::string& name : manifest.edit) given_key.add_file(manifest.folder / name);
    given.key = given_key.value();
    for (const std::string& argument : check.command) common.add(argument);
    check.key = common.value();
    const auto is_given = [](const Function& one) { return one.given; };
    if (std::none_of(manifest.functions.begin(), manifest.functions.end(), is_given)) return {bind, check};
    return {bind, check, given};
}

void build(const Toolchain& toolchain, const Manifest& manifest, const Part& part, const fs::path& scratch) {
    const fs::path folder = part.source.parent_path();
    const std::string source = fmt::format("{}/{}/{}", folder.parent_path().filename().string(),
                                           folder.filename().string(), part.source.filename().string());
    if (!fs::exists(part.source)) throw BuildFault(source + " is missing; an exercise has one");
    const TemporaryPath object(part.object.string() + fmt::format(".{}.tmp", ::getpid()));
    std::vector<std::string> command = part.command;
    command.insert(command.end(), {part.source.string(), "-o", object.path().string()});
    command.insert(command.end(), part.libraries.begin(), part.libraries.end());
    const ProcessResult result = compile(toolchain, command, scratch, 300);
    PathNames names;
    names.add(toolchain.source_dir.string() + "/", "");
    names.add(manifest.folder.parent_path().parent_path().string() + "/", "");
    names.add(folder.parent_path().parent_path().string() + "/", "");
    if (!result.succeeded())
        throw BuildFault(fmt::format("{} could not be built:\n{}", source, failure_text(result, names)));
    const std::string key_text = part.key_text(read_file(object.path()));
    std::error_code error;
    fs::rename(object.path(), part.object, error);
    if (error) throw FileError("write", part.object, error.value());
    write_file_atomically(part.key_file(), key_text);
}

/// build/<preset>/exercises/08-raw-add, or a separate folder for a course elsewhere.
fs::path object_folder(const Toolchain& toolchain, const Manifest& manifest) {
    const fs::path root = fs::weakly_canonical(manifest.folder.parent_path().parent_path());
    fs::path folder = toolchain.build_dir / "exercises";
    if (root != fs::weakly_canonical(toolchain.source_dir)) {
        folder = toolchain.build_dir / "other-exercises" / digest(root.string()).substr(16);
    }
    return folder / (manifest.is_own ? fs::path(manifest.name) : manifest.folder.filename());
}

ExerciseObjects bring_up_to_date(const Toolchain& toolchain, const Manifest& manifest, const fs::path& folder,
                                 const fs::path& scratch) {
    make_folders(folder);
    const std::vector<Part> all = parts(toolchain, manifest, folder);
    const auto stale = [](const Part& part) { return !part.fresh(); };
    if (std::any_of(all.begin(), all.end(), stale)) {
        const ProgressLine progress(fmt::format("building the check of {} (once) ...", called(manifest)));
        const FileLock lock(folder / "lock");
        std::vector<std::future<void>> jobs;
        for (const Part& part : all)
            if (!part.fresh())   // another run may have built it meanwhile
                jobs.push_back(std::async(std::launch::async, [&] { build(toolchain, manifest, part, scratch); }));
        for (std::future<void>& job : jobs) job.wait();
        for (std::future<void>& job : jobs) job.get();
    }
    return {all[0].object, all[1].object, all.size() > 2 ? all[2].object : fs::path()};
}

}  // namespace

fs::path build_hidden_check(const Toolchain& toolchain, const Manifest& manifest, const fs::path& source,
                            const fs::path& folder, const fs::path& scratch) {
    make_folders(folder);
    Part check{source, folder / "check.so", check_flags(toolchain), ""};
    check.command.push_back("-I" + manifest.folder.string());
    SourceKey key;
    key.add(compiler_identity(toolchain));
    for (const fs::path& file : own_sources(manifest)) key.add_file(file);
    key.add_headers(toolchain.course_include);
    key.add_file(source);
    for (const std::string& argument : check.command) key.add(argument);
    check.key = key.value();
    const FileLock lock(folder / "lock");
    if (!check.fresh()) build(toolchain, manifest, check, scratch);
    return check.object;
}

ExerciseObjects build_exercise(const Toolchain& toolchain, const Manifest& manifest, const fs::path& scratch) {
    if (manifest.linear_algebra) build_linear_algebra(toolchain);
    try {
        return bring_up_to_date(toolchain, manifest, object_folder(toolchain, manifest), scratch);
    } catch (const FileError& error) {
        if (error.error_number() != EACCES && error.error_number() != EROFS && error.error_number() != EPERM)
            throw BuildFault(error.what());
    }
    try {   // not writable: slower, but it works
        return bring_up_to_date(toolchain, manifest, scratch / "exercise", scratch);
    } catch (const FileError& error) {
        throw BuildFault(error.what());
    }
}

}  // namespace course
