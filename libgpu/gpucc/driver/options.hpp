// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace gpucc {

/// A command line that gpucc doesn't take.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What the command line asks for.
struct Options {
    std::vector<std::string> inputs;      ///< in their order, with -l among them
    std::vector<std::string> preprocess;  ///< -I, -D and their like
    std::vector<std::string> compile;     ///< -O, -g and their like
    std::vector<std::string> link;
    std::vector<std::string> device;  ///< for the kernels' compiler
    std::string output, compiler, standard = "-std=c++17";
    std::vector<std::string> run_arguments;  ///< behind --, for --check
    std::string check_exit_code, timeout;
    std::string show, show_kernel, show_launch;   ///< a page of pictures; of which launches
    std::string debug_at;                         ///< a place in a kernel where gdb stops
    std::string language;                   ///< of all files, by -x: "cu", "c++" or "c"; empty: their names say it
    std::string folder;                     ///< for the objects of -c
    std::vector<std::string> dependencies;  ///< -MD and its like, for make
    std::string dependency_file, dependency_target;
    bool only_compile = false, only_preprocess = false, verbose = false, help = false, version = false;
    bool archive = false, dry_run = false, run = false;
    bool check = false, counts = false, json = false, leaks = false, ledger = false, debug = false;

    [[nodiscard]] bool runs() const {
        return check || counts || json || leaks || ledger || debug || run || !show.empty() || !timeout.empty();
    }
};

/// Reads nvcc's options where they mean something, and gpucc's own. @throws UsageError
[[nodiscard]] Options parse_options(std::vector<std::string> arguments);

/// The text of --help.
[[nodiscard]] std::string help_text();

}  // namespace gpucc
