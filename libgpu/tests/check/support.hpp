// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/check.hpp>
#include <gpu/gpu.hpp>

namespace support {

/// Sets an environment variable for a scope, or removes it (nullptr).
class EnvironmentGuard {
public:
    EnvironmentGuard(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        set(value);
    }
    ~EnvironmentGuard() { set(old_ ? old_->c_str() : nullptr); }
    EnvironmentGuard(const EnvironmentGuard&) = delete;
    EnvironmentGuard& operator=(const EnvironmentGuard&) = delete;

private:
    void set(const char* value) const { value != nullptr ? ::setenv(name_, value, 1) : ::unsetenv(name_); }

    const char* name_;
    std::optional<std::string> old_;
};

/// All that a report says about mistakes: three lines each.
inline std::string told(const gpu::CheckReport& report) {
    std::string text;
    for (const gpu::Finding& finding : report.findings)
        text += finding.what + '\n' + finding.who + '\n' + finding.advice + '\n';
    return text;
}

inline gpu::Source cu(const std::string& text) { return gpu::Source(text, "test.cu", 1); }

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace support
