// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include <sys/types.h>

namespace course {

/// From now on Ctrl-C (and SIGTERM, SIGHUP) ends the program in order: `before` is called, all processes noted with
/// NotedProcess are killed, all folders noted with NotedPath are removed, and the exit code is 128 + signal (130).
/// After SIGHUP nothing is said: there is nobody to read it.
///
/// A thread of its own waits for the signals, so that nothing has to be async-signal-safe. Call it once, before the
/// first other thread. @throws std::system_error if that thread can't be started.
void clean_up_on_signals(std::function<void()> before);

/// Starts nothing any more once a signal came: run `start` (which forks) under the lock that the clean-up takes.
/// `start` returns the process, which leads a process group of its own, or -1.
pid_t start_noted_process(const std::function<pid_t()>& start);
/// The process has been waited for.
void forget_process(pid_t process) noexcept;
/// True for a process that this program has started itself and not forgotten: no orphan of another one.
bool is_noted_process(pid_t process) noexcept;

/// The signal that ends this program; 0: none has come.
int ending_signal() noexcept;

/// What a signal that ends the program does first of all, until the end of this object's scope. The action runs in the
/// thread that waits for signals. It may run a process to its end, as nobody else can any more, but not make a
/// TemporaryPath.
class AtSignal {
public:
    explicit AtSignal(std::function<void()> action);
    ~AtSignal();
    AtSignal(const AtSignal&) = delete;
    AtSignal& operator=(const AtSignal&) = delete;

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

}  // namespace course
