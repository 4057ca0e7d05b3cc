// SPDX-License-Identifier: MIT
#include "fuzz_target.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace fuzz {

namespace {

std::vector<Target>& registered() {
    static std::vector<Target> all;
    return all;
}

struct Scratch {
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "kit-fuzz-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
        folder = name;
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    std::filesystem::path folder;
};

}  // namespace

Registration::Registration(const Target& target) {
    std::vector<Target>& all = registered();
    const auto before = [](const Target& a, const Target& b) { return std::string_view(a.name) < b.name; };
    all.insert(std::lower_bound(all.begin(), all.end(), target, before), target);
}

const std::vector<Target>& targets() { return registered(); }

const Target& target(std::string_view name) {
    std::string names;
    for (const Target& one : registered()) {
        if (one.name == name) return one;
        names += std::string(" ") + one.name;
    }
    throw std::invalid_argument("there is no target \"" + std::string(name) + "\"; there are" + names);
}

std::string_view take_part(std::string_view& text) {
    constexpr std::string_view mark = "=====\n";
    for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; ++at) {
        if (at > 0 && text[at - 1] != '\n') continue;
        const std::string_view part = text.substr(0, at);
        text.remove_prefix(at + mark.size());
        return part;
    }
    const std::string_view all = text;
    text = {};
    return all;
}

const std::filesystem::path& scratch_folder() {
    static const Scratch scratch;
    return scratch.folder;
}

void write(const std::filesystem::path& file, std::string_view text) {
    std::FILE* const out = std::fopen(file.c_str(), "wb");
    const bool written = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
    if (out == nullptr || std::fclose(out) != 0 || !written)
        throw std::system_error(errno, std::generic_category(), file.string());
}

}  // namespace fuzz
