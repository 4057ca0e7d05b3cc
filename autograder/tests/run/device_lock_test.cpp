// SPDX-License-Identifier: MIT
#include "support/parallel.hpp"

#include <atomic>
#include <filesystem>
#include <future>
#include <thread>

#include <doctest/doctest.h>

#include "support/folder.hpp"

using namespace course;
using namespace std::chrono_literals;

namespace {

using Use = DeviceLock::Use;

constexpr auto until_asked = std::chrono::hours(1);

}  // namespace

TEST_CASE("graders hold a GPU alone by turns, and neither waits for ever") {
    const test::Folder folder;
    std::atomic<int> inside = 0, at_once = 0;
    const auto measure_often = [&] {
        DeviceLock lock("", folder.path(), until_asked);
        for (int k = 0; k < 20; ++k) {
            { const DeviceLock::Held call(&lock, Use::shared); }
            const DeviceLock::Held alone(&lock, Use::alone);
            if (++inside != 1) ++at_once;
            std::this_thread::sleep_for(1ms);
            --inside;
        }
    };
    auto other = std::async(std::launch::async, measure_often);
    measure_often();
    other.get();
    CHECK(at_once == 0);
}

TEST_CASE("two share a GPU; who would share it waits while a time is measured") {
    const test::Folder folder;
    DeviceLock first("", folder.path(), until_asked), second("", folder.path(), until_asked);
    {
        const DeviceLock::Held one(&first, Use::shared), another(&second, Use::shared);
    }
    std::atomic<bool> shares = false;
    std::future<void> other;
    {
        const DeviceLock::Held alone(&first, Use::alone);
        other = std::async(std::launch::async, [&] {
            const DeviceLock::Held call(&second, Use::shared);
            shares = true;
        });
        std::this_thread::sleep_for(100ms);
        CHECK_FALSE(shares);
    }
    other.get();
    CHECK(shares);
}

TEST_CASE("nobody waits for ever for a GPU, and without files there is no lock") {
    const test::Folder folder;
    DeviceLock holder("", folder.path(), until_asked), goes_on("", folder.path(), 20ms);
    const DeviceLock::Held alone(&holder, Use::alone), without(&goes_on, Use::alone);

    DeviceLock nowhere("", folder / "missing", until_asked);
    const DeviceLock::Held also(&nowhere, Use::alone), none(nullptr, Use::alone);
}

TEST_CASE("who waited in vain for a GPU doesn't wait anew for each call, and holds it again once it is free") {
    const test::Folder folder;
    DeviceLock holder("", folder.path(), until_asked), goes_on("", folder.path(), 1s),
        other("", folder.path(), until_asked);
    {
        const DeviceLock::Held alone(&holder, Use::alone);
        for (int call = 0; call < 1000; ++call) {   // a second for each is more than the test's time
            const DeviceLock::Held without(&goes_on, Use::shared);
        }
    }
    std::atomic<bool> shares = false;
    std::future<void> waits;
    {
        const DeviceLock::Held again(&goes_on, Use::alone);
        waits = std::async(std::launch::async, [&] {
            const DeviceLock::Held call(&other, Use::shared);
            shares = true;
        });
        std::this_thread::sleep_for(100ms);
        CHECK_FALSE(shares);
    }
    waits.get();
    CHECK(shares);
}

TEST_CASE("a lock file that is a link isn't followed") {
    const test::Folder folder;
    std::filesystem::create_symlink(folder / "elsewhere", folder / "course-gpu.lock");
    DeviceLock lock("", folder.path(), until_asked);
    const DeviceLock::Held alone(&lock, Use::alone);
    CHECK_FALSE(std::filesystem::exists(folder / "elsewhere"));
}

TEST_CASE("each GPU has a lock of its own, by its name") {
    const test::Folder folder;
    DeviceLock first("GPU-1a", folder.path(), 20ms), second("GPU-2b", folder.path(), until_asked);
    const DeviceLock::Held alone(&first, Use::alone), other(&second, Use::alone);   // waits for nobody
    std::atomic<bool> held = false;
    std::future<void> waits;
    {
        DeviceLock third("../GPU-3c", folder.path(), until_asked);   // no way out of the folder
        const DeviceLock::Held also(&third, Use::alone);
        CHECK(std::filesystem::exists(folder / "course-gpu----GPU-3c.lock"));
    }
    {
        DeviceLock again("GPU-2c", folder.path(), until_asked);
        const DeviceLock::Held now(&again, Use::alone);
        waits = std::async(std::launch::async, [&] {
            DeviceLock twin("GPU-2c", folder.path(), until_asked);
            const DeviceLock::Held call(&twin, Use::shared);
            held = true;
        });
        std::this_thread::sleep_for(100ms);
        CHECK_FALSE(held);
    }
    waits.get();
    CHECK(held);
}
