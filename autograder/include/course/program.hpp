// SPDX-License-Identifier: MIT
#pragma once

/// @file
/// What the bind.cpp of an exercise with `kind = "program"` is written with. The student's main() runs as a program
/// would: with arguments, files in an empty folder, an exit code.
///
///     std::vector<float> saxpy(float a, const std::vector<float>& x, const std::vector<float>& y) {
///         course::write_values<float>("input.bin", {&a, 1});
///         course::write_values<float>("input.bin", x, true);
///         course::write_values<float>("input.bin", y, true);
///         course::run_to_success({"input.bin", "result.bin"});
///         return course::read_values<float>("result.bin");
///     }
///     COURSE_BIND(saxpy)
///
/// Each call has a process of its own (run/session.hpp), so nothing is left of the program's earlier runs. The values
/// that are returned must be those that the program copied from the device, byte by byte: only then can class grading
/// do its work again.

#include <csetjmp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

// gpucc's runtime, libgpucc.so: what it says when a program ends, and a call of CUDA's API that fails on purpose.
namespace gpucc {
void finish_program();
void fail_call(int number);
}  // namespace gpucc

// The program's: hidden, so that it is never confused with the main() of the process.
extern "C" __attribute__((visibility("hidden"))) int course_program_main(int count, char** arguments) __asm__("main");
extern "C" void __cxa_finalize(void* object);
extern "C" __attribute__((visibility("hidden"))) void* __dso_handle;

namespace course {

namespace program_detail {

struct OpenRun {
    std::jmp_buf end;
    std::thread::id thread;
    volatile int exit_code = 0;
};
inline OpenRun* open_run = nullptr;

// The program's exit() comes back here; as in any program, no local variable's destructor runs.
__attribute__((noinline)) inline int call_main(int count, char** arguments) {
    OpenRun run;
    run.thread = std::this_thread::get_id();
    open_run = &run;
    if (setjmp(run.end) == 0) run.exit_code = course_program_main(count, arguments);
    open_run = nullptr;
    return run.exit_code & 0xff;
}

}  // namespace program_detail

/// Runs the program with these arguments behind its name, and returns its exit code. What it registered with atexit()
/// has been done then, its static objects are destroyed, its files are written.
inline int run_program(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> pointers;
    for (std::string& one : arguments) pointers.push_back(one.data());
    pointers.push_back(nullptr);
    const int code = program_detail::call_main(static_cast<int>(arguments.size()), pointers.data());
    __cxa_finalize(__dso_handle);
    std::fflush(nullptr);
    gpucc::finish_program();
    return code;
}

/// The same without what it prints, for runs that are meant to fail: the verdict would quote each of their messages.
inline int run_silently(std::vector<std::string> arguments) {
    class Silence {
    public:
        Silence() {
            std::fflush(nullptr);
            const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
            for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
            ::close(nothing);
        }
        Silence(const Silence&) = delete;
        Silence& operator=(const Silence&) = delete;
        ~Silence() {
            for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
                ::dup2(kept_[stream - STDOUT_FILENO], stream);
                ::close(kept_[stream - STDOUT_FILENO]);
            }
        }

    private:
        int kept_[2] = {::dup(STDOUT_FILENO), ::dup(STDERR_FILENO)};
    };
    const Silence silence;
    return run_program(std::move(arguments));
}

/// The same as run_program(), for a run that should succeed. @throws std::runtime_error with the exit code, if it isn't
/// 0
inline void run_to_success(std::vector<std::string> arguments) {
    if (const int code = run_program(std::move(arguments)); code != 0)
        throw std::runtime_error("the program ended with exit code " + std::to_string(code));
}

/// Writes values to a file of the program's folder, byte by byte as they lie in memory; behind what is there already if
/// `appends`.
template <class T>
void write_values(const std::string& file, std::span<const T> values, bool appends = false) {
    std::ofstream out(file, appends ? std::ios::binary | std::ios::app : std::ios::binary);
    out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
    if (!out.flush()) throw std::runtime_error("could not write " + file);
}

/// Reads such a file, from `skipped` bytes on. @throws std::runtime_error if the program has written none, or a part of
/// a value
template <class T>
std::vector<T> read_values(const std::string& file, std::size_t skipped = 0) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("the program wrote no file " + file);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.size() < skipped || (bytes.size() - skipped) % sizeof(T) != 0)
        throw std::runtime_error(file + " has " + std::to_string(bytes.size()) + " bytes" +
                                 (skipped > 0 ? ", " + std::to_string(skipped) + " of them before the values" : "") +
                                 ": values of " + std::to_string(sizeof(T)) + " bytes each are expected");
    std::vector<T> values((bytes.size() - skipped) / sizeof(T));
    std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(skipped), bytes.end(),
              reinterpret_cast<char*>(values.data()));
    return values;
}

}  // namespace course

// The linker brings the program's exit() here (-Wl,--wrap=exit).
extern "C" [[noreturn]] __attribute__((used)) void __wrap_exit(int code) {
    course::program_detail::OpenRun* const run = course::program_detail::open_run;
    if (run == nullptr || run->thread != std::this_thread::get_id()) ::_exit(code);
    run->exit_code = code;
    std::longjmp(run->end, 1);
}
