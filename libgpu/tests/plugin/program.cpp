// SPDX-License-Identifier: MIT
// Opens a plug-in that needs libgpu, in a program that was started without it; and calls it in two threads.
#include <dlfcn.h>

#include <cstdio>
#include <thread>

int main(int count, char** arguments) {
    void* const plugin = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (plugin == nullptr) {
        std::fprintf(stderr, "%s\n", count == 2 ? dlerror() : "usage: gpu_plugin_test PLUGIN");
        return 1;
    }
    const auto works = reinterpret_cast<int (*)()>(dlsym(plugin, "gpu_plugin_works"));
    if (works == nullptr) return 1;
    const int here = works();
    int there = 0;
    std::thread([&] { there = works(); }).join();
    std::printf("of 3 things went right: %d here, %d in another thread\n", here, there);
    return here == 3 && there == 3 ? 0 : 1;
}
