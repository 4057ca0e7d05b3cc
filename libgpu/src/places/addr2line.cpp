// SPDX-License-Identifier: MIT
#include "places/addr2line.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>

extern char** environ;  // NOLINT: POSIX's name

namespace gpu::detail {

namespace {

constexpr int answer_ms = 60'000;
// Asked behind each address, because the number of an answer's lines isn't known: nothing lies there.
constexpr const char* nowhere = "0xffffffffffffffff";

// The answer to `nowhere` is itself and two lines more.
bool is_whole(const std::string& answer) {
    std::size_t at = answer.find(nowhere);
    for (int lines = 0; lines < 3 && at != std::string::npos; ++lines) {
        at = answer.find('\n', at);
        if (at != std::string::npos) ++at;
    }
    return at != std::string::npos;
}

pid_t start(const std::string& object, int socket) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;  // neither our signal mask nor our handlers nor our terminal's Ctrl-C
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::array<std::string, 7> words{"addr2line", "-a", "-f", "-i", "-C", "-e", object};
    std::array<char*, words.size() + 1> arguments{};
    for (std::size_t k = 0; k < words.size(); ++k) arguments[k] = words[k].data();
    pid_t child = -1;
    if (::posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ) != 0) child = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

}  // namespace

Addr2line::Addr2line(const std::string& object) : owner_(::getpid()) {
    int ends[2];
    if (::access(object.c_str(), R_OK) != 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    socket_ = ends[0];
    child_ = start(object, ends[1]);
    ::close(ends[1]);
    if (child_ < 0) stop();
}

Addr2line::~Addr2line() { stop(); }

void Addr2line::stop() noexcept {
    if (socket_ >= 0) ::close(socket_);  // that is its end of input
    socket_ = -1;
    if (child_ < 0 || owner_ != ::getpid()) return;
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {}
    child_ = -1;
}

std::string Addr2line::ask(std::uintptr_t offset) {
    if (socket_ < 0 || owner_ != ::getpid()) return {};
    std::array<char, 64> question{};
    const int length =
        std::snprintf(question.data(), question.size(), "0x%zx\n%s\n", static_cast<std::size_t>(offset), nowhere);
    std::string answer;
    bool works = ::send(socket_, question.data(), static_cast<std::size_t>(length), MSG_NOSIGNAL) == length;
    while (works && !is_whole(answer)) {
        pollfd waited{.fd = socket_, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&waited, 1, answer_ms);
        if (ready < 0 && errno == EINTR) continue;
        std::array<char, 4096> buffer{};
        const ssize_t got = ready > 0 ? ::read(socket_, buffer.data(), buffer.size()) : 0;
        works = got > 0;
        if (works) answer.append(buffer.data(), static_cast<std::size_t>(got));
    }
    if (!works) {
        if (child_ > 0) ::kill(child_, SIGKILL);
        stop();
        return {};
    }
    const std::size_t begin = answer.find('\n') + 1;  // behind the address itself
    return answer.substr(begin, answer.rfind(nowhere) - begin);
}

}  // namespace gpu::detail
