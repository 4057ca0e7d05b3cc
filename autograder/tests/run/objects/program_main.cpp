// SPDX-License-Identifier: MIT
// A program as students hand it in, without kernels: it does what its argument says.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

std::vector<int> calls;  // what a second run in the same process would find
std::ofstream global_file;

void at_exit() { std::ofstream("at_exit.bin") << "done"; }

}  // namespace

int main(int count, char** arguments) {  // without a return: it gives 0
    const std::string what = count > 1 ? arguments[1] : "";
    calls.push_back(1);
    std::puts("main was called");
    std::atexit(at_exit);
    global_file.open("global.bin");  // closed by its destructor alone
    global_file << calls.size();
    const std::vector<int> local(100);  // its destructor doesn't run, as exit() ends the program
    if (what == "returns 3") return 3;
    if (what == "exits with 4") std::exit(static_cast<int>(local.size()) - 96);
    if (what == "exits in a thread") std::thread([] { std::exit(5); }).join();
    if (what == "aborts") std::abort();
}
