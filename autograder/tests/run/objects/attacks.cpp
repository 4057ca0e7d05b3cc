// SPDX-License-Identifier: MIT
// What a student's function may do instead of its work; hostile_objects_test.cpp says how each must end.

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "protocol/protocol.hpp"
#include "raw_object.hpp"

namespace {

using course::protocol::input_fd;
using course::protocol::output_fd;
using course::protocol::socket_fd;
using raw::Input;
using raw::Output;

void correct(Input x, Output y) {
    for (std::size_t k = 0; k < x.size(); ++k) y[k] = 2 * x[k];
}

void nothing(Input, Output) {}

void changes_its_input(Input x, Output y) {
    correct(x, y);
    if (!x.empty()) const_cast<float&>(x[0]) = -1;
}

// --- ends the program ------------------------------------------------------------------------------------------------
void exits_0(Input, Output) { std::exit(0); }
void quick_exits_0(Input, Output) { ::_exit(0); }
void exits_with_112(Input, Output) { ::_exit(course::protocol::connection_lost); }
void prints_pass_and_exits(Input, Output) {
    std::puts("PASS 100/100\n{\"status\": \"passed\"}");
    std::exit(0);
}
void segfault(Input, Output) {
    const volatile std::uintptr_t nowhere = 64;   // not 0: sanitizers stop that before the kernel does
    *reinterpret_cast<volatile int*>(nowhere) = 1;
}
void aborts(Input, Output) { std::abort(); }
void throws(Input, Output) { throw std::out_of_range("index 7 of 5"); }
void throws_an_int(Input, Output) { throw 7; }
void throws_in_noexcept(Input x, Output) {
    [&]() noexcept { return std::vector<float>(x.begin(), x.end()).at(x.size()); }();
}
void crashes_later(Input x, Output y) {
    correct(x, y);
    std::thread([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        std::abort();
    }).detach();
}

// --- never ends, never stops -----------------------------------------------------------------------------------------
void loops(Input, Output) {
    for (std::atomic<int> k = 0;; ++k) {}
}
void allocates_without_end(Input, Output) {
    for (;;) std::memset(std::malloc(1 << 20), 1, 1 << 20);
}
void allocates_in_a_child(Input x, Output y) {
    if (::fork() == 0) allocates_without_end(x, y);
    ::pause();
}
void allocates_in_a_daemon(Input x, Output y) {
    if (::fork() == 0) {
        ::setsid();
        if (::fork() == 0) allocates_without_end(x, y);
        ::_exit(0);
    }
    ::pause();
}
void allocates_when_its_first_thread_has_ended(Input x, Output y) {
    std::thread([=] { allocates_without_end(x, y); }).detach();
    ::syscall(SYS_exit, 0);   // of this thread alone: /proc/<process>/statm says 0 from now on
}
void fills_page_tables(Input, Output) {   // by pages that are read only: none of them is the process's own
    const std::size_t terabyte = std::size_t{1} << 40;
    void* const memory = ::mmap(nullptr, terabyte, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error(std::strerror(errno));
    for (std::size_t at = 0; at < terabyte; at += std::size_t{2} << 20)
        static_cast<void>(static_cast<const volatile char*>(memory)[at]);
    ::pause();
}
void starts_threads_without_end(Input, Output) {
    pthread_attr_t small;
    ::pthread_attr_init(&small);
    ::pthread_attr_setstacksize(&small, 64 * 1024);
    const auto wait = [](void*) -> void* { return ::pause(), nullptr; };
    for (pthread_t thread; ::pthread_create(&thread, &small, wait, nullptr) == 0;) {}
    ::pause();
}
void allocates_untouched(Input x, Output y) {
    const std::size_t terabyte = std::size_t{1} << 40;
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* memory = ::mmap(nullptr, terabyte, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error(std::strerror(errno));
    correct(x, y);
    ::munmap(memory, terabyte);
}
void asks_for_too_much(Input, Output) { std::vector<double>(std::size_t{1} << 50).front() = 1; }
void prints_10_mb(Input x, Output y) {
    const std::string line(99, 'x');
    for (int k = 0; k < 100'000; ++k) std::puts(line.c_str());
    correct(x, y);
}
void prints_without_end(Input, Output) {
    const std::string much(1 << 20, 'x');
    while (::write(1, much.data(), much.size()) >= 0) {}
}
void prints_control_characters(Input x, Output y) {
    std::fputs("\x1b[2J\x1b[31mred\a \xff\xfe caf\xc3\xa9\r\n", stdout);
    std::fputs("to stderr\n", stderr);
    correct(x, y);
}
void writes_a_huge_file(Input, Output) {
    const int file = ::open("huge", O_CREAT | O_RDWR, 0600);
    if (::ftruncate(file, off_t{1} << 30) != 0) std::perror("ftruncate");
}

void fills_the_disk(Input, Output) {
    const std::vector<char> much(1 << 20, 'x');
    for (int number = 0;; ++number) {
        const int file = ::open(("file" + std::to_string(number)).c_str(), O_CREAT | O_WRONLY, 0600);
        for (int k = 0; k < 16; ++k)
            if (::write(file, much.data(), much.size()) < 0) ::pause();
        ::close(file);
    }
}
void fills_the_disk_below_the_longest_path(Input x, Output y) {
    const std::string name(200, 'd');
    for (int k = 0; k < 30; ++k)
        if (::mkdir(name.c_str(), 0700) != 0 || ::chdir(name.c_str()) != 0) std::perror("mkdir");
    fills_the_disk(x, y);
}
void fills_the_disk_in_a_closed_folder(Input x, Output y) {
    if (::mkdir("closed", 0300) != 0 || ::chdir("closed") != 0) std::perror("mkdir");
    fills_the_disk(x, y);
}
void makes_files_without_end(Input, Output) {
    for (int number = 0;; ++number)
        ::close(::open(("file" + std::to_string(number)).c_str(), O_CREAT | O_WRONLY, 0600));
}
void hides_memory_in_files_without_names(Input, Output) {
    const std::vector<char> much(1 << 20, 'x');
    for (;;) {
        const int file = ::memfd_create("hidden", 0);
        for (int k = 0; k < 16; ++k)
            if (::write(file, much.data(), much.size()) < 0) ::pause();
    }
}
// Of each file a page stays mapped, which keeps it, and no file of /proc says how large it is.
void hides_memory_in_closed_files(Input x, Output y) {
    const std::vector<char> much(1 << 20, 'x');
    for (int count = 0; count < 48; ++count) {
        const int file = ::memfd_create("hidden", 0);
        for (int k = 0; k < 16; ++k)
            if (::write(file, much.data(), much.size()) < 0) ::pause();
        if (::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED) ::pause();
        ::close(file);
    }
    correct(x, y);
}

// --- leaves processes behind -----------------------------------------------------------------------------------------
void leaves_a_child(Input x, Output y) {
    if (::fork() == 0) {
        for (;;) ::pause();
    }
    correct(x, y);
}
void leaves_a_daemon(Input x, Output y) {
    if (::fork() == 0) {
        ::setsid();
        if (::fork() != 0) ::_exit(0);
        ::setsid();
        for (int descriptor = 0; descriptor < 64; ++descriptor) ::close(descriptor);
        for (;;) ::pause();
    }
    correct(x, y);
}
void leaves_a_daemon_and_exits(Input x, Output y) {
    leaves_a_daemon(x, y);
    std::exit(0);
}
void leaves_a_child_with_the_socket_and_aborts(Input x, Output y) {
    leaves_a_child(x, y);
    std::abort();
}

// --- touches what belongs to the protocol ----------------------------------------------------------------------------
void closes_everything(Input x, Output y) {
    for (int descriptor = 0; descriptor < 64; ++descriptor) ::close(descriptor);
    correct(x, y);
}
void closes_everything_and_loops(Input x, Output y) {
    closes_everything(x, y);
    loops(x, y);
}
void closes_the_pipe(Input x, Output y) {
    ::close(1);
    ::close(2);
    correct(x, y);
}
void writes_garbage(Input x, Output y) {
    const char garbage[] = "not a reply";
    [[maybe_unused]] const ssize_t written = ::write(socket_fd, garbage, sizeof garbage);
    correct(x, y);
}
void replies_early(Input x, Output y) {
    auto reply = std::make_unique<course::protocol::Reply>();
    reply->magic = course::protocol::magic;
    reply->version = course::protocol::version;
    reply->sequence = 1;
    reply->status = course::protocol::Status::done;
    ::send(socket_fd, reply.get(), sizeof *reply, 0);
    correct(x, y);
}
void sends_nothing(Input x, Output y) {
    ::send(socket_fd, "", 0, 0);
    correct(x, y);
}
// Gives the errno of each thing that must not work.
void resizes_the_output(Input, Output y) {
    y[0] = static_cast<float>(::ftruncate(output_fd, 0) == 0 ? 0 : errno);
    y[1] = static_cast<float>(::fcntl(output_fd, F_ADD_SEALS, F_SEAL_WRITE) == 0 ? 0 : errno);
}
void writes_the_input(Input, Output y) {
    y[0] = static_cast<float>(::pwrite(input_fd, "x", 1, 0) == 1 ? 0 : errno);
    void* memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, input_fd, 0);
    y[1] = static_cast<float>(memory != MAP_FAILED ? 0 : errno);
    const int again = ::open("/proc/self/fd/4", O_RDWR);   // its mode doesn't forbid it; the seal does
    y[2] = static_cast<float>(again < 0 || ::pwrite(again, "x", 1, 0) == 1 ? 0 : errno);
    memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0);
    y[3] = static_cast<float>(memory != MAP_FAILED ? 0 : errno);
}
// Answers at once and writes its results into the output memory when the grader has read it.
void writes_results_late(Input x, Output) {
    std::thread([values = std::vector<float>(x.begin(), x.end())] {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        for (std::size_t k = 0; k < values.size(); ++k) {
            const float value = 2 * values[k];
            [[maybe_unused]] const ssize_t written =
                ::pwrite(output_fd, &value, sizeof value, static_cast<off_t>(k * sizeof value));
        }
    }).detach();
}

// Works on what its argument held before the clock started.
void begins_early(Input, Output y) {
    for (std::size_t k = 0; k < y.size(); ++k) y[k] = 2 * raw::before_the_call[k];
}

course::protocol::ClockPage& clock_page() {
    static void* const memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, output_fd,
                                       static_cast<off_t>(course::protocol::clock_offset));
    if (memory == MAP_FAILED) throw std::runtime_error("mmap");
    return *static_cast<course::protocol::ClockPage*>(memory);
}
void stop_clock(course::protocol::ClockPage& page) {
    std::atomic_ref<std::uint64_t>(page.done).store(std::atomic_ref<std::uint64_t>(page.go).load());
}
void correct_after_150_ms(Input x, Output y) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    correct(x, y);
}

// Stops the grader's clock itself, and begins to work then.
void done_before_the_work(Input x, Output y) {
    stop_clock(clock_page());
    correct_after_150_ms(x, y);
}
// The same by a thread that stops the clock whenever it runs, of later calls before they begin.
void stops_the_clock_for_ever(Input x, Output y) {
    static const bool started = [] {
        std::thread([&page = clock_page()] {
            for (;;) {
                stop_clock(page);
                std::this_thread::sleep_for(std::chrono::microseconds(50));
            }
        }).detach();
        return true;
    }();
    static_cast<void>(started);
    correct_after_150_ms(x, y);
}

// --- looks around ----------------------------------------------------------------------------------------------------
void prints_its_environment(Input x, Output y) {
    for (char** variable = environ; *variable != nullptr; ++variable) std::puts(*variable);
    correct(x, y);
}
void counts_its_descriptors(Input, Output y) {
    int open = 0;
    for (int descriptor = 0; descriptor < 1024; ++descriptor) open += ::fcntl(descriptor, F_GETFD) >= 0 ? 1 : 0;
    y[0] = static_cast<float>(open);
    y[4] = ::fcntl(100, F_GETFD) >= 0 ? 1.f : 0.f;
    rlimit core{}, address{};
    ::getrlimit(RLIMIT_CORE, &core);
    ::getrlimit(RLIMIT_AS, &address);
    y[1] = static_cast<float>(core.rlim_max);
    y[2] = address.rlim_max == RLIM_INFINITY ? 1.f : 0.f;
    y[3] = ::getsid(0) == ::getpid() ? 1.f : 0.f;
}
void sleeps_50_ms(Input x, Output y) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    correct(x, y);
}

#define RAW_FUNCTION(name) raw::Function::of<name>(#name)
raw::Function functions[] = {
    RAW_FUNCTION(correct), RAW_FUNCTION(nothing), RAW_FUNCTION(changes_its_input), RAW_FUNCTION(exits_0),
    RAW_FUNCTION(quick_exits_0), RAW_FUNCTION(exits_with_112), RAW_FUNCTION(prints_pass_and_exits),
    RAW_FUNCTION(segfault), RAW_FUNCTION(aborts), RAW_FUNCTION(throws), RAW_FUNCTION(throws_an_int),
    RAW_FUNCTION(throws_in_noexcept), RAW_FUNCTION(crashes_later), RAW_FUNCTION(loops),
    RAW_FUNCTION(allocates_without_end), RAW_FUNCTION(allocates_in_a_child), RAW_FUNCTION(allocates_in_a_daemon),
    RAW_FUNCTION(allocates_untouched), RAW_FUNCTION(prints_without_end),
    RAW_FUNCTION(asks_for_too_much), RAW_FUNCTION(prints_10_mb), RAW_FUNCTION(prints_control_characters),
    RAW_FUNCTION(writes_a_huge_file), RAW_FUNCTION(fills_the_disk), RAW_FUNCTION(hides_memory_in_files_without_names),
    RAW_FUNCTION(hides_memory_in_closed_files),
    RAW_FUNCTION(fills_the_disk_below_the_longest_path), RAW_FUNCTION(fills_the_disk_in_a_closed_folder),
    RAW_FUNCTION(makes_files_without_end), RAW_FUNCTION(fills_page_tables), RAW_FUNCTION(starts_threads_without_end),
    RAW_FUNCTION(allocates_when_its_first_thread_has_ended),
    RAW_FUNCTION(leaves_a_child), RAW_FUNCTION(leaves_a_daemon),
    RAW_FUNCTION(leaves_a_daemon_and_exits), RAW_FUNCTION(leaves_a_child_with_the_socket_and_aborts),
    RAW_FUNCTION(closes_everything), RAW_FUNCTION(closes_everything_and_loops), RAW_FUNCTION(closes_the_pipe),
    RAW_FUNCTION(writes_garbage), RAW_FUNCTION(replies_early), RAW_FUNCTION(sends_nothing),
    RAW_FUNCTION(resizes_the_output), RAW_FUNCTION(writes_the_input), RAW_FUNCTION(writes_results_late),
    RAW_FUNCTION(prints_its_environment), RAW_FUNCTION(counts_its_descriptors), RAW_FUNCTION(sleeps_50_ms),
    RAW_FUNCTION(begins_early), RAW_FUNCTION(done_before_the_work),
    RAW_FUNCTION(stops_the_clock_for_ever),
};

}  // namespace

const course::binding::Function* course_bindings() {
    const course::binding::Function* list = nullptr;
    for (raw::Function& function : functions) list = function.link(list);
    return list;
}
