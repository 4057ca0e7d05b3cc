// SPDX-License-Identifier: MIT
#include "run/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

#include "protocol/protocol.hpp"
#include "run/file_use.hpp"
#include "sandbox/sandbox.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

namespace course {
namespace {

using namespace std::chrono_literals;

constexpr auto look_interval = 20ms;
constexpr auto tree_look_interval = 100ms;
constexpr auto grace_after_disconnection = 2s;  // a dying process closes its socket some time before it is dead
constexpr double kill_seconds = 10;
constexpr std::uint64_t max_threads = 4096;   // including those of the processes that it started
constexpr std::size_t max_in_cgroup = 8192;   // of threads, again: the grader's message is better than the kernel's

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
    socket_ = UniqueFd(pair[0]);
    const UniqueFd runner_socket(pair[1]);
    if (::pipe2(ends, O_CLOEXEC) != 0) throw_errno("pipe");
    pipe_ = UniqueFd(ends[0]);
    const UniqueFd runner_pipe(ends[1]);
    if (::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK) != 0) throw_errno("fcntl(O_NONBLOCK)");

    // Files in its folders may be in memory, too. Those on a disk are given up before anything is killed.
    if (const CgroupPlaces& places = usable_cgroups(); options.sandboxed && places.version > 0)
        group_.emplace(places, Cgroup::Limits{memory_limit_ + file_limit_, max_in_cgroup});
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
    // A request that can't be sent gets no answer, and the wait for it finds out why.
    while (::send(socket_.get(), &request, sizeof request, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR) {}
}

std::optional<Death> Session::Process::dead() noexcept {
    if (death_) return death_;
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0) {
        return {};
    }
    ::kill(-process_, SIGKILL);  // the whole group at once, while the number is still its own
    forget_process(process_);
    ::waitpid(process_, nullptr, 0);
    death_ = Death{ended.si_code != CLD_EXITED, ended.si_status};
    return death_;
}

void Session::Process::read_printed() {
    std::array<char, 64 * 1024> buffer;
    for (int round = 0; pipe_ && round < 16; ++round) {  // bounded: a flood of output must not delay the deadline
        const ssize_t size = ::read(pipe_.get(), buffer.data(), buffer.size());
        if (size > 0) printed_.append(buffer.data(), static_cast<std::size_t>(size));
        else if (size == 0) pipe_ = UniqueFd();
        else if (errno != EINTR) return;
    }
}

std::vector<pid_t> Session::Process::tree() const {
    std::array<pid_t, 512> found;
    const std::size_t count = find_processes({.process = process_, .adopted = true}, found);
    return {found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count)};
}

bool Session::Process::over_memory_limit(std::span<const pid_t> tree) const {
    FileUse nameless;   // memory, too, even if it isn't mapped
    for (const int ours : {input_.reader(), output_.writer()}) nameless.leave_out(ours);
    for (const pid_t one : tree) nameless.add_nameless_files_of(living_thread(one));
    const auto with_all_else = [&](std::uint64_t (*resident)(pid_t)) {
        std::uint64_t bytes = nameless.bytes();
        for (const pid_t one : tree) bytes += resident(one) + page_table_bytes(one);
        return bytes;
    };
    // The first one counts shared pages repeatedly.
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
    if (thread_count(process_) > max_threads) return Reason::too_many_threads;
    const bool looks_at_all = now >= next_tree_look_;
    if (!looks_at_all && resident_bytes(process_) <= memory_limit_) return {};
    const std::vector<pid_t> all = tree();
    if (over_memory_limit(all) || (group_ && group_->ran_out_of_memory())) return Reason::too_much_memory;
    if (!looks_at_all) return {};
    next_tree_look_ = now + tree_look_interval;
    std::uint64_t threads = 0;
    for (const pid_t one : all) threads += thread_count(one);
    if (threads > max_threads) return Reason::too_many_threads;
    FileUse files;
    for (const std::filesystem::path& folder : folders_) files.add_folder(folder, file_limit_);
    if (files.bytes() > file_limit_) return Reason::too_many_files;
    return {};
}

Waited Session::Process::receive(protocol::Reply& reply, Clock::time_point deadline) {
    using Reason = Waited::Reason;
    std::optional<Clock::time_point> disconnected;
    for (;;) {
        const std::optional<Death> death = dead();  // before recv: then everything that a dead process sent has arrived
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
    true_values.count = std::min<std::uint64_t>(canaries.size(), protocol::max_canaries);
    std::copy_n(canaries.begin(), true_values.count, true_values.records);
    go.store(sequence, std::memory_order_release);
    while (done.load(std::memory_order_acquire) != sequence) {
        std::this_thread::yield();  // returns at once unless another thread, perhaps the runner, waits for this core
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

namespace {

// The result of getdents64; glibc declares it only in its own sources.
struct DirectoryEntry {
    std::uint64_t inode;
    std::int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[1];
};

// Every entry of the folder that is a number: a process in /proc, a thread in /proc/<pid>/task.
template <class Function>
void for_each_number(const char* path, Function visit) noexcept {
    const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    alignas(DirectoryEntry) std::array<char, 4096> buffer;
    for (long size = 0; (size = ::syscall(SYS_getdents64, folder, buffer.data(), buffer.size())) > 0;) {
        for (long at = 0; at < size;) {
            const auto* entry = reinterpret_cast<const DirectoryEntry*>(buffer.data() + at);
            at += entry->length;
            const char* name = entry->name;
            pid_t process = 0;
            std::from_chars(name, name + std::strlen(name), process);
            if (process > 0) visit(process);
        }
    }
    ::close(folder);
}

bool is_root(ProcessRoot root, pid_t process, const ProcessStat& state, pid_t self, pid_t own_session) noexcept {
    if (process == root.process) return true;
    if (state.parent != self) return false;
    return root.children || (root.adopted && state.session != own_session && !is_noted_process(process));
}

}  // namespace

std::size_t find_processes(ProcessRoot root, std::span<pid_t> found) noexcept {
    const pid_t self = ::getpid(), own_session = ::getsid(0);
    std::size_t count = 0;
    // A child's number is usually above its parent's, so the first pass finds nearly all; repeat until a pass finds
    // none.
    for (bool grew = true; grew;) {
        grew = false;
        for_each_number("/proc", [&](pid_t process) {
            const auto end = found.begin() + static_cast<std::ptrdiff_t>(count);
            if (process == self || count == found.size() || std::find(found.begin(), end, process) != end) return;
            const ProcessStat state = stat_of(process);
            const bool below = state.parent > 0 && std::find(found.begin(), end, state.parent) != end;
            if (!below && !is_root(root, process, state, self, own_session)) return;
            found[count++] = process;
            grew = true;
        });
    }
    return count;
}

bool kill_processes(ProcessRoot root, double seconds) noexcept {
    std::array<pid_t, 512> found;
    timespec now{}, end{};
    ::clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += static_cast<time_t>(seconds);
    for (;;) {
        const std::size_t count = find_processes(root, found);
        if (count == 0) return true;
        for (std::size_t k = 0; k < count; ++k) ::kill(found[k], SIGKILL);
        // Those that aren't our children (yet) are skipped: they become ours when their parents are gone.
        for (std::size_t k = 0; k < count; ++k) ::waitpid(found[k], nullptr, WNOHANG);
        ::clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec)) return false;
        const timespec pause{0, 1'000'000};
        ::nanosleep(&pause, nullptr);
    }
}

pid_t living_thread(pid_t process) noexcept {
    const auto has_memory = [](pid_t thread) noexcept {
        std::array<char, 256> buffer;
        std::string_view text = read_proc_file(thread, "statm", buffer);
        return next_number(text) > 0;
    };
    pid_t found = process;
    if (!has_memory(process))
        for_each_number(ProcPath(process, "task").get(), [&](pid_t thread) {
            if (found == process && has_memory(thread)) found = thread;
        });
    return found;
}

std::uint64_t thread_count(pid_t process) noexcept { return stat_of(process).threads; }

std::uint64_t resident_bytes(pid_t process) noexcept {
    std::array<char, 256> buffer;
    std::string_view text = read_proc_file(living_thread(process), "statm", buffer);
    next_number(text);  // the virtual size
    return static_cast<std::uint64_t>(next_number(text)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t proportional_bytes(pid_t process) noexcept {
    std::array<char, 2048> buffer;
    std::string_view text = read_proc_file(living_thread(process), "smaps_rollup", buffer);
    const std::size_t line = text.find("\nPss:");
    if (line == std::string_view::npos) return resident_bytes(process);  // not readable by us: use the upper bound
    text.remove_prefix(line + 5);
    return static_cast<std::uint64_t>(next_number(text)) * 1024;
}

std::uint64_t page_table_bytes(pid_t process) noexcept {
    std::array<char, 2048> buffer;
    std::string_view text = read_proc_file(living_thread(process), "status", buffer);
    const std::size_t line = text.find("\nVmPTE:");
    if (line == std::string_view::npos) return 0;
    text.remove_prefix(line + 7);
    while (text.starts_with('\t')) text.remove_prefix(1);
    return static_cast<std::uint64_t>(next_number(text)) * 1024;
}

namespace {

// What the runner gets from the grader's environment, besides libgpu's own switches (LIBGPU_...).
constexpr std::string_view passed_on[] = {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_HOME",    "CUDA_PATH",
                                          "ASAN_OPTIONS",    "UBSAN_OPTIONS",        "TSAN_OPTIONS"};

struct Limit {
    int resource;
    rlim_t value;
};

// Never RLIMIT_AS: CUDA reserves far more address space than it uses. RLIMIT_NPROC only for a separate user, since it
// counts all of the user's processes. A core size of 1 also keeps crash collectors away, which ignore 0 and take
// seconds.
constexpr Limit limits[] = {{RLIMIT_CORE, 1}, {RLIMIT_FSIZE, rlim_t{256} << 20}, {RLIMIT_NOFILE, 1024}};

constexpr rlim_t max_processes = 8192;   // including threads; the grader ends a call earlier

/// At most what the grader has: in a container root may not have more, either.
bool set_limit(const Limit& limit) noexcept {
    const auto resource = static_cast<__rlimit_resource_t>(limit.resource);
    rlimit old{};
    ::getrlimit(resource, &old);
    const rlim_t value = old.rlim_max < limit.value ? old.rlim_max : limit.value;
    const rlimit wanted{value, value};
    return ::setrlimit(resource, &wanted) == 0;
}

}  // namespace

std::vector<std::string> runner_environment(const SessionOptions& options) {
    const char* path = std::getenv("PATH");
    std::vector<std::string> environment = {
        std::string("PATH=") + (path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin"),
        "LANG=C.UTF-8",
        "HOME=" + options.scratch.string(),
        "TMPDIR=" + options.scratch.string(),
        "LIBGPU_DEVICE=" + options.device,
        "LIBGPU_CACHE_DIR=" + options.kernel_cache.string(),
        "LIBGPU_GUARD=1",
    };
    // Code on the host backend runs as on a machine without a GPU.
    const bool on_host = options.device.starts_with("host");
    if (on_host) environment.emplace_back("CUDA_VISIBLE_DEVICES=");
    if (options.devices > 0) environment.push_back("LIBGPU_HOST_DEVICES=" + std::to_string(options.devices));
    for (const std::string& variable : own_environment(options.variables)) {
        const std::string_view name = std::string_view(variable).substr(0, variable.find('='));
        const auto is_named = [&](std::string_view wanted) { return name == wanted; };
        const bool is_ours = name == "LIBGPU_DEVICE" || name == "LIBGPU_CACHE_DIR" || name == "LIBGPU_GUARD" ||
                             (on_host && name == "CUDA_VISIBLE_DEVICES") ||
                             (options.devices > 0 && name == "LIBGPU_HOST_DEVICES");
        if (is_ours) continue;
        if (std::any_of(std::begin(passed_on), std::end(passed_on), is_named) || name.starts_with("LIBGPU_")) {
            environment.push_back(variable);
        }
    }
    return environment;
}

Policy runner_policy(const SessionOptions& options) {
    const bool on_gpu = !options.device.starts_with("host");
    Policy policy{.paths = system_rules(options.around), .calls = on_gpu ? CallList::cuda_runner : CallList::runner,
                  .forks = options.around.compiler_is_script};
    policy.paths.push_back({std::filesystem::absolute(options.runner), Access::run});
    if (!options.object.empty())
        policy.paths.push_back({std::filesystem::absolute(options.object).parent_path(), Access::read});
    for (const char* source : {"/dev/random", "/dev/urandom"}) policy.paths.push_back({source, Access::read});
    policy.paths.push_back({options.scratch, Access::own});
    policy.paths.push_back({options.kernel_cache, Access::own});
    if (const char* dump = std::getenv("LIBGPU_DUMP"); dump != nullptr && *dump != '\0')
        policy.paths.push_back({dump, Access::own});
    policy.as = options.as;
    if (on_gpu)
        for (PathRule& rule : gpu_rules()) policy.paths.push_back(std::move(rule));
    return policy;
}

pid_t spawn_runner(const SessionOptions& options, const RunnerDescriptors& descriptors, const Cgroup* group) {
    static_assert(protocol::socket_fd == 3 && protocol::input_fd == 4 && protocol::output_fd == 5);
    std::optional<Sandbox> sandbox;
    if (options.sandboxed) sandbox.emplace(runner_policy(options));
    const auto first = [&]() -> const char* {
        if (group != nullptr && !group->enter()) return "a cgroup of its own";
        for (const Limit& one : limits)
            if (!set_limit(one)) return "setrlimit";
        // A user of its own has no other processes.
        return sandbox && options.as && !set_limit({RLIMIT_NPROC, max_processes}) ? "setrlimit" : nullptr;
    };
    const auto last = [&](int kept) {
        if (sandbox) return sandbox->enter(kept);
        return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? nullptr : "prctl(PR_SET_NO_NEW_PRIVS)";
    };
    const std::string object =
        options.object.empty() ? protocol::reference_option : std::filesystem::absolute(options.object).string();
    return start_process({.arguments = {std::filesystem::absolute(options.runner).string(), object},
                          .environment = runner_environment(options),
                          .folder = options.scratch,
                          .descriptors = {-1, descriptors.printed, descriptors.printed, descriptors.socket,
                                          descriptors.input, descriptors.output},
                          .first = first,
                          .last = last});
}

}  // namespace course
