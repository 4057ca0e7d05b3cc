// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base.hpp"

namespace gpu::detail::host {

/// Starts a program, a path or a name on PATH, as the leader of a process group, without our signal mask and handlers.
/// By posix_spawn: no handler of fork() runs, no memory is copied, and a sandboxed program, which may not fork, may.
/// @param ends its standard input, output and error; negative: /dev/null
/// @param environment "NAME=value", besides our own variables or in their place
/// @return 0 or an error number
int start_program(pid_t& child, const std::vector<std::string>& command, const std::array<int, 3>& ends,
                  const std::vector<std::string>& environment = {});

/// Waits until a child has ended: its status, as waitpid() has it.
int wait_for_end(pid_t child);

/// Runs a program as a shell does, with our standard streams and in our process group, the terminal's: Ctrl-C reaches
/// both, and we live on.
/// @param code its exit code, or 128 and the signal that ended it
/// @return 0 or an error number
int run_in_foreground(const std::vector<std::string>& command, int& code);

/// How a program ended and what it said.
struct ProcessResult {
    enum class End { exited, signalled, timed_out, not_started };
    End end = End::exited;
    int code = 0;        ///< exit status, signal, or errno
    std::string output;  ///< stdout and stderr together, at most 1 MiB
};

/// Runs a program and waits for it; no shell. Its environment is ours plus `environment` ("NAME=value"); after `limit`,
/// its whole process group is killed.
ProcessResult run_process(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                          std::chrono::milliseconds limit);

/// The path of a program: the name itself if it has a slash and is executable, otherwise found on PATH; empty if
/// nowhere.
std::string find_program(const std::string& name);

/// A private directory below TMPDIR (otherwise /tmp), removed with its contents.
class TemporaryDirectory {
public:
    /// @throws Error with the reason if it can't be created.
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

/// Writes a whole file. @throws Error "could not write PATH: No space left on device".
void write_file(const std::string& path, std::string_view bytes);

/// Reads a whole file. @throws Error
std::string read_file(const std::string& path);

}  // namespace gpu::detail::host
