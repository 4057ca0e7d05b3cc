// SPDX-License-Identifier: MIT
#include "sandbox/landlock.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/process.hpp"

namespace course {

namespace {

// The kernel's interface, spelled out: Debian 12's headers end at ABI 1.
enum Right : std::uint64_t {
    execute = 1u << 0, write_bytes = 1u << 1, read_bytes = 1u << 2, read_dir = 1u << 3, remove_dir = 1u << 4,
    remove_file = 1u << 5, make_char = 1u << 6, make_dir = 1u << 7, make_reg = 1u << 8, make_sock = 1u << 9,
    make_fifo = 1u << 10, make_block = 1u << 11, make_sym = 1u << 12,
    refer = 1u << 13,      // ABI 2
    truncate = 1u << 14,   // ABI 3
    ioctl_dev = 1u << 15,  // ABI 5
};
constexpr std::uint64_t of_files = execute | write_bytes | read_bytes | truncate | ioctl_dev;

struct RulesetAttributes {
    std::uint64_t files, network, scopes;
};
struct [[gnu::packed]] PathBeneath {
    std::uint64_t allowed;
    std::int32_t parent;
};

#ifndef SYS_landlock_create_ruleset
constexpr long SYS_landlock_create_ruleset = 444, SYS_landlock_add_rule = 445, SYS_landlock_restrict_self = 446;
#endif

std::uint64_t known(int abi) noexcept {
    const int bits = abi >= 5 ? 16 : abi >= 3 ? 15 : abi >= 2 ? 14 : 13;
    return (std::uint64_t{1} << bits) - 1;
}

bool add(int rules, int parent, std::uint64_t rights) noexcept {
    const PathBeneath rule{rights, parent};
    return ::syscall(SYS_landlock_add_rule, rules, 1, &rule, 0) == 0;
}

UniqueFd make_rules(int abi) {
    if (abi == 0) return UniqueFd();
    RulesetAttributes attributes{known(abi), 0, 0};
    if (abi >= 4) attributes.network = 3;  // TCP: bind, connect
    if (abi >= 6) attributes.scopes = 3;   // abstract sockets and signals to other processes
    const std::size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    const UniqueFd made(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
    if (!made) throw_errno("landlock_create_ruleset");
    UniqueFd high(::fcntl(made.get(), F_DUPFD_CLOEXEC, 64));
    if (!high) throw_errno("fcntl(F_DUPFD_CLOEXEC)");
    return high;
}

}  // namespace

int landlock_abi() noexcept {
    const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, 1);
    return abi > 0 ? static_cast<int>(abi) : 0;
}

std::uint64_t landlock_rights(Access access, int abi, bool is_folder) noexcept {
    std::uint64_t rights = read_bytes | read_dir;
    if (access == Access::run) rights |= execute;
    if (access == Access::own)
        rights |= write_bytes | remove_dir | remove_file | make_dir | make_reg | refer | truncate;
    if (access == Access::device) rights = read_bytes | write_bytes | truncate | ioctl_dev;
    return rights & known(abi) & (is_folder ? ~std::uint64_t{0} : of_files);
}

LandlockRules::LandlockRules(const std::vector<PathRule>& rules, int abi) : rules_(make_rules(abi)), abi_(abi) {
    if (!rules_) return;
    for (const PathRule& rule : rules) {
        const UniqueFd path(::open(rule.path.c_str(), O_PATH | O_CLOEXEC));
        if (!path && (errno == ENOENT || errno == EACCES || errno == ENOTDIR)) continue;  // missing: nothing to allow
        if (!path) throw_errno(("open of " + rule.path.string()).c_str());
        struct stat info {};
        if (::fstat(path.get(), &info) != 0) throw_errno(("fstat of " + rule.path.string()).c_str());
        if (!add(rules_.get(), path.get(), landlock_rights(rule.access, abi, S_ISDIR(info.st_mode))))
            throw_errno(("landlock_add_rule for " + rule.path.string()).c_str());
    }
}

bool LandlockRules::allow_own_thread_names(int descriptor) const noexcept {
    if (!rules_) return true;
    const int own = ::open("/proc/self/task", O_PATH | O_CLOEXEC);
    // While it is open, the kernel keeps the folder unchanged, and the rule with it.
    if (own < 0 || ::dup2(own, descriptor) < 0) return false;
    if (own != descriptor) ::close(own);
    return add(rules_.get(), descriptor, (read_bytes | read_dir | write_bytes | truncate) & known(abi_));
}

bool LandlockRules::restrict_self() const noexcept {
    return !rules_ || ::syscall(SYS_landlock_restrict_self, rules_.get(), 0) == 0;
}

}  // namespace course
