// SPDX-License-Identifier: MIT
#include "gpucc/driver/debug.hpp"

#include <sys/personality.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "host/base/process.hpp"

namespace gpucc {

namespace {

void look_for_gdb(const std::string& gdb) {
    const std::string get = "; to get it: sudo apt-get install gdb (Debian, Ubuntu), sudo dnf install gdb (Fedora)";
    if (gdb.empty()) throw std::runtime_error("--debug needs gdb, the debugger, and it isn't here" + get);
    const auto said = gpu::detail::host::run_process({gdb, "-nx", "-batch", "-ex", "python print(6 * 7)"}, {},
                                                     std::chrono::seconds(30));
    if (said.output.find("42") == std::string::npos)
        throw std::runtime_error("--debug needs a gdb with Python, which " + gdb + " hasn't" + get);
}

// Containers tend to forbid that gdb takes the same addresses each time; it would warn of that.
bool addresses_can_be_fixed() {
    const int usual = ::personality(0xffffffff);
    if (usual == -1 || ::personality(static_cast<unsigned long>(usual) | ADDR_NO_RANDOMIZE) == -1) return false;
    ::personality(static_cast<unsigned long>(usual));
    return true;
}

}  // namespace

std::vector<std::string> debug_command(const std::vector<std::string>& program, const std::string& at,
                                       const std::string& commands) {
    const std::string gdb = gpu::detail::host::find_program("gdb");
    look_for_gdb(gdb);
    for (const auto& [name, value] : {std::pair("GPUCC_CHECK", "1"), std::pair("LIBGPU_DEBUG_KERNELS", "1"),
                                      std::pair("LIBGPU_GUARD", "1"), std::pair("LIBGPU_CHECK_SCHEDULE", "fixed"),
                                      std::pair("LIBGPU_CHECK_WORKERS", "1"), std::pair("GPUCC_PROGRESS", "0")})
        ::setenv(name, value, 1);
    std::vector<std::string> command{gdb, "-q", "-nx"};
    const auto asks = [&](const std::string& line) { command.insert(command.end(), {"-ex", line}); };
    asks("source " + commands + "/quiet.gdb");
    if (!addresses_can_be_fixed()) asks("set disable-randomization off");
    asks("source " + commands + "/gpu.py");
    if (!at.empty()) asks("python gdb.execute('gpu break " + at + "', to_string=True)");
    asks("run");
    // Nothing has stopped it.
    asks("python import gdb; gdb.selected_inferior().pid == 0 and (print('" +
         (at.empty()
              ? std::string("gpucc: check mode found no mistake to stop at; --at prog.cu:12 stops at a line of a "
                            "kernel, --at NAME where a kernel begins")
              : "gpucc: " + at + " was not reached, in no kernel") +
         "'), gdb.execute('quit'))");
    command.emplace_back("--args");
    command.insert(command.end(), program.begin(), program.end());
    return command;
}

}  // namespace gpucc
