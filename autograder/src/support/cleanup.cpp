// SPDX-License-Identifier: MIT
#include "support/cleanup.hpp"

#include <atomic>
#include <csignal>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <pthread.h>
#include <unistd.h>

#include "support/remove_tree.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

struct Noted {
    std::mutex mutex;
    std::set<pid_t> processes;
    std::set<fs::path> paths;
    std::map<std::uint64_t, std::function<void()>> actions;   ///< by the order in which they came
    std::uint64_t next_action = 0;
};

/// Never destroyed: the signal thread may use it while the program ends.
Noted& noted() {
    static Noted& instance = *new Noted;
    return instance;
}

std::atomic<int> ending{0};
thread_local bool ends_this_program = false;  ///< this thread holds the lock, for good

class Lock {
public:
    Lock() {
        if (!ends_this_program) noted().mutex.lock();
    }
    ~Lock() {
        if (!ends_this_program) noted().mutex.unlock();
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
};

void remove_quietly(const fs::path& path) noexcept {
    for (int attempt = 0; attempt < 3; ++attempt)   // somebody who is being killed may still write into it
        if (remove_tree(path)) return;
}

[[noreturn]] void end(int signal, const std::function<void()>& before) {
    Noted& all = noted();
    all.mutex.lock();   // and never unlocked: no other thread starts anything any more
    ends_this_program = true;
    ending = signal;
    for (const auto& [number, action] : all.actions) action();
    if (before) before();
    for (const pid_t process : all.processes) ::kill(-process, SIGKILL);
    for (const fs::path& path : all.paths) remove_quietly(path);
    static constexpr char text[] = "\ncourse: interrupted; your files are as they were\n";
    if (signal != SIGHUP) {
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, sizeof text - 1);
    }
    ::_exit(128 + signal);
}

}  // namespace

void clean_up_on_signals(std::function<void()> before) {
    std::signal(SIGPIPE, SIG_IGN);   // `course run 8 | head -1` must clean up, too,
    std::signal(SIGXFSZ, SIG_IGN);   // and so must a run under `ulimit -f`: both become errors of write()
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN) sigaddset(&signals, signal);   // nohup stays in force
    }
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([signals, before = std::move(before)] {
        int signal = 0;
        while (sigwait(&signals, &signal) != 0) {}
        end(signal, before);
    }).detach();
}

pid_t start_noted_process(const std::function<pid_t()>& start) {
    const Lock lock;
    const pid_t process = start();
    if (process > 0) noted().processes.insert(process);
    return process;
}

void forget_process(pid_t process) noexcept {
    const Lock lock;
    noted().processes.erase(process);
}

bool is_noted_process(pid_t process) noexcept {
    const Lock lock;
    return noted().processes.contains(process);
}

int ending_signal() noexcept { return ending; }

AtSignal::AtSignal(std::function<void()> action) {
    const std::lock_guard lock(noted().mutex);
    number_ = noted().next_action++;
    noted().actions.emplace(number_, std::move(action));
}

AtSignal::~AtSignal() {
    const std::lock_guard lock(noted().mutex);
    noted().actions.erase(number_);
}

TemporaryPath::TemporaryPath(fs::path path) : path_(std::move(path)) {
    const std::lock_guard lock(noted().mutex);
    noted().paths.insert(path_);
}

TemporaryPath::~TemporaryPath() {
    remove_quietly(path_);
    const std::lock_guard lock(noted().mutex);
    noted().paths.erase(path_);
}

}  // namespace course
