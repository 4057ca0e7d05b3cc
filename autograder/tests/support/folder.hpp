// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace test {

/// A folder for one test, gone at its end.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "course-test-XXXXXX").string();
        if (!::mkdtemp(name.data())) throw std::runtime_error("can't make " + name);
        path_ = name;
    }
    ~Folder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

    /// Writes a file, and makes the folders above it.
    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << text;
    }

private:
    std::filesystem::path path_;
};

inline std::string read(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// The text in one line, with a space where a line ended: a screen of 80 columns breaks sentences.
inline std::string unwrapped(const std::string& text) {
    std::string line;
    for (const char c : text) {
        const char next = c == '\n' ? ' ' : c;
        if (next != ' ' || line.empty() || line.back() != ' ') line += next;
    }
    return line;
}

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    if (at == text.npos) throw std::runtime_error("the text has no \"" + what + "\"");
    return text.replace(at, what.size(), by);
}

}  // namespace test
