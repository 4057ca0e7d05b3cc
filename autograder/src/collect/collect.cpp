// SPDX-License-Identifier: MIT
#include "collect/collect.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collect/code_tokens.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

std::string why_not(const struct stat& info) {
    if (S_ISDIR(info.st_mode)) return "is a folder";
    if (S_ISFIFO(info.st_mode)) return "is a named pipe";
    if (S_ISSOCK(info.st_mode)) return "is a socket";
    return "is a device";
}

/// The similarity of two names: the number of letters they share at both ends, ignoring case.
std::size_t likeness(const std::string& a, const std::string& b) {
    const auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    const std::size_t shorter = std::min(a.size(), b.size());
    std::size_t front = 0;
    while (front < shorter && low(a[front]) == low(b[front])) ++front;
    std::size_t back = 0;
    while (back < shorter - front && low(a[a.size() - 1 - back]) == low(b[b.size() - 1 - back])) ++back;
    return front + back;
}

/// A file in the folder whose name is close to the expected one and isn't itself expected, printable; empty if there is
/// none.
std::string similar_file(const Manifest& manifest, const fs::path& folder, const std::string& name) {
    std::string best;
    std::size_t max_alike = name.size() * 3 / 5;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string other = entry.path().filename().string();
        if (std::find(manifest.edit.begin(), manifest.edit.end(), other) != manifest.edit.end()) continue;
        if (const std::size_t alike = likeness(name, other); alike > max_alike) {
            max_alike = alike;
            best = other;
        }
    }
    return plain_line(best);
}

[[noreturn]] void missing(const Manifest& manifest, const fs::path& folder, const std::string& name,
                          const std::string& shown, bool in_work) {
    if (const std::string other = similar_file(manifest, folder, name); !other.empty())
        throw CollectError(fmt::format("{} is missing, but there is {}.\nThe kit looks for the name {}: rename the "
                                       "file back, and try again.", shown, other, name));
    if (in_work && manifest.number > 0)
        throw CollectError(fmt::format("{} is missing.\nTo get it back as it was at the start: make reset-{} (your "
                                       "other files are kept as .bak).", shown, manifest.number));
    throw CollectError(fmt::format("{} is missing.\nAn answer to {} has the files: {}.", shown,
                                   called(manifest), fmt::join(manifest.edit, ", ")));
}

bool is_code(const std::string& name) {
    static constexpr std::string_view endings[] = {".cpp", ".cc",  ".cxx", ".c",   ".hpp", ".h",
                                                   ".hh",  ".hxx", ".cu",  ".cuh", ".inl"};
    const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
    return !name.starts_with('.') && std::any_of(std::begin(endings), std::end(endings), ends);
}

/// A sentence about other files that look as if they belonged to the answer; empty if there are none.
std::string unused_files(const Manifest& manifest, const fs::path& folder, const fs::path& root) {
    constexpr std::size_t max_shown = 4;
    std::vector<std::string> others;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        const bool edited = std::find(manifest.edit.begin(), manifest.edit.end(), name) != manifest.edit.end();
        if (!edited && is_code(name)) others.push_back(plain_line(name));
    }
    if (others.empty()) return "";
    std::sort(others.begin(), others.end());
    const bool one = others.size() == 1;
    if (others.size() > max_shown) {
        const std::size_t more = others.size() - max_shown;
        others.resize(max_shown);
        others.push_back(fmt::format("{} more", more));
    }
    return fmt::format("{} in {} {} not used: the answer to {} is {} alone", fmt::join(others, ", "),
                       shown_path(folder, root), one ? "is" : "are", called(manifest),
                       fmt::join(manifest.edit, " and "));
}

/// Also true for a dangling link.
bool is_there(const fs::path& path) {
    std::error_code error;
    return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

bool is_below(const fs::path& path, const fs::path& folder) {
    const fs::path inside = path.lexically_relative(folder);
    return !inside.empty() && *inside.begin() != ".." && inside != ".";
}

std::string patched_text(const Patch& patch, const FilePatch& change, const std::string& text) {
    try {
        return apply_patch(patch, change, text);
    } catch (const PatchError& error) {
        throw CollectError(error.what());
    }
}

/// The wrong or lazy answer whose patch the path names; null: none.
const PlantedAnswer* patched_answer(const Manifest& manifest, const fs::path& path) {
    const fs::path home = fs::weakly_canonical(manifest.folder);
    for (const auto& [kind, answers] : {std::pair("wrong", &manifest.wrong), std::pair("lazy", &manifest.lazy)})
        for (const PlantedAnswer& answer : *answers)
            if (path == home / kind / answer.name || path == home / kind / (answer.name + ".patch")) return &answer;
    return nullptr;
}

}  // namespace

CollectError::CollectError(const std::string& text) : std::runtime_error(plain_text(text, 8192, 60)) {}

std::string shown_path(const fs::path& path, const fs::path& root) {
    const fs::path inside = path.lexically_normal().lexically_proximate(root.lexically_normal());
    const std::string name = inside.empty() || *inside.begin() == ".." ? path.string() : inside.string();
    return plain_line(name);
}

std::string read_answer_file(const fs::path& path, const std::string& shown) {
    // O_NONBLOCK: opening a named pipe must not wait for a writer.
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file) {
        if (errno == ELOOP)
            throw CollectError(shown + " is a link; the kit takes regular files only.\nPut the file itself there.");
        throw CollectError(fmt::format("{0} can't be read: {1}.\nTo give yourself the right to read it: chmod u+r {0}",
                                       shown, std::strerror(errno)));
    }
    struct stat info {};
    if (::fstat(file.get(), &info) != 0)
        throw CollectError(fmt::format("{} can't be read: {}", shown, std::strerror(errno)));
    if (!S_ISREG(info.st_mode))
        throw CollectError(fmt::format("{} {}; the kit takes regular files only.", shown, why_not(info)));
    std::string text(answer_file_bytes + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw CollectError(fmt::format("{} can't be read: {}", shown, std::strerror(errno)));
        if (got == 0) break;
        size += static_cast<std::size_t>(got);
    }
    text.resize(size);
    if (size > answer_file_bytes)
        throw CollectError(fmt::format("{} is larger than 1 MiB; no answer needs that.", shown));
    return text;
}

Answer collect(const Manifest& manifest, const fs::path& folder, const fs::path& root) {
    const fs::path home = fs::weakly_canonical(manifest.folder);
    const fs::path source = fs::weakly_canonical(folder);
    const PlantedAnswer* const patched = patched_answer(manifest, source);
    const bool planted = patched != nullptr || is_below(source, home / "right");
    const bool in_work = is_below(source, fs::weakly_canonical(root / "work"));
    if (patched == nullptr && !fs::is_directory(source))
        throw CollectError(fmt::format("there is no folder {}", shown_path(folder, root)));
    const fs::path plain = folder.has_filename() ? folder : folder.parent_path();   // without a trailing slash
    // Students may keep their own work elsewhere; in what is handed in, a link could lead to anybody's files.
    const bool is_own =
        is_below(fs::absolute(plain).lexically_normal(), fs::absolute(root / "work").lexically_normal());
    if (!is_own && fs::is_symlink(fs::symlink_status(plain)))
        throw CollectError(shown_path(folder, root) + " is a link; the kit takes folders themselves only.\n"
                           "Put the folder itself there.");

    Answer answer;
    answer.not_started = true;
    std::vector<FileAndStub> pairs;
    if (!planted && source != home)  // whose other files are the exercise itself
        if (std::string note = unused_files(manifest, folder, root); !note.empty())
            answer.notes.push_back(std::move(note));
    for (const std::string& name : manifest.edit) {
        fs::path path = folder / name;
        if (patched != nullptr || !is_there(path)) {
            const fs::path solved = root / "solutions" / manifest.folder.filename();
            if (!planted) missing(manifest, folder, name, shown_path(path, root), in_work);
            if (!fs::is_directory(solved))
                throw CollectError(fmt::format("{} takes its other files from {}, and this edition has no solutions",
                                               shown_path(folder, root), shown_path(solved, root)));
            path = solved / name;
            if (!is_there(path)) missing(manifest, solved, name, shown_path(path, root), false);
        }
        std::string shown = shown_path(path, root);
        std::string text = read_answer_file(path, shown);
        if (const FilePatch* change = patched != nullptr ? patched->patch.find(name) : nullptr) {
            text = patched_text(patched->patch, *change, text);
            shown = shown_path((source.parent_path() / patched->name / name), fs::weakly_canonical(root));
        }
        text = clean_text(std::move(text), shown, answer.notes);
        if (same_but_for_space(text, ""))
            throw CollectError(shown + " is empty.\n" +
                               (in_work && manifest.number > 0
                                    ? fmt::format("If that was an accident: make reset-{} brings the stub back.",
                                                  manifest.number)
                                    : "An answer needs something in each of its files."));
        std::vector<std::string> unused;
        const std::string stub = clean_text(read_answer_file(manifest.folder / name, name), name, unused);
        const bool as_given = same_but_for_space(text, stub);
        answer.not_started = answer.not_started && as_given;
        if (as_given) answer.files_as_given.push_back(name);
        pairs.push_back({text, stub});
        answer.files.push_back({name, shown, std::move(text)});
    }
    answer.stars_not_begun = stars_not_begun(manifest, pairs);
    answer.functions_begun = functions_begun(pairs);
    return answer;
}

namespace {

long line_of(const std::string& text, std::size_t offset) {
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
}

}  // namespace

std::string clean_text(std::string text, const std::string& shown, std::vector<std::string>& notes) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        throw CollectError(shown + " is saved as UTF-16.\nSave it as UTF-8 in your editor, then try again.");
    if (text.starts_with("\xEF\xBB\xBF")) {
        while (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
        notes.push_back(fmt::format("{} begins with a byte-order mark; it was left out", shown));
    }
    if (const std::size_t at = text.find('\0'); at != text.npos)
        throw CollectError(fmt::format("{}:{}: there is a NUL byte, so this is not C++ text.\nRestore the file, "
                                       "or start again from the stub.", shown, line_of(text, at)));
    if (const std::size_t at = first_invalid_utf8(text); at != text.npos)
        throw CollectError(fmt::format("{}:{}: there is a byte that isn't UTF-8.\nSave the file as UTF-8 in "
                                       "your editor, then try again.", shown, line_of(text, at)));
    std::string clean;
    clean.reserve(text.size());
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text[k] != '\r') {
            clean += text[k];
        } else if (k + 1 == text.size() || text[k + 1] != '\n') {
            clean += '\n';   // an old Mac's line ending
        }
    }
    return clean;
}

std::string answer_digest(const Answer& answer) {
    std::string all;
    for (const AnswerFile& file : answer.files) all += fmt::format("{} {}\n{}", file.name, file.text.size(), file.text);
    return digest(all);
}

bool same_but_for_space(const std::string& a, const std::string& b) {
    auto i = a.begin();
    auto j = b.begin();
    for (;;) {
        i = std::find_if_not(i, a.end(), is_space);
        j = std::find_if_not(j, b.end(), is_space);
        if (i == a.end() || j == b.end()) return i == a.end() && j == b.end();
        if (*i++ != *j++) return false;
    }
}

namespace {

/// Calls `line` for each line of the text, with the task of the part that contains it, or none.
void each_line(const std::string& text,
               const std::function<void(const std::string&, const std::optional<std::string>&, bool first)>& line) {
    std::istringstream lines(text);
    std::optional<std::string> star;
    for (std::string one; std::getline(lines, one);) {
        const std::optional<std::string> begins = star_named_by(one);
        if (begins) star = begins;
        line(one, star, begins.has_value());
        if (star && one.find(part_end_mark) != one.npos) star.reset();
    }
}

}  // namespace

std::optional<std::string> star_named_by(const std::string& line) {
    const std::size_t at = line.find(star_mark);
    if (at == line.npos) return std::nullopt;
    const std::string rest = line.substr(at + star_mark.size());
    std::string name = rest.substr(0, std::min(rest.find('('), rest.find("----")));
    std::erase(name, ' ');
    return name;
}

std::vector<std::string> starred_parts(const std::string& text, const std::string& id) {
    std::vector<std::string> parts;
    each_line(text, [&](const std::string& line, const std::optional<std::string>& star, bool first) {
        if (!star || (!star->empty() && *star != id)) return;
        if (first) parts.emplace_back();
        parts.back() += line + "\n";
    });
    return parts;
}

std::string without_starred_parts(const std::string& text) {
    std::string rest;
    each_line(text, [&](const std::string& line, const std::optional<std::string>& star, bool) {
        if (!star) rest += line + "\n";
    });
    return rest;
}

std::vector<std::string> stars_not_begun(const Manifest& manifest, const std::vector<FileAndStub>& files) {
    std::vector<std::string> not_begun;
    for (const Task& task : manifest.tasks) {
        if (!task.star) continue;
        std::size_t all = 0, same = 0;
        for (const FileAndStub& file : files) {
            const std::vector<std::string> own = starred_parts(file.text, task.id);
            const std::vector<std::string> stub = starred_parts(file.stub, task.id);
            all += std::max(own.size(), stub.size());
            for (std::size_t k = 0; k < std::min(own.size(), stub.size()); ++k)
                same += same_but_for_space(own[k], stub[k]) ? 1 : 0;
        }
        if (all > 0 && same == all) not_begun.push_back(task.id);
    }
    return not_begun;
}

}  // namespace course
