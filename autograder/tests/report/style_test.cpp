// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <fcntl.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "report/terminal.hpp"

using namespace course;

namespace {

/// An environment variable for one test; nothing unsets it.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) before_ = old;
        value ? ::setenv(name, value, 1) : ::unsetenv(name);
    }
    ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
    std::optional<std::string> before_;
};

bool coloured(int descriptor) { return Style::of_descriptor(descriptor).bold("x") != "x"; }

}  // namespace

TEST_CASE("there is colour on a terminal, and nowhere else") {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0) {  // a bare container has none
        std::puts("SKIP: colour on a terminal: this system gives no pseudo-terminals");
        return;
    }
    REQUIRE(::grantpt(master) == 0);
    REQUIRE(::unlockpt(master) == 0);
    const int terminal = ::open(::ptsname(master), O_RDWR | O_NOCTTY);
    REQUIRE(terminal >= 0);
    const int file = ::open("/dev/null", O_WRONLY);
    const Variable no_colour("NO_COLOR", nullptr), term("TERM", "xterm");
    CHECK(coloured(terminal));
    CHECK_FALSE(coloured(file));
    {
        const Variable set("NO_COLOR", "1");
        CHECK_FALSE(coloured(terminal));
    }
    {
        const Variable empty("NO_COLOR", "");
        CHECK(coloured(terminal));
    }
    for (const char* dumb : {"dumb", "", static_cast<const char*>(nullptr)}) {
        const Variable set("TERM", dumb);
        CHECK_FALSE(coloured(terminal));
    }
    for (const int descriptor : {file, terminal, master}) ::close(descriptor);
}

TEST_CASE("verdicts are green, yellow or red") {
    const Style style(true);
    CHECK(style.verdict(Verdict::passed) == style.good("passed"));
    CHECK(style.verdict(Verdict::noisy) == style.warn("noisy"));
    CHECK(style.verdict(Verdict::review) == style.warn("review"));
    CHECK(style.verdict(Verdict::not_started) == style.warn("not started"));
    for (const Verdict verdict : {Verdict::wrong, Verdict::not_as_asked, Verdict::over_budget, Verdict::too_slow,
                                  Verdict::crashed, Verdict::does_not_compile})
        CHECK(style.verdict(verdict) == style.bad(to_string(verdict)));
}
