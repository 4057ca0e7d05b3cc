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

}  // namespace census
