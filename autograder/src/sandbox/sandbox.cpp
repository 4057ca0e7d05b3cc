// SPDX-License-Identifier: MIT
#include "sandbox/sandbox.hpp"

#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sandbox/cgroup.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// True if root couldn't reach the path without its capabilities over files: it, or a folder above it, belongs to
/// somebody else and is closed to others, like a home of mode 0700.
bool is_closed_to_plain_root(fs::path path) {
    for (; path != path.root_path(); path = path.parent_path()) {
        struct stat info {};
        if (::stat(path.c_str(), &info) != 0 || info.st_uid == 0) continue;
        if ((info.st_mode & (S_ISDIR(info.st_mode) ? S_IXOTH : S_IROTH)) == 0) return true;
    }
    return false;
}

std::uint32_t own_capabilities() noexcept {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2]{};
    return ::syscall(SYS_capget, &header, sets) == 0 ? sets[0].permitted : 0;
}

/// The capability that root keeps to read a kit in somebody else's closed home. A container's root has only the second.
std::uint32_t needed_to_read() noexcept {
    for (const int one : {CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE})
        if (const std::uint32_t bit = 1u << one; (own_capabilities() & bit) != 0) return bit;
    return 0;
}

/// Makes sure that this process and what it starts never get more capabilities than those kept, whatever they run. An
/// ordinary user has none, and some of these calls fail.
void lock_capabilities(std::uint32_t kept) noexcept {
    for (unsigned one = 0; one < 64; ++one)
        if (one >= 32 || (kept & 1u << one) == 0) ::prctl(PR_CAPBSET_DROP, one, 0, 0, 0);
    ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (kept == 0)
        ::prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                                       SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                                       SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED);
}

bool drop_capabilities(std::uint32_t kept) noexcept {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2]{};
    sets[0].effective = sets[0].permitted = kept;
    return ::syscall(SYS_capset, &header, sets) == 0;
}

/// The capabilities remain: they are locked. The C library's own calls apply to all threads of the process and aren't
/// usable after a fork.
bool become(const SeparateUser& user) noexcept {
    int signal = 0;
    ::prctl(PR_GET_PDEATHSIG, &signal, 0, 0, 0);   // on the grader's death: reset when the user changes
    return ::syscall(SYS_setgroups, 0, nullptr) == 0 &&
           ::syscall(SYS_setresgid, user.group, user.group, user.group) == 0 &&
           ::syscall(SYS_setresuid, user.user, user.user, user.user) == 0 && ::prctl(PR_SET_PDEATHSIG, signal) == 0;
}

}  // namespace

std::vector<std::string> Tiers::names() const {
    std::vector<std::string> all;
    if (landlock > 0) all.push_back(fmt::format("landlock {}", landlock));
    if (seccomp) all.emplace_back("seccomp");
    if (users) all.emplace_back("user");
    if (cgroup) all.emplace_back("cgroup");
    all.emplace_back("limits");
    return all;
}

std::string Tiers::text() const {
    std::string landlock_text;
    if (landlock > 0)
        landlock_text = fmt::format("Landlock {} (files{}{}), ", landlock, landlock >= 4 ? ", TCP" : "",
                                    landlock >= 6 ? ", signals" : "");
    return landlock_text + (seccomp ? "seccomp, " : "") + (users ? "a user of its own, " : "") +
           "no new privileges, " + (cgroup ? "a cgroup, " : "") + "limits";
}

std::vector<std::string> Tiers::missing() const {
    std::vector<std::string> all;
    if (landlock == 0)
        all.emplace_back("this kernel has no Landlock, so a student's code can read and write what you can");
    else if (landlock < 3)
        all.emplace_back("this kernel's Landlock doesn't watch truncation, so a student's code can empty your files");
    if (!seccomp) all.emplace_back("this kernel has no seccomp, so a student's code can use the network");
    return all;
}

const Tiers& available_tiers() {
    static const Tiers tiers{landlock_abi(), filters_are_supported(), can_separate_users(),
                             usable_cgroups().version > 0};
    return tiers;
}

Sandbox::Sandbox(const Policy& policy, const Tiers& tiers)
    : files_(policy.paths, tiers.landlock),
      calls_({.calls = policy.calls, .forks = policy.forks, .signals_scoped = tiers.landlock >= 6}),
      gpu_(policy.calls == CallList::cuda_runner),
      filtered_(tiers.seccomp),
      as_(policy.as),
      kept_capabilities_(0) {
    const auto is_closed = [](const PathRule& rule) { return is_closed_to_plain_root(rule.path); };
    if (!as_ && ::geteuid() == 0 && std::any_of(policy.paths.begin(), policy.paths.end(), is_closed))
        kept_capabilities_ = needed_to_read();
}

const char* Sandbox::enter(int kept) noexcept {
    lock_capabilities(kept_capabilities_);
    if (as_ && !become(*as_)) return "a user of its own";
    if (!drop_capabilities(kept_capabilities_)) return "capset";
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "prctl(PR_SET_NO_NEW_PRIVS)";
    if (gpu_ && !files_.allow_own_thread_names(kept)) return "a Landlock rule for its own threads";
    if (!files_.restrict_self()) return "landlock_restrict_self";
    if (filtered_ && !calls_.install()) return "seccomp";
    return nullptr;
}

SandboxUse sandbox_use_of_environment() {
    const char* value = std::getenv("COURSE_SANDBOX");
    const std::string_view word = value != nullptr ? value : "";
    if (word.empty() || word == "on") return SandboxUse::everywhere;
    if (word == "host") return SandboxUse::but_on_gpu;
    if (word == "off") return SandboxUse::off;
    throw std::runtime_error(fmt::format("COURSE_SANDBOX is \"{}\"; it can be on (the default), host or off", word));
}

Tiers tiers_around_answer(SandboxUse use, bool on_gpu, const Tiers& available) {
    Tiers tiers = runs_in_sandbox(use, on_gpu) ? available : Tiers{};
    tiers.users = tiers.users && !on_gpu;
    return tiers;
}

}  // namespace course
