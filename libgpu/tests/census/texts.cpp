// SPDX-License-Identifier: MIT
#include "census/texts.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "jit/file_cache.hpp"

namespace census {

namespace {

const std::filesystem::path room = CENSUS_DIR;

std::ifstream opened(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("census: can't read " + file.string());
    return in;
}

// "name | entry" or "name".
Text begun(const std::string& heading, const std::string& topic) {
    const std::size_t bar = heading.find(" | ");
    Text text;
    text.name = topic + ": " + heading.substr(0, bar);
    text.entry = bar == std::string::npos ? "k" : heading.substr(bar + 3);
    return text;
}

void read_file(const std::filesystem::path& path, std::vector<Text>& texts) {
    std::ifstream in = opened(path);
    std::string topic = path.stem().string();
    std::replace(topic.begin(), topic.end(), '_', ' ');
    int number = 0;
    bool in_texts = false;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.starts_with("//// ")) {
            texts.push_back(begun(line.substr(5), topic));
            texts.back().line = number + 1;
            texts.back().file = path.filename().string();
            in_texts = true;
        } else if (in_texts) {
            texts.back().source += line + '\n';
        }
    }
}

std::string listed(const std::set<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : " ") + name;
    return list.empty() ? "-" : list;
}

}  // namespace

std::string Text::digest() const { return gpu::detail::make_cache_key("census", {entry, source}).digest.substr(0, 12); }

std::vector<Text> read_texts() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(room / "texts")) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Text> texts;
    for (const auto& file : files) read_file(file, texts);
    std::set<std::string> names;
    for (const Text& text : texts)
        if (!names.insert(text.name).second) throw std::runtime_error("census: two texts are called " + text.name);
    return texts;
}

Record read_record() {
    std::ifstream in = opened(room / "nvrtc.txt");
    Record record;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line.front() == '#') continue;
        std::istringstream words(line);
        std::string digest, verdict, name;
        words >> digest >> verdict >> std::ws;
        std::getline(words, name);
        record.takes[digest] = verdict == "takes";
        record.names[digest] = name;
    }
    return record;
}

void write_record(const std::vector<Text>& texts, const Verdicts& verdicts) {
    std::ofstream out(room / "nvrtc.txt");
    out << "# SPDX-License-Identifier: MIT\n"
           "# What NVRTC 13.0 says of each text, for machines without it; GPU_CENSUS_WRITE=1 makes gpu.census write "
           "it.\n";
    for (const Text& text : texts)
        out << text.digest() << (verdicts.at(text.name) ? " takes   " : " refuses ") << text.name << '\n';
}

std::map<std::string, Difference> read_differences() {
    std::ifstream in = opened(room / "differences.txt");
    std::map<std::string, Difference> all;
    // "who takes it | the text's name | why"
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line.front() == '#') continue;
        const std::size_t first = line.find(" | "), second = line.find(" | ", first + 3);
        if (second == std::string::npos || second + 3 >= line.size())
            throw std::runtime_error("census: differences.txt needs takers, name and reason: " + line);
        Difference difference{{}, line.substr(second + 3)};
        std::istringstream takers(line.substr(0, first));
        for (std::string taker; takers >> taker;) difference.takers.insert(taker);
        if (!all.emplace(line.substr(first + 3, second - first - 3), difference).second)
            throw std::runtime_error("census: differences.txt has a text twice: " + line);
    }
    return all;
}

std::vector<std::string> compared(const std::vector<Text>& texts, const std::map<std::string, Verdicts>& by_compiler,
                                  const std::map<std::string, Difference>& differences) {
    std::vector<std::string> complaints;
    std::set<std::string> listed_texts;
    for (const auto& [name, difference] : differences) listed_texts.insert(name);
    for (const Text& text : texts) {
        std::set<std::string> takers, expected;
        for (const auto& [compiler, verdicts] : by_compiler)
            if (const auto verdict = verdicts.find(text.name); verdict != verdicts.end() && verdict->second)
                takers.insert(compiler);
        const bool differ = !takers.empty() && takers.size() < by_compiler.size();
        const auto known = differences.find(text.name);
        if (known == differences.end()) {
            if (differ)
                complaints.push_back(text.file + ':' + std::to_string(text.line) + ": taken by " + listed(takers) +
                                     " alone, and not in differences.txt: " + text.name);
            continue;
        }
        listed_texts.erase(text.name);
        for (const std::string& taker : known->second.takers)
            if (by_compiler.count(taker) != 0) expected.insert(taker);
        if (takers != expected)
            complaints.push_back("differences.txt says " + listed(expected) + ", taken by " + listed(takers) + ": " +
                                 text.name);
        else if (by_compiler.size() == 3 && !differ)
            complaints.push_back("differences.txt lists what is no difference: " + text.name);
    }
    for (const std::string& gone : listed_texts)
        complaints.push_back("differences.txt lists a text that isn't there: " + gone);
    return complaints;
}

}  // namespace census
