// SPDX-License-Identifier: MIT
#include "kit/work_folder.hpp"

#include <cerrno>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collect/collect.hpp"
#include "manifest/names.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

bool is_there(const fs::path& path) {
    std::error_code error;
    return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

fs::path free_backup(const fs::path& file) {
    fs::path backup = file.string() + ".bak";
    for (int k = 2; is_there(backup); ++k) backup = file.string() + ".bak" + std::to_string(k);
    return backup;
}

/// The folder in work/ of the same exercise under another number or a former name, if no exercise has that folder now;
/// empty: there is none, or more than one.
fs::path former_work_folder(const Kit& kit, const Manifest& manifest) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(kit.root / "work", error)) {
        if (!fs::is_directory(entry.symlink_status())) continue;
        try {
            const std::string name = name_exercise(entry.path()).name;
            if (name != manifest.name && !is_one_of(name, manifest.was)) continue;
        } catch (const ManifestError&) {
            continue;   // no exercise's folder
        }
        if (!is_there(kit.root / "exercises" / entry.path().filename())) found.push_back(entry.path());
    }
    return found.size() == 1 ? found.front() : fs::path();
}

}  // namespace

fs::path named_folder(const Kit& kit, const std::string& from) {
    const fs::path here = fs::absolute(from);
    if (fs::is_directory(here)) return here.lexically_normal();
    if (fs::is_directory(kit.root / from)) return (kit.root / from).lexically_normal();
    throw UsageError(fmt::format("--from {}: there is no such folder", from));
}

fs::path answer_folder(const Kit& kit, const Manifest& manifest, const std::string& from) {
    if (!from.empty()) return named_folder(kit, from);
    make_work_folder(kit, manifest);
    return kit.work(manifest.folder);
}

bool make_work_folder(const Kit& kit, const Manifest& manifest) {
    const fs::path folder = kit.work(manifest.folder);
    if (is_there(folder)) return false;
    make_folders(folder.parent_path());
    if (const fs::path old = former_work_folder(kit, manifest); !old.empty()) {
        std::error_code error;
        fs::rename(old, folder, error);
        if (!error || is_there(folder)) return false;
        throw FileError("rename", old, error.value());
    }
    // Made elsewhere and renamed: another run, or a Ctrl-C, never sees half of it.
    std::string name = (folder.parent_path() / ".new-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw FileError("make the folder", folder, errno);
    const TemporaryPath temporary{fs::path(name)};
    for (const std::string& file : manifest.edit)
        write_file(temporary.path() / file, read_file(manifest.folder / file));
    std::error_code error;
    fs::permissions(temporary.path(), fs::perms(0755), error);
    fs::rename(temporary.path(), folder, error);
    if (error && is_there(folder)) return false;   // another run was faster
    if (error) throw FileError("make the folder", folder, error.value());
    return true;
}

std::string saved_beside_work(const Kit& kit, const Manifest& manifest) {
    std::vector<std::string> saved;
    for (const std::string& name : manifest.edit) {
        const fs::path given = manifest.folder / name, own = kit.work(manifest.folder) / name;
        std::error_code error;
        if (!fs::is_regular_file(fs::symlink_status(own, error))) continue;
        const auto then = fs::last_write_time(own, error), now = fs::last_write_time(given, error);
        if (error || now <= then) continue;
        try {
            if (!same_but_for_space(read_file(given), read_file(own))) saved.push_back(shown_path(given, kit.root));
        } catch (const FileError&) {
            continue;   // who collects the answer will say so
        }
    }
    if (saved.empty()) return "";
    const bool one = saved.size() == 1;
    return fmt::format("{} {} saved after your answer, and {} not part of it: what is judged is in {}",
                       fmt::join(saved, ", "), one ? "was" : "were", one ? "is" : "are",
                       shown_path(kit.work(manifest.folder), kit.root));
}

std::vector<std::string> reset_work_folder(const Kit& kit, const Manifest& manifest) {
    std::vector<std::string> kept;
    if (make_work_folder(kit, manifest)) return kept;
    const fs::path folder = kit.work(manifest.folder);
    for (const std::string& name : manifest.edit) {
        const fs::path file = folder / name;
        const std::string stub = read_file(manifest.folder / name);
        std::error_code error;
        if (fs::is_regular_file(fs::symlink_status(file, error))) {
            try {
                if (read_file(file) == stub) continue;
            } catch (const FileError&) {}   // unreadable: moved away like any other
        }
        if (is_there(file)) {
            const fs::path backup = free_backup(file);
            fs::rename(file, backup, error);
            if (error) throw FileError("rename", file, error.value());
            kept.push_back(backup.filename().string());
        }
        write_file_atomically(file, stub);
    }
    return kept;
}

}  // namespace course
