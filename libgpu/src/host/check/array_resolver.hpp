// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gpu/trace.hpp>

#include "host/check/clues.hpp"
#include "host/check/launch_facts.hpp"
#include "host/fibers/block_scheduler.hpp"
#include "host/memory/kernel_stacks.hpp"

namespace gpu::detail::host {

/// The arrays that one worker's blocks can access, and how findings name them: the kernel's shared variables, its
/// module's other variables, and the device's arrays.
class ArrayResolver {
public:
    ArrayResolver(LaunchFacts& facts, const KernelStacks& stacks, const gpu_thread_state* state);

    /// Fills the block's shared memory with an unexpected value: on a GPU its initial contents are arbitrary.
    void poison_shared() noexcept;
    /// Forgets all accesses to the block's shared memory.
    void forget_shared() noexcept;

    /// The array that contains an address, or null. `counted`: its start in the work counter's numbering.
    CheckedArray* find(std::uintptr_t address, std::uintptr_t& counted);

    /// True inside the value of a parameter, which a thread copies.
    [[nodiscard]] bool is_argument(std::uintptr_t address) const noexcept;

    /// "x"; "an array" if no parameter points to it.
    [[nodiscard]] std::string name_of(const CheckedArray& array) const;
    /// A finding about the element at an offset.
    [[nodiscard]] RawFinding describe(FindingKind kind, const CheckedArray& array, std::size_t offset,
                                      std::size_t size) const;
    /// The array's description in a trace.
    [[nodiscard]] TracedArray traced(const CheckedArray& array) const;

    /// Advice for two threads' accesses to one element of a matrix if one of them is outside its row.
    [[nodiscard]] std::string thread_without_column(const RawFinding& race, const CheckedArray& array,
                                                    std::size_t offset, std::size_t size) const;
    /// Describes the array that an index has left: the shared one that ends before the address, or the device's
    /// nearest.
    void describe_outside(RawFinding& finding, std::uintptr_t address, std::size_t size) const;
    /// Describes a report of the compiler's check of an array of known length.
    void describe_bounds(RawFinding& finding, const void* description, unsigned long index) const;
    /// For what clang takes for an index: array + i, which is an access only if it is dereferenced.
    [[nodiscard]] bool is_only_an_address(const void* description) const;
    /// Describes a report of the compiler's alignment check; without a description, `alignment` is the required one.
    void describe_misaligned(RawFinding& finding, const void* description, std::uintptr_t address,
                             std::size_t alignment);
    /// Describes a report of the compiler's shift check.
    static void describe_shift(RawFinding& finding, const void* description, unsigned long by);
    /// True if the elements have 16 bytes, and the line itself calls no memcpy().
    [[nodiscard]] bool copies_vectors(std::uintptr_t address, std::size_t site);

    /// "x and y" if two or more parameters point into the array; otherwise empty.
    [[nodiscard]] std::string parameters_of(const CheckedArray& array) const;

private:
    /// The thread's position in the launch, and the shapes that the array has, or may have by the kernel's numbers.
    [[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> integer_arguments() const;
    [[nodiscard]] OutsideAccess outside_access(const RawFinding& finding, const Shape& shape, long index,
                                               long length) const;
    /// An array's lengths as the kernel's text declares them; one that isn't a number follows from the others.
    [[nodiscard]] std::vector<std::size_t> lengths_of(const CheckedArray& array, std::size_t element) const;

    struct SharedVariable {
        std::unique_ptr<CheckedArray> array;
        std::uintptr_t counted = 0;
    };

    [[nodiscard]] const CheckedArray* variable_before(std::uintptr_t address) const;
    [[nodiscard]] std::vector<FarArray> far_arrays(std::uintptr_t address) const;
    /// Describes the element of a piece of the kernels' heap.
    void describe_piece(RawFinding& finding, std::uintptr_t address, std::size_t size) const;
    [[nodiscard]] int host_pointer_near(std::uintptr_t address) const;
    [[nodiscard]] std::string element_text(const CheckedArray& array, long index, std::size_t element) const;
    [[nodiscard]] std::size_t element_size(const CheckedArray& array, std::size_t size) const;

    LaunchFacts& facts_;
    const KernelStacks& stacks_;
    std::vector<SharedVariable> shared_;  // by address
    std::uintptr_t shared_begin_ = 0, shared_end_ = 0;
    std::uintptr_t last_reached_ = 0;
};

/// A local array or variable of a thread, declared without an initialiser.
struct LocalArray {
    std::uintptr_t start = 0;
    std::size_t bytes = 0;
    unsigned element = 1, columns = 1;  ///< bytes of an element; elements of a row; 0: no array
    const char* name = "";
    std::vector<std::uint64_t> written = {};  ///< one bit per byte

    /// "t[3]", "t[1][2]".
    [[nodiscard]] std::string element_text(std::uintptr_t address) const;
};

/// The local arrays of a block's threads, and which of their bytes have been written. Runs on kernels' stacks.
class LocalArrayShadow {
public:
    void begin_block() noexcept;

    void begins(unsigned thread, std::uintptr_t start, std::size_t bytes, unsigned element, unsigned columns,
                const char* name);
    void ends(unsigned thread, std::uintptr_t start) noexcept;

    /// An access to a thread's own stack: returns the array if none of the bytes it reads was written, otherwise null.
    /// Reports each only once.
    const LocalArray* access(unsigned thread, std::uintptr_t address, std::size_t size, bool reads) noexcept;

private:
    static constexpr std::size_t max_arrays = 32;  // per thread: recursion may have more, which aren't watched
    struct Thread {
        std::vector<LocalArray> arrays;  // may hold more than are in use: their bits are reused
        std::size_t used = 0;
    };

    std::vector<Thread> threads_;
    std::size_t count_ = 0;
};

/// Detects threads that read one location repeatedly until another thread changes it, and lets that one run.
///
/// A GPU runs all threads of a block that has begun, whatever others wait for (since compute capability 7.0). Here a
/// thread runs until it waits: so one that polls must yield. Only volatile reads and atomics can poll.
class SpinDetector {
public:
    SpinDetector(LaunchFacts& facts, BlockScheduler& scheduler, ArrayResolver& arrays)
        : facts_(facts), scheduler_(scheduler), arrays_(arrays) {}

    void begin_block(std::uint64_t block);
    void end_block() { go_on(); }

    enum class Outcome { go_on, deadlock, given_up };
    /// A thread has read a location. `alone`: it has accessed nothing else since its last read. Lets others run if it
    /// polls.
    [[nodiscard]] Outcome polled(unsigned thread, std::uintptr_t address, std::uint64_t value, std::size_t size,
                                 std::size_t site, bool alone);
    /// After Outcome::deadlock: describes who waits for what.
    void deadlock(RawFinding& finding) const;
    /// After a block's write ended a wait: a finding if that block had not begun, and a GPU need not begin it.
    [[nodiscard]] std::optional<RawFinding> waited_for_later_block(unsigned thread, Stamp writer);
    /// The location of a thread's last such read; 0: none.
    [[nodiscard]] std::uintptr_t last_place(unsigned thread) const noexcept {
        return polls_ != nullptr ? polls_[thread].address : 0;
    }
    [[nodiscard]] bool has_waited(unsigned thread) const noexcept {
        return polls_ != nullptr && polls_[thread].has_waited && polls_[thread].repeats == 0;
    }

private:
    struct Poll {
        std::uintptr_t address = 0;
        std::uint64_t value = 0;
        std::size_t size = 0, site = 0;
        unsigned repeats = 0;
        bool has_waited = false;
        std::uint64_t begun = 0;  // how many blocks had, when the wait began
    };

    Outcome let_others_run(Poll& poll);
    void go_on() noexcept;
    /// A finding about the location that a thread reads.
    [[nodiscard]] RawFinding describe(unsigned thread) const;

    LaunchFacts& facts_;
    BlockScheduler& scheduler_;
    ArrayResolver& arrays_;
    std::unique_ptr<Poll[]> polls_;
    std::uint64_t block_ = 0, seen_progress_ = 0;
    unsigned idle_ = 0;
    bool waits_ = false;
};

}  // namespace gpu::detail::host
