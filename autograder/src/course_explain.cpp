// SPDX-License-Identifier: MIT
// usage: course-explain [--kit=FOLDER/]... NAME FILE <LOG
//
// What a compiler or a linker printed of one file, in the words that `make exercise-8` has for it: for notebooks, which
// compile a learner's C++ by themselves. NAME is what LOG calls the file; headers of the kit are below a FOLDER. Prints
// the first error; nothing if there is none.
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "build/diagnostics.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"

int main(int argc, char** argv) {
    constexpr std::string_view kit = "--kit=";
    course::PathNames names;
    std::vector<std::string> file;
    for (int k = 1; k < argc; ++k) {
        const std::string_view word(argv[k]);
        if (word.starts_with(kit)) names.add(std::string(word.substr(kit.size())), "");
        else file.emplace_back(word);
    }
    if (file.size() != 2) {
        course::print_error("usage: course-explain [--kit=FOLDER/]... NAME FILE <LOG\n");
        return 4;
    }
    try {
        names.add_answer(file[0], file[0], course::read_file(file[1]));
    } catch (const course::FileError& error) {
        course::print_error(std::string(error.what()) + "\n");
        return 4;
    }
    const std::string log{std::istreambuf_iterator<char>(std::cin), {}};
    std::string said = course::first_error(log, names);
    if (said.empty()) said = course::first_link_error(log, names);
    if (!said.empty()) course::print(said + "\n");
    return 0;
}
