// SPDX-License-Identifier: MIT
#include "similar/kit_answers.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "collect/code_tokens.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace test {

namespace {

const fs::path root = COURSE_SOURCE_DIR;

std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> all;
    if (fs::is_directory(folder))
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
}

/// The lines of the students' parts, without comments and white space; lone braces are none.
std::map<std::string, int> lines_of(const Files& files) {
    std::map<std::string, int> lines;
    for (const auto& [name, text] : files) {
        bool inside = false;
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) {
            if (line.find("// ---- end") != line.npos) inside = false;
            if (const bool begins = line.find("// ---- your code") != line.npos; !begins && inside) {
                line.resize(std::min(line.find("//"), line.size()));
                std::erase_if(line, [](char c) { return c == ' ' || c == '{' || c == '}'; });
                if (line.find_first_not_of("(); ") != line.npos) ++lines[line];
            } else if (begins) {
                inside = true;
            }
        }
    }
    return lines;
}

}  // namespace

std::vector<std::string> exercises_with_solutions() {
    std::vector<std::string> names;
    for (const fs::path& folder : entries(root / "exercises"))
        if (fs::is_directory(root / "solutions" / folder.filename())) names.push_back(folder.filename().string());
    return names;
}

std::vector<KitAnswer> answers_of(const std::string& exercise) {
    std::map<std::string, std::string> solution;
    for (const fs::path& file : entries(root / "solutions" / exercise))
        solution[file.filename().string()] = course::read_file(file);
    std::vector<KitAnswer> answers = {{"solution", {solution.begin(), solution.end()}}};
    for (const fs::path& folder : entries(root / "exercises" / exercise / "right")) {
        std::map<std::string, std::string> files = solution;
        for (const fs::path& file : entries(folder)) files[file.filename().string()] = course::read_file(file);
        answers.push_back({folder.filename().string(), {files.begin(), files.end()}});
    }
    return answers;
}

course::ComparedAnswer compared(const std::string& student, const Files& files) {
    course::ComparedAnswer answer{student, {student}, false, "", {}};
    std::string all;
    for (const auto& [name, text] : files) {
        answer.files.emplace_back(name, text);
        all += name + "\n" + text;
    }
    answer.digest = course::digest(all);
    return answer;
}

double literal_share(const Files& a, const Files& b) {
    const std::map<std::string, int> in_a = lines_of(a), in_b = lines_of(b);
    int common = 0, all = 0;
    for (const auto& [line, count] : in_a) {
        all += count;
        const auto at = in_b.find(line);
        if (at != in_b.end()) common += 2 * std::min(count, at->second);
    }
    for (const auto& [line, count] : in_b) all += count;
    return all == 0 ? 1 : double(common) / all;
}

std::string renamed(const std::string& text) {
    std::string result;
    std::size_t done = 0;
    const std::vector<course::ComparedToken> tokens = course::compared_tokens(text);
    const std::uint64_t of_names = course::compared_tokens("any_name")[0].kind;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].kind != of_names) continue;
        result += text.substr(done, tokens[k].begin - done) + "my_";
        done = tokens[k].begin;
    }
    return result + text.substr(done);
}

std::string reformatted(const std::string& text) {
    std::string result;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (line.find("---- ") == line.npos) line.resize(std::min(line.find("//"), line.size()));
        const bool is_whole = line.starts_with("#") || line.find("//") != line.npos;
        bool was_space = true;
        for (const char c : line) {
            if (c == ' ' && !is_whole) {
                if (!was_space) result += "\n   ";
                was_space = true;
            } else {
                result += c;
                was_space = false;
            }
            if (!is_whole && (c == '(' || c == ';')) result += "  ";
        }
        result += '\n';
    }
    return result;
}

std::string reordered(const std::string& text) {
    const std::vector<course::FunctionText> functions = course::functions_in(text);
    std::string rest = text, result;
    for (const course::FunctionText& one : functions) {
        const std::size_t at = rest.find(one.text);
        if (at == rest.npos) continue;
        rest.erase(at, one.text.size());
        result = one.text + "\n" + result;
    }
    return rest + result;
}

Files each(const Files& files, std::string (*change)(const std::string&)) {
    Files changed;
    for (const auto& [name, text] : files) changed.emplace_back(name, change(text));
    return changed;
}

}  // namespace test
