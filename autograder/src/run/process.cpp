// SPDX-License-Identifier: MIT
#include "run/process.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <thread>

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/file_use.hpp"
#include "run/process_tree.hpp"
#include "run/spawn.hpp"
#include "support/process.hpp"

namespace course {
namespace {

using namespace std::chrono_literals;

constexpr auto look_interval = 20ms;
constexpr auto tree_look_interval = 100ms;
constexpr auto grace_after_disconnection = 2s;  // a dying process closes its socket some time before it is dead
constexpr double kill_seconds = 10;
constexpr std::uint64_t most_threads = 4096;   // with those of the processes that it has started
constexpr std::size_t most_in_cgroup = 8192;   // threads again: the grader says more of it than the kernel does

// An empty message reads like a closed connection; only the latter hangs up.
bool hung_up(int socket) noexcept {
    pollfd watched{socket, 0, 0};
    return ::poll(&watched, 1, 0) == 1 && (watched.revents & POLLHUP) != 0;
}

}  // namespace

void Printed::append(const char* data, std::size_t size) {
    const std::size_t kept = std::min(size, capacity - std::min(capacity, text.size()));
    text.append(data, kept);
    dropped += size - kept;
}

Session::Process::Process(const SessionOptions& options, Printed& printed)
    : printed_(printed),
      memory_limit_(options.memory_bytes),
      file_limit_(options.file_bytes),
      folders_{options.scratch, options.kernel_cache},
      cancelled_(options.cancelled) {
    int pair[2], ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) throw_errno("socketpair");
    socket_ = OpenFile(pair[0]);
    const OpenFile runner_socket(pair[1]);
    if (::pipe2(ends, O_CLOEXEC) != 0) throw_errno("pipe");
    pipe_ = OpenFile(ends[0]);
    const OpenFile runner_pipe(ends[1]);
    if (::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK) != 0) throw_errno("fcntl(O_NONBLOCK)");

    // Files in its folders may be memory, too. What lies on a disk is given up before anything is killed.
    if (const CgroupPlaces& places = usable_cgroups(); options.sandboxed && places.version > 0)
        group_.emplace(places, Cgroup::Limits{memory_limit_ + file_limit_, most_in_cgroup});
    process_ = spawn_runner(options, {.socket = runner_socket.get(),
                                      .input = input_.reader(),
                                      .output = output_.writer(),
                                      .printed = runner_pipe.get()},
                            group_ ? &*group_ : nullptr);
}

Session::Process::~Process() {
    kill();
    const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                     std::chrono::duration<double>(kill_seconds));
    while (!dead() && Clock::now() < end) std::this_thread::sleep_for(1ms);
    read_printed();
    kill_processes({.adopted = true}, kill_seconds);
}

void Session::Process::kill() noexcept {
    if (!dead()) ::kill(process_, SIGKILL);
}

void Session::Process::send(const protocol::Request& request) {
    // One that can't be sent gets no answer, and the wait for it finds out why.
    while (::send(socket_.get(), &request, sizeof request, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR) {}
}

std::optional<Death> Session::Process::dead() noexcept {
    if (death_) return death_;
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0) {
        return {};
    }
    ::kill(-process_, SIGKILL);  // its whole group at one blow, while the number is still its own
    forget_process(process_);
    ::waitpid(process_, nullptr, 0);
    death_ = Death{ended.si_code != CLD_EXITED, ended.si_status};
    return death_;
}

void Session::Process::read_printed() {
    std::array<char, 64 * 1024> buffer;
    for (int round = 0; pipe_ && round < 16; ++round) {  // bounded: a flood must not keep us from the deadline
        const ssize_t size = ::read(pipe_.get(), buffer.data(), buffer.size());
        if (size > 0) printed_.append(buffer.data(), static_cast<std::size_t>(size));
        else if (size == 0) pipe_ = OpenFile();
        else if (errno != EINTR) return;
    }
}

std::vector<pid_t> Session::Process::tree() const {
    std::array<pid_t, 512> found;
    const std::size_t count = find_processes({.process = process_, .adopted = true}, found);
    return {found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count)};
}

bool Session::Process::over_memory_limit(std::span<const pid_t> tree) const {
    FileUse nameless;   // memory, too, also where it isn't mapped
    for (const int ours : {input_.reader(), output_.writer()}) nameless.leave_out(ours);
    for (const pid_t one : tree) nameless.add_nameless_files_of(living_thread(one));
    const auto with_all_else = [&](std::uint64_t (*resident)(pid_t)) {
        std::uint64_t bytes = nameless.bytes();
        for (const pid_t one : tree) bytes += resident(one) + page_table_bytes(one);
        return bytes;
    };
    // The first counts shared pages often.
    return with_all_else(resident_bytes) > memory_limit_ && with_all_else(proportional_bytes) > memory_limit_;
}

Waited Session::Process::because_of(const Death& death) const {
    const bool is_killed = death.signalled && death.number == SIGKILL;
    if (is_killed && group_ && group_->ran_out_of_memory()) return {Waited::Reason::too_much_memory, {}};
    return {Waited::Reason::dead, death};
}

std::optional<Waited::Reason> Session::Process::over_limit(Clock::time_point now) {
    using Reason = Waited::Reason;
    if (now < next_look_) return {};
    next_look_ = now + look_interval;
    if (thread_count(process_) > most_threads) return Reason::too_many_threads;
    const bool looks_at_all = now >= next_tree_look_;
    if (!looks_at_all && resident_bytes(process_) <= memory_limit_) return {};
    const std::vector<pid_t> all = tree();
    if (over_memory_limit(all) || (group_ && group_->ran_out_of_memory())) return Reason::too_much_memory;
    if (!looks_at_all) return {};
    next_tree_look_ = now + tree_look_interval;
    std::uint64_t threads = 0;
    for (const pid_t one : all) threads += thread_count(one);
    if (threads > most_threads) return Reason::too_many_threads;
    FileUse files;
    for (const std::filesystem::path& folder : folders_) files.add_folder(folder, file_limit_);
    if (files.bytes() > file_limit_) return Reason::too_many_files;
    return {};
}

Waited Session::Process::receive(protocol::Reply& reply, Clock::time_point deadline) {
    using Reason = Waited::Reason;
    std::optional<Clock::time_point> disconnected;
    for (;;) {
        const std::optional<Death> death = dead();  // before recv: what a dead process has sent is all there
        if (!disconnected) {
            const ssize_t size = ::recv(socket_.get(), &reply, sizeof reply, MSG_DONTWAIT | MSG_TRUNC);
            if (size > 0) {
                read_printed();
                return {size == sizeof reply ? Reason::message : Reason::damaged_message, {}};
            }
            if (size == 0 && !hung_up(socket_.get())) return {Reason::damaged_message, {}};
            if (size == 0 || (errno != EAGAIN && errno != EINTR)) disconnected = Clock::now();
        }
        read_printed();
        if (death) return because_of(*death);
        const Clock::time_point now = Clock::now();
        if (disconnected && now > *disconnected + grace_after_disconnection) return {Reason::disconnected, {}};
        if (now >= deadline || (cancelled_ && *cancelled_)) return {Reason::too_late, {}};
        if (const std::optional<Reason> why = over_limit(now)) return {*why, {}};

        pollfd watched[] = {{disconnected ? -1 : socket_.get(), POLLIN, 0}, {pipe_.get(), POLLIN, 0}};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now);
        const auto pause = disconnected ? 1ms : std::min<std::chrono::milliseconds>(look_interval, left);
        ::poll(watched, 2, static_cast<int>(pause.count()));
    }
}

Waited Session::Process::time(std::uint64_t sequence, std::span<const protocol::CanaryRecord> canaries,
                              Clock::time_point deadline, double& seconds) {
    using Reason = Waited::Reason;
    protocol::ClockPage& page = output_.clock();
    const std::atomic_ref<std::uint64_t> go(page.go), done(page.done);
    const Clock::time_point start = Clock::now();
    Clock::time_point now = start, next_check = start + 1ms;
    next_look_ = start + look_interval;
    done.store(0, std::memory_order_relaxed);
    protocol::CanaryPage& true_values = output_.canaries();
    true_values.count = std::min<std::uint64_t>(canaries.size(), protocol::most_canaries);
    std::copy_n(canaries.begin(), true_values.count, true_values.records);
    go.store(sequence, std::memory_order_release);
    while (done.load(std::memory_order_acquire) != sequence) {
        std::this_thread::yield();  // returns at once unless somebody, perhaps the runner, waits for this core
        now = Clock::now();
        if (now < next_check) continue;
        next_check = now + 1ms;
        read_printed();
        if (const std::optional<Death> death = dead()) return because_of(*death);
        if (now >= deadline) return {Reason::too_late, {}};
        if (const std::optional<Reason> why = over_limit(now)) return {*why, {}};
    }
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return {};
}

}  // namespace course
