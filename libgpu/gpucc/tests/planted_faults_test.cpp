// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "driver_run.hpp"
#include "parallel.hpp"

// Programs as learners write them, in faults/: -DFAULT=n plants a mistake, `// fault n: words + other words` on a line
// or above it marks those of which one must be named, with these words. `make test` plants every fourth.
namespace gpucc_test {

namespace {

struct Mark {
    std::size_t line = 0;
    std::vector<std::string> words;
};

/// A mistake in a file; the number 0 stands for the right program.
struct Fault {
    std::string path, file;
    int number = 0;
    std::vector<Mark> marks = {};
};

std::vector<Fault> faults() {
    std::vector<Fault> all;
    const std::regex mark(R"(fault (\d+): ([^,\n]+))"), plus(R"( \+ )");
    for (const auto& entry : std::filesystem::directory_iterator(GPUCC_FAULTS)) {
        const std::string path = entry.path().string(), text = gpu::detail::host::read_file(path);
        std::map<int, Fault> found;
        found[0] = {path, entry.path().filename().string()};
        std::istringstream lines(text);
        std::size_t number = 0;
        std::string above;  // comments of their own line belong to the next one
        for (std::string line; ++number, std::getline(lines, line);) {
            above += line + '\n';
            const std::size_t first = line.find_first_not_of(' ');
            if (first != std::string::npos && line.compare(first, 2, "//") == 0) continue;
            for (std::sregex_iterator at(above.begin(), above.end(), mark), end; at != end; ++at) {
                const int fault = std::stoi((*at)[1]);
                const std::string words = (*at)[2];
                Fault& one = found[fault];
                one.path = path;
                one.file = found[0].file;
                one.number = fault;
                one.marks.push_back({number, {std::sregex_token_iterator(words.begin(), words.end(), plus, -1), {}}});
            }
            above.clear();
        }
        for (const auto& [_, one] : found) all.push_back(one);
    }
    return all;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool is_named(const Mark& mark, const std::string& file, const std::string& output) {
    const std::string place = "[/ ]?" + file + ":" + std::to_string(mark.line) + "\\b";
    bool is_there = std::regex_search(output, std::regex(place));
    for (const std::string& word : mark.words) is_there = is_there && holds(output, word);
    return is_there;
}

}  // namespace

TEST_CASE("mistakes in learners' programs are named at their lines, and the right programs raise no alarm") {
    std::vector<Fault> chosen;
    std::size_t planted = 0;
    for (const Fault& one : faults()) {
        planted += one.number > 0 ? 1 : 0;
        if (one.number == 0 || is_long() || planted % 4 == 1) chosen.push_back(one);
    }
    CHECK(planted >= 50);
    const std::vector<ProcessResult> results = in_parallel<ProcessResult>(chosen.size(), [&](std::size_t k) {
        return run("cd " GPUCC_FAULTS " && " GPUCC_DRIVER " --check -DFAULT=" + std::to_string(chosen[k].number) + " " +
                   chosen[k].file + " < /dev/null");
    });
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        const Fault& fault = chosen[k];
        const std::string& output = results[k].output;
        CAPTURE(fault.file);
        CAPTURE(fault.number);
        CAPTURE(output);
        if (fault.number == 0) {
            CHECK(holds(output, "gpucc: check mode found no mistakes"));
            continue;
        }
        bool named = false;
        for (const Mark& mark : fault.marks) named = named || is_named(mark, fault.file, output);
        CHECK(named);
    }
}

}  // namespace gpucc_test
