// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <sys/types.h>

namespace course {

/// Throws the errno of a system call that has just failed.
[[noreturn]] inline void throw_errno(const char* operation) {
    throw std::system_error(errno, std::generic_category(), operation);
}

/// The error's message; if a thread or a process was refused, also what to do.
inline std::string explained(const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) return error.what();
    return std::string("no thread or process can be started: ") + error.what() +
           "\nThis user runs as many as it may (ulimit -u says how many). End some, or raise that limit";
}

/// From now on Ctrl-C (and SIGTERM, SIGHUP) ends the program in order: `before` is called, all processes noted with
/// NotedProcess are killed, all folders noted with NotedPath are removed, and the exit code is 128 + signal (130).
/// After SIGHUP nothing is printed: there is nobody to read it.
///
///  A dedicated thread waits for the signals, so nothing has to be async-signal-safe. Call it once, before starting any
///  other thread. @throws std::system_error if that thread can't be started.
void clean_up_on_signals(std::function<void()> before);

/// How a program is started.
struct ProgramStart {
    std::vector<std::string> arguments;    ///< the program first: a path, or a name looked up in PATH
    std::vector<std::string> environment;  ///< all of it: "PATH=/usr/bin", ...
    std::filesystem::path folder = {};     ///< where it runs; empty: where this program does
    std::vector<int> descriptors;          ///< which become its 0, 1, 2, ...; -1: /dev/null
    int death_signal = SIGKILL;            ///< what it gets when the thread that starts it ends; 0: nothing
    /// Called in the new process, where async-signal-safe calls alone are allowed: `first` while it has this program's
    /// descriptors, `last` when it has its own. Null, or the step that failed, with errno set.
    std::function<const char*()> first = {};
    std::function<const char*(int kept)> last = {};   ///< `kept`: the number of another descriptor that may stay open
};

/// Starts it in a session of its own, with signals as usual and no other descriptor. It is noted: killed when a signal
/// ends this program, until forget_process(). Once such a signal came, nothing is started any more.
/// @throws std::system_error that names the step that failed
pid_t start_process(const ProgramStart& start);
/// The process has been waited for.
void forget_process(pid_t process) noexcept;
/// True for a process that this program has started itself and not forgotten: not another program's orphan.
bool is_noted_process(pid_t process) noexcept;

/// The signal that is ending this program; 0: none.
int ending_signal() noexcept;

/// Registers the first action of the clean-up after a signal, until the end of this object's scope. The action runs in
/// the thread that waits for signals. It may run a process to its end, which nobody else can do any more, but must not
/// create a TemporaryPath.
class SignalCleanup {
public:
    explicit SignalCleanup(std::function<void()> action);
    ~SignalCleanup();
    SignalCleanup(const SignalCleanup&) = delete;
    SignalCleanup& operator=(const SignalCleanup&) = delete;

private:
    std::uint64_t number_;
};

/// A file or folder that must not outlive this program. The destructor removes it.
class TemporaryPath {
public:
    explicit TemporaryPath(std::filesystem::path path);
    ~TemporaryPath();
    TemporaryPath(const TemporaryPath&) = delete;
    TemporaryPath& operator=(const TemporaryPath&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

// The kernel's data on processes, from /proc. Nothing here allocates memory, so signal handlers may use it, too.

/// "/proc/<pid>/<file>".
class ProcPath {
public:
    ProcPath(pid_t process, const char* file) noexcept;
    [[nodiscard]] const char* get() const noexcept { return text_; }

private:
    char text_[48] = {};
};

/// The beginning of such a file, as much as fits into the buffer; empty if the process is gone.
[[nodiscard]] std::string_view read_proc_file(pid_t process, const char* file, std::span<char> buffer) noexcept;

/// The next blank-separated field as a number; moves `text` past it.
std::int64_t next_number(std::string_view& text) noexcept;

/// From /proc/<pid>/stat; zeros if the process is gone.
struct ProcessStat {
    pid_t parent = 0, session = 0;
    std::uint64_t threads = 0;
    std::uint64_t begin = 0;  ///< in ticks since the machine's boot
};
[[nodiscard]] ProcessStat stat_of(pid_t process) noexcept;

/// A program to be run to its end: a compiler, course-probe. Never a shell, never a student's code.
struct Command {
    std::vector<std::string> arguments;    ///< the program first: a path, or a name looked up in PATH
    std::vector<std::string> environment;  ///< complete: "PATH=/usr/bin", ...
    std::filesystem::path folder;          ///< working folder
    double seconds = 60;
    double cpu_seconds = 0;                                ///< per process; 0: as `seconds`
    std::size_t output_bytes = std::size_t{1} << 18;       ///< further output is discarded
    std::size_t file_bytes = std::size_t{1} << 28;         ///< the largest file that it may write; 0: no limit
    std::size_t memory_bytes = 0;                          ///< address space of each of its processes; 0: no limit
    std::function<void(std::string_view)> on_output = {};  ///< gets what is printed as it comes, too
    std::function<bool()> before_start = {};   ///< as ProgramStart::last; false, with errno set: it isn't started
    bool by_line = false;  ///< its output is a terminal, so that each line comes when it's printed
};

struct ProcessResult {
    enum class Ending { exited, signalled, timed_out, not_started };
    Ending ending = Ending::exited;
    int code = 0;        ///< exit code, signal, or errno of a failed start
    std::string output;  ///< stdout and stderr together
    [[nodiscard]] bool succeeded() const { return ending == Ending::exited && code == 0; }
};

/// The environment of this program with these variables in place of its own; "NAME=" takes one out.
std::vector<std::string> own_environment(const std::vector<std::string>& changes = {});

/// Runs the command and waits for it. It and all its descendants are killed after `seconds`, and when this program
/// dies.
ProcessResult run_process(const Command& command);

/// A program that works while this one goes on: same output, no input, a session of its own. At the end of the
/// scope, and at a signal that ends this program, it gets SIGHUP and is waited for; if this program dies otherwise,
/// SIGTERM.
class BackgroundProcess {
public:
    /// @param arguments the program's path first
    /// @throws std::system_error if it can't be started
    explicit BackgroundProcess(std::vector<std::string> arguments);
    ~BackgroundProcess();
    BackgroundProcess(const BackgroundProcess&) = delete;
    BackgroundProcess& operator=(const BackgroundProcess&) = delete;

    /// The exit code, or 128 + the signal, once it has ended.
    [[nodiscard]] std::optional<int> ended();

private:
    std::optional<int> code_;
    pid_t process_;
    SignalCleanup signal_cleanup_;
};

}  // namespace course
