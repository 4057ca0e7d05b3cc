// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "gpucc/driver/options.hpp"

namespace gpucc {

/// A file that doesn't compile, after its messages have been written.
class BuildFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Where gpucc's headers, libraries and gdb's commands are: bin/, include/gpucc/, lib/ and share/libgpu/ beside each
/// other.
struct Installation {
    std::string include, library, share;
};
/// @throws std::runtime_error if they aren't beside this program.
[[nodiscard]] Installation find_installation();

/// The host's C++ compiler: -ccbin, GPUCC_CXX, the one that built gpucc, or what PATH has.
/// @throws std::runtime_error if there is none
[[nodiscard]] std::string find_compiler(const Options& options);

/// Runs a command, whose messages go to stderr; -v shows it, --dryrun does nothing else. @throws BuildFailure if it
/// fails
void run_command(const std::vector<std::string>& command, const Options& options);

/// How a command ended, and what it said.
struct Outcome {
    std::string messages;
    bool has_failed = false;
};
/// The same with the messages in hand, of a compiler.
[[nodiscard]] Outcome run_captured(std::vector<std::string> command, const Options& options);

/// Writes what the host's preprocessor makes of a file to -o or standard output. @throws BuildFailure
void preprocess_unit(const std::string& input, const Options& options, const std::string& folder,
                     const std::string& compiler, const Installation& installation);

/// Compiles one file, CUDA, plain C++ or C, to an object. Returns the names of the kernels that it only
/// declares. @throws BuildFailure
std::vector<std::string> compile_unit(const std::string& input, const std::string& object, const std::string& folder,
                                      const Options& options, const std::string& compiler,
                                      const Installation& installation);

}  // namespace gpucc
