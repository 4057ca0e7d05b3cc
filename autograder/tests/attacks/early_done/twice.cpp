// SPDX-License-Identifier: MIT
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <thread>
@COMMON@
// The last page of the output memory: the clock runs from `go` to `done`.
struct Clock {
    std::uint64_t go, done;
};

static void stop_for_ever(Clock* clock) {
    for (;;) {
        std::atomic_ref<std::uint64_t>(clock->done).store(std::atomic_ref<std::uint64_t>(clock->go).load());
        ::usleep(50);
    }
}

static void attack() {
    bool found = false;
    for (int number = 3; number < 64; ++number) {
        struct stat info {};
        if (::fstat(number, &info) != 0) continue;
        if (!S_ISREG(info.st_mode) || info.st_size < 4096) continue;
        void* const page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, number, info.st_size - 4096);
        if (page == MAP_FAILED) continue;
        found = true;
        std::thread(stop_for_ever, static_cast<Clock*>(page)).detach();
    }
    escaped_if(!found, "nothing: this test no longer finds the clock");
}
