// SPDX-License-Identifier: MIT
#include "host/base/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <gpu/error.hpp>

extern char** environ;  // NOLINT: POSIX's name

namespace gpu::detail::host {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t max_output = std::size_t{1} << 20;

std::vector<char*> pointers(const std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (const std::string& string : strings) result.push_back(const_cast<char*>(string.c_str()));
    result.push_back(nullptr);
    return result;
}

std::vector<std::string> merged_environment(const std::vector<std::string>& extra) {
    std::vector<std::string> merged = extra;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view name(*entry, std::strcspn(*entry, "="));
        const bool replaced = std::any_of(extra.begin(), extra.end(), [name](const std::string& other) {
            return other.size() > name.size() && other.compare(0, name.size(), name) == 0 && other[name.size()] == '=';
        });
        if (!replaced) merged.emplace_back(*entry);
    }
    return merged;
}

int spawn(pid_t& child, const std::vector<std::string>& command, const posix_spawn_file_actions_t* actions,
          const posix_spawnattr_t& attributes, const std::vector<std::string>& environment) {
    const std::vector<std::string> merged = merged_environment(environment);
    return ::posix_spawnp(&child, command.front().c_str(), actions, &attributes, pointers(command).data(),
                          pointers(merged).data());
}

}  // namespace

int start_program(pid_t& child, const std::vector<std::string>& command, const std::array<int, 3>& ends,
                  const std::vector<std::string>& environment) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int number = 0; number < 3; ++number)
        if (const int end = ends[static_cast<std::size_t>(number)]; end >= 0)
            posix_spawn_file_actions_adddup2(&actions, end, number);
        else
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    const int error = spawn(child, command, &actions, attributes, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int wait_for_end(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

int run_in_foreground(const std::vector<std::string>& command, int& code) {
    constexpr int keys[] = {SIGINT, SIGQUIT};  // Ctrl-C and Ctrl-\: we ignore them meanwhile
    struct sigaction ignored {
    }, before[2] = {};
    ignored.sa_handler = SIG_IGN;
    sigset_t heeded;
    sigemptyset(&heeded);
    for (std::size_t k = 0; k < 2; ++k) {
        ::sigaction(keys[k], &ignored, &before[k]);
        if (before[k].sa_handler != SIG_IGN) sigaddset(&heeded, keys[k]);
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &heeded);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    const int error = spawn(child, command, nullptr, attributes, {});
    posix_spawnattr_destroy(&attributes);
    const int status = error == 0 ? wait_for_end(child) : 0;
    code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    for (std::size_t k = 0; k < 2; ++k) ::sigaction(keys[k], &before[k], nullptr);
    return error;
}

namespace {

// Reads until the pipe's other ends are closed; false if that takes longer than until `deadline`.
bool read_all(int pipe, Clock::time_point deadline, std::string& output) {
    char buffer[1 << 14];
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return false;
        pollfd waited{.fd = pipe, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&waited, 1, static_cast<int>(std::min<long long>(left, 1 << 30)));
        if (ready < 0 && errno != EINTR) return true;
        if (ready <= 0) continue;
        const ssize_t got = ::read(pipe, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return true;
        if (output.size() < max_output) output.append(buffer, static_cast<std::size_t>(got));
    }
}

// Waits for the child until `deadline`; it may have closed its output long before it ends.
bool wait_for(pid_t child, Clock::time_point deadline, int& status) {
    for (int pause_us = 50;; pause_us = std::min(pause_us * 2, 10000)) {
        const pid_t done = ::waitpid(child, &status, WNOHANG);
        if (done == child || (done < 0 && errno != EINTR)) return true;
        if (Clock::now() >= deadline) return false;
        ::usleep(static_cast<useconds_t>(pause_us));
    }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                          std::chrono::milliseconds limit) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return {.end = ProcessResult::End::not_started, .code = errno, .output = {}};
    const UniqueFd reader(ends[0]);
    UniqueFd writer(ends[1]);

    pid_t child = 0;
    if (const int error = start_program(child, command, {-1, writer.get(), writer.get()}, environment); error != 0)
        return {.end = ProcessResult::End::not_started, .code = error, .output = {}};
    writer.reset();
    ProcessResult result;
    const auto deadline = Clock::now() + limit;
    int status = 0;
    if (!read_all(reader.get(), deadline, result.output) || !wait_for(child, deadline, status)) {
        ::kill(-child, SIGKILL);
        wait_for_end(child);
        result.end = ProcessResult::End::timed_out;
        return result;
    }
    if (WIFSIGNALED(status)) {
        result.end = ProcessResult::End::signalled;
        result.code = WTERMSIG(status);
    } else {
        result.code = WEXITSTATUS(status);
    }
    return result;
}

std::string find_program(const std::string& name) {
    const auto executable = [](const std::string& path) {
        struct stat info {};
        return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(path.c_str(), X_OK) == 0;
    };
    if (name.find('/') != std::string::npos) return executable(name) ? name : "";
    const char* path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
    while (true) {
        const std::size_t colon = rest.find(':');
        const std::string candidate = std::string(rest.substr(0, colon)) + '/' + name;
        if (executable(candidate)) return candidate;
        if (colon == std::string_view::npos) return "";
        rest.remove_prefix(colon + 1);
    }
}

namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
    throw Error("could not " + what + ' ' + path + ": " + std::strerror(error));
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
    const char* parent = std::getenv("TMPDIR");
    path_ = std::string(parent != nullptr && *parent != '\0' ? parent : "/tmp") + "/libgpu-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) fail("make a temporary directory", path_, errno);
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void write_file(const std::string& path, std::string_view bytes) {
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file) fail("write", path, errno);
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail("write", path, written < 0 ? errno : ENOSPC);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::string read_file(const std::string& path) {
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) fail("read", path, errno);
    std::string bytes;
    char buffer[1 << 16];
    for (;;) {
        const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail("read", path, errno);
        if (got == 0) return bytes;
        bytes.append(buffer, static_cast<std::size_t>(got));
    }
}

}  // namespace gpu::detail::host
