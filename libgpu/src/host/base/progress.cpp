// SPDX-License-Identifier: MIT
#include "host/base/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/fork_safe_mutex.hpp"
#include "host/base/own_thread.hpp"

namespace gpu::detail::host {

namespace {

using Clock = std::chrono::steady_clock;

std::size_t terminal_columns() {
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// The line, and the thread that writes it. Its text holds no codes of terminals: it is overwritten from its beginning.
class ProgressLine {
public:
    /// Never destroyed: kernels may run while the program ends.
    static ProgressLine& instance() {
        static auto* const line = new ProgressLine;
        return *line;
    }

    void show_after(std::chrono::duration<double> after) {
        after_ = std::chrono::duration_cast<Clock::duration>(after);
        is_on_.store(true, std::memory_order_release);
    }
    /// A forked child has no such thread.
    [[nodiscard]] bool is_on() const noexcept {
        return is_on_.load(std::memory_order_acquire) && generation_ == fork_generation();
    }

    void add(const LaunchProgress* launch) {
        const std::lock_guard lock(mutex_);
        running_.push_back(launch);
        if (!has_thread_) {
            try {
                start_thread([this] { write(); }).detach();
                has_thread_ = true;
            } catch (const std::system_error&) {  // the system grants no more threads: there is no line
            }
        }
        if (running_.size() == 1) changed_.notify_one();
    }
    void remove(const LaunchProgress* launch) noexcept {
        const std::lock_guard lock(mutex_);
        std::erase(running_, launch);
        clear();  // what the program prints next has the line for itself
    }

private:
    void write() {
        std::unique_lock lock(mutex_.native());
        for (;;) {
            if (running_.empty()) {
                changed_.wait(lock);
                continue;
            }
            const LaunchProgress& oldest = *running_.front();
            const Clock::time_point due = std::max(oldest.start() + after_, last_ + std::chrono::milliseconds(500));
            if (Clock::now() < due) {
                changed_.wait_until(lock, due);
                continue;
            }
            last_ = Clock::now();
            const std::size_t columns = terminal_columns();
            const std::string text = oldest.text(columns > 0 ? columns - 1 : 0);
            if (text != shown_) replace(text);
        }
    }
    void replace(const std::string& text) noexcept {
        const std::size_t rest = shown_.size() > text.size() ? shown_.size() - text.size() : 0;
        const std::string out = "\r" + text + std::string(rest, ' ') + (text.empty() ? "\r" : "");
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, out.data(), out.size());
        shown_ = text;
    }
    void clear() noexcept {
        if (!shown_.empty()) replace("");
    }

    std::atomic<bool> is_on_{false};
    const std::uint64_t generation_ = fork_generation();
    Clock::duration after_{};
    ForkSafeMutex mutex_;
    std::condition_variable changed_;
    bool has_thread_ = false;
    std::vector<const LaunchProgress*> running_;  // the oldest first
    Clock::time_point last_{};
    std::string shown_;
};

}  // namespace

void show_progress(std::chrono::duration<double> after) {
    const char* const kind = std::getenv("TERM");
    const bool is_dumb = kind != nullptr && std::string_view(kind) == "dumb";
    if (::isatty(STDERR_FILENO) == 1 && !is_dumb) ProgressLine::instance().show_after(after);
}

LaunchProgress::LaunchProgress(const std::string& kernel, std::uint64_t blocks)
    : kernel_(kernel), blocks_(blocks), is_shown_(ProgressLine::instance().is_on()) {
    if (!is_shown_) return;
    start_ = Clock::now();
    ProgressLine::instance().add(this);
}

LaunchProgress::~LaunchProgress() {
    if (is_shown_) ProgressLine::instance().remove(this);
}

std::string LaunchProgress::text(std::size_t columns) const {
    const std::string numbers = ": " + std::to_string(done_.load(std::memory_order_relaxed)) + " of " +
                                std::to_string(blocks_) + " blocks done";
    std::string text = "kernel " + kernel_;
    if (columns > 0 && text.size() + numbers.size() > columns)  // a long name is cut, not the numbers
        text.resize(columns > numbers.size() ? columns - numbers.size() : 0);
    return text + numbers;
}

}  // namespace gpu::detail::host
