// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "driver_run.hpp"

// gpucc --ledger, --show, --debug, --json, and the line in which a long kernel says how far it is.
namespace gpucc_test {

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string content(const std::string& path) { return gpu::detail::host::read_file(path); }

// 1: two kernels, one of them three times, and each kind of work that a ledger has.
constexpr const char* busy = R"(#include <cstdio>
template <class T>
__global__ void scale(T* x, T factor) { x[threadIdx.x] *= factor; }
__global__ void clear(float* x) { x[threadIdx.x] = 0; }
__constant__ float table[4];
int main() {
    float h[64] = {}, *d, *pinned;
    cudaMalloc(&d, 256);
    cudaMallocHost(&pinned, 256);
    cudaMemcpyToSymbol(table, h, 16);
    cudaMemset(d, 0, 256);
    cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
    clear<<<1, 64>>>(d);
    for (int k = 1; k <= 3; ++k)
        scale<<<dim3(1, 1), dim3(8 * k, 2)>>>(d, 2.0f);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(pinned, d, 128, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaDeviceSynchronize();
    cudaMemcpy(h, pinned, 32, cudaMemcpyHostToHost);
    cudaFreeHost(pinned);
    cudaFree(d);
    return 7;
}
)";

}  // namespace

TEST_CASE("the ledger has each piece of work with its line, in CUDA's words, and the totals") {
    const Built built(busy);
    REQUIRE(built.is_there());
    const ProcessResult result = run(GPUCC_DRIVER " --ledger " + built.program);
    CHECK(result.code == 7);
    CHECK(result.output ==
          R"(prog.cu:8             cudaMalloc                   256 B
prog.cu:9             cudaMallocHost               256 B
prog.cu:10            cudaMemcpyToSymbol            16 B  host to device, waits
prog.cu:11            cudaMemset                   256 B
prog.cu:12            cudaMemcpy                   256 B  host to device, waits
prog.cu:13            clear<<<1, 64>>>
prog.cu:15            scale<float><<<1, (8, 2)>>>
prog.cu:15            scale<float><<<1, (16, 2)>>>
prog.cu:15            scale<float><<<1, (24, 2)>>>
prog.cu:18            cudaMemcpyAsync              128 B  device to host
prog.cu:19            cudaMemcpyAsync               64 B  device to host, asynchronous, of pageable memory
prog.cu:20            cudaStreamSynchronize
prog.cu:21            cudaDeviceSynchronize
prog.cu:22            cudaMemcpy                    32 B  host to host
prog.cu:23            cudaFreeHost                 256 B
prog.cu:24            cudaFree                     256 B
totals: 1 allocation (256 B), 2 copies to the device (272 B), 2 copies to the host (192 B), 4 launches, 4 waits
)");
    CHECK(run("GPUCC_LEDGER=0 " + built.program).output.empty());
}

TEST_CASE("--help has the options by group") {
    const std::string help = run(GPUCC_DRIVER " --help").output;
    for (const char* const text : {"What to make", "How to compile", "Find mistakes", "See what it does", "About gpucc",
                                   "-o FILE", "-MD, -MMD", "-MF FILE", "-ccbin",
                                   "--check-exit-code N", "--leaks", "--json", "--counts",
                                   "--ledger", "--show PAGE.html", "--kernel NAME", "--launch N", "--debug",
                                   "--at PLACE",
                                   "--version"})
        CHECK(holds(help, text));
    std::size_t widest = 0;
    for (std::size_t at = 0, end = 0; (end = help.find('\n', at)) != help.npos; at = end + 1)
        widest = std::max(widest, end - at);
    CHECK(widest <= 120);
}

TEST_CASE("JSON holds findings, counts and the exit code") {
    const Built built(busy);
    REQUIRE(built.is_there());
    const std::string path = built.folder.path() + "/report.json";
    const ProcessResult result = run("GPUCC_JSON=" + path + " " + built.program);
    CHECK(result.code == 7);
    const auto report = nlohmann::json::parse(content(path));
    CHECK(report["exit_code"] == 7);
    CHECK(report["clean"] == false);  // prog.cu:15 goes beyond 16 elements' beginning: rows of threads race
    CHECK(report["findings"].size() > 0);
    CHECK(report["kernels"].size() == 2);
    CHECK(report["kernels"][1]["launches"] == 3);
    CHECK(report["kernels"][0]["first_line"] == 2);
    CHECK(report["kernels"][0]["source"].get<std::string>().starts_with(
        "template <class T>\n__global__ void scale(T* x, T factor) {"));
    CHECK(report["host"]["copies_to_device"] == 2);
    CHECK(report["host"]["bytes_to_host"] == 192);
    CHECK(report["host"]["launches"] == 4);
}

TEST_CASE("pictures of all launches, of a kernel's, and of one of them") {
    const Built built(busy);
    REQUIRE(built.is_there());
    const std::string page = built.folder.path() + "/page.html";
    const auto show = [&](const std::string& options) {
        const ProcessResult result = run(GPUCC_DRIVER " --show " + page + " " + options + " " + built.program);
        CHECK(result.code == 7);
        CHECK(!holds(content(page), "gpu::to_"));
        return result.output;
    };
    CHECK(holds(show(""), "pictures of 4 launches are in " + page));
    CHECK(holds(content(page), "clear"));
    CHECK(holds(content(page), "scale&lt;float&gt;"));
    CHECK(holds(show("--kernel scale"), "pictures of 3 launches"));
    CHECK(!holds(content(page), "<option value=\"0\">1: clear"));
    CHECK(holds(show("--kernel scale --launch 2"), "pictures of 1 launch are in"));
    CHECK(holds(content(page), "kernel scale, launch 2"));
    CHECK(holds(content(page), "16"));
    CHECK(holds(show("--kernel scale --launch 4"),
                "shows no kernel: there was no kernel scale, launch 4; launched were clear (1 launch), "
                "scale<float> (3 launches)"));
    CHECK(holds(show("--kernel nobody"), "there was no kernel nobody; launched were"));
    CHECK(holds(run("GPUCC_SHOW=" + page + " GPUCC_SHOW_LAUNCH=x " + built.program).output,
                "GPUCC_SHOW_LAUNCH is \"x\"; it must be the number of a launch"));
    CHECK(holds(run(GPUCC_DRIVER " --kernel scale " + built.program).output, "choose what --show PAGE.html shows"));
    CHECK(holds(run(GPUCC_DRIVER " --show x.html --launch 0 " + built.program).output, "--launch takes the number"));
    CHECK(holds(run("GPUCC_SHOW=/nowhere/page.html " + built.program).output, "can't write /nowhere/page.html"));
}

TEST_CASE("gdb stops in the kernel at the first mistake, at a line, and where a kernel begins") {
    if (gpu::detail::host::find_program("gdb").empty()) {
        MESSAGE("gdb is missing: run ./setup --debugger");
        CHECK(holds(run(GPUCC_DRIVER " --debug x").output, "gdb"));
        return;
    }
    const Built built(R"(__global__ void add(int* p, int n) {
    int i = threadIdx.x;
    if (i <= n)
        p[i] = i;
}
int main() {
    int* d;
    cudaMalloc(&d, 40);
    add<<<1, 32>>>(d, 10);
    cudaDeviceSynchronize();
    return 0;
}
)");
    REQUIRE(built.is_there());
    const auto debug = [&](const std::string& options, const std::string& commands) {
        return run("cd " + built.folder.path() + " && printf '" + commands + "' | " GPUCC_DRIVER " --debug " + options)
            .output;
    };
    const std::string mistake = debug("./prog", "print threadIdx\\ngpu threads\\nprint n\\nquit\\n");
    CAPTURE(mistake);
    CHECK(holds(mistake, "out of bounds: prog.cu:4 writes p[10]"));
    CHECK(holds(mistake, "$1 = {x = 10, y = 0, z = 0}"));
    CHECK(holds(mistake, "add, block (0,0,0): 32 threads"));
    CHECK(holds(mistake, "$2 = 10"));
    const std::string line = debug("--at prog.cu:4 prog.cu", "print i\\nquit\\n");
    CAPTURE(line);
    CHECK(holds(line, "$1 = 0"));
    const std::string kernel = debug("--at add ./prog", "gpu where\\nquit\\n");
    CAPTURE(kernel);
    CHECK(holds(kernel, "kernel add, grid (1,1,1) of blocks (32,1,1)"));
    const std::string nowhere = debug("--at prog.cu:400 ./prog", "continue\\n");
    CAPTURE(nowhere);
    CHECK(holds(nowhere, "out of bounds: prog.cu:4"));
    CHECK(run("cd " + built.folder.path() + " && " GPUCC_DRIVER " --debug prog.cu -o other && ./other").code == 0);
    CHECK(holds(run(GPUCC_DRIVER " --at prog.cu:4 " + built.program).output, "--at is a place where --debug stops"));
}

namespace {

/// A program in a terminal of its own.
class Terminal {
public:
    Terminal(const std::string& program, const std::string& setting) {
        process_ = ::forkpty(&side_, nullptr, nullptr, nullptr);
        if (process_ == 0) {
            ::setenv("TERM", "xterm", 1);
            ::putenv(const_cast<char*>(setting.c_str()));
            ::execl(program.c_str(), program.c_str(), nullptr);
            ::_exit(127);
        }
    }
    ~Terminal() { ::close(side_); }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    void type(const std::string& text) const { CHECK(::write(side_, text.data(), text.size()) > 0); }
    /// What it has written when this stands there, or when nothing more comes.
    const std::string& read_until(const std::string& text) {
        char buffer[4096];
        for (pollfd end{side_, POLLIN, 0}; !holds(written_, text) && ::poll(&end, 1, 60000) > 0;) {
            const ssize_t got = ::read(side_, buffer, sizeof buffer);
            if (got <= 0) break;
            written_.append(buffer, static_cast<std::size_t>(got));
        }
        return written_;
    }
    int code() const {
        int status = 0;
        ::waitpid(process_, &status, 0);
        return status;
    }

private:
    int side_ = -1;
    pid_t process_ = -1;
    std::string written_;
};

}  // namespace

TEST_CASE("a long kernel says on a terminal how far it is, and leaves nothing there") {
    // Its last block waits until somebody has seen the line.
    const Built built(R"(#include <cstdio>
__global__ void patient(volatile int* is_seen) {
    while (blockIdx.x == 3 && *is_seen == 0) {}
}
int main() {
    volatile int* is_seen;
    cudaMallocHost((void**)&is_seen, sizeof(int));
    *is_seen = 0;
    patient<<<4, 1>>>(is_seen);
    getchar();
    *is_seen = 1;
    cudaDeviceSynchronize();
    puts("the program goes on");
}
)");
    REQUIRE(built.is_there());
    Terminal terminal(built.program, "GPUCC_PROGRESS=0.05");
    CHECK(holds(terminal.read_until("kernel patient: 3 of 4 blocks done"), "\rkernel patient: 3 of 4 blocks done"));
    terminal.type("\n");
    const std::string all = terminal.read_until("the program goes on");
    CHECK(holds(all, "\r" + std::string(34, ' ') + "\r"));
    CHECK(!holds(all, "\x1b"));
    CHECK(terminal.code() == 0);
    // Elsewhere it is quiet.
    CHECK(run("(sleep 0.5; echo) | GPUCC_PROGRESS=0.05 " + built.program).output == "the program goes on\n");
}

TEST_CASE("so does one in check mode") {
    const Built built(R"(#include <cstdio>
__global__ void busy(volatile int* p) {
    for (int k = 0; k < 5000000; ++k) *p;
}
int main() {
    int* p;
    cudaMalloc(&p, sizeof(int));
    cudaMemset(p, 0, sizeof(int));
    busy<<<4, 1>>>(p);
    cudaFree(p);
    puts("the program goes on");
}
)");
    REQUIRE(built.is_there());
    ::setenv("GPUCC_CHECK", "1", 1);
    Terminal terminal(built.program, "GPUCC_PROGRESS=0.001");
    ::unsetenv("GPUCC_CHECK");
    const std::string all = terminal.read_until("found no mistakes");
    CAPTURE(all);
    CHECK(holds(all, "\rkernel busy: "));
    CHECK(holds(all, " of 4 blocks done\r"));
    CHECK(all.rfind(" of 4 blocks done") < all.find("the program goes on"));
    CHECK(terminal.code() == 0);
}

}  // namespace gpucc_test
