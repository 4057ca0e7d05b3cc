// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "manifest/names.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// "exercises/08-raw-add", whatever the root's name.
std::string shown(const fs::path& folder) { return "exercises/" + folder.filename().string(); }

}  // namespace

ExerciseFolder name_exercise(const fs::path& path) {
    const std::string folder = path.filename().string();
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    std::string topic = folder.size() > 3 ? folder.substr(3) : "";
    const bool numbered = folder.size() > 3 && digit(folder[0]) && digit(folder[1]) && folder[2] == '-';
    const bool named = !topic.empty() && topic[0] >= 'a' && topic[0] <= 'z' &&
                       topic.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == topic.npos;
    if (!numbered || !named)
        throw ManifestError(
            fmt::format("{}: an exercise's folder has two digits, a dash and a topic in lower-case letters, "
                        "as in 08-raw-add; expected such a name",
                        shown(path)));
    std::replace(topic.begin(), topic.end(), '-', '_');
    return {path, std::stoi(folder.substr(0, 2)), topic};
}

std::vector<ExerciseFolder> exercise_folders(const fs::path& root) {
    std::error_code error;
    fs::directory_iterator entries(root / "exercises", error);
    if (error) throw ManifestError(fmt::format("exercises: can't be read: {}", error.message()));
    std::vector<fs::path> paths;
    for (const auto& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory() && name[0] != '.' && name[0] != '_') paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());

    std::vector<ExerciseFolder> folders;
    std::map<int, std::string> by_number;
    std::map<std::string, int> by_name;
    for (const fs::path& path : paths) {
        const ExerciseFolder& folder = folders.emplace_back(name_exercise(path));
        if (const auto [other, first] = by_number.emplace(folder.number, shown(path)); !first)
            throw ManifestError(fmt::format("{}: {} is exercise {} already; expected a number of its own", shown(path),
                                            other->second, folder.number));
        if (const auto [other, first] = by_name.emplace(folder.name, folder.number); !first)
            throw ManifestError(fmt::format("{}: exercise {} is called {} already; expected a name of its own",
                                            shown(path), other->second, folder.name));
    }
    return folders;
}

std::map<std::string, std::string> former_names(const fs::path& root) {
    std::map<std::string, std::string> names;
    const std::vector<ExerciseFolder> folders = exercise_folders(root);
    for (const ExerciseFolder& folder : folders) {
        try {
            for (const std::string& old_name : read_manifest(folder.path).was) names.emplace(old_name, folder.name);
        } catch (const ManifestError&) {}   // reported where this exercise is needed
    }
    for (const ExerciseFolder& folder : folders) names.erase(folder.name);
    return names;
}

std::vector<Manifest> read_course(const fs::path& root) {
    std::vector<Manifest> course;
    std::map<std::string, int> numbers;
    for (const ExerciseFolder& folder : exercise_folders(root)) {
        course.push_back(read_manifest(folder.path));
        numbers.emplace(folder.name, folder.number);
    }
    std::map<std::string, std::string> former;
    for (const Manifest& manifest : course)
        for (const std::string& name : manifest.was) {
            const auto other = former.emplace(name, manifest.name).first;
            if (numbers.contains(name) || other->second != manifest.name)
                throw ManifestError(
                    fmt::format("{}/exercise.toml: \"was\" has {}, which {}; expected a name of its own",
                                shown(manifest.folder), name,
                                numbers.contains(name) ? "an exercise has now" : other->second + " has as well"));
        }
    for (const Manifest& manifest : course)
        for (const std::string& name : manifest.needs)
            if (const auto found = numbers.find(name); found != numbers.end() && found->second >= manifest.number)
                throw ManifestError(fmt::format("{}/exercise.toml: \"needs\" names {}, which is exercise {}; "
                                                "expected one before {}", shown(manifest.folder), name, found->second,
                                                manifest.number));
    return course;
}

}  // namespace course
