// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <gpu/recording.hpp>

#include "backend/observers.hpp"
#include "record/recording.hpp"

namespace gpu::detail::record {

/// The implementation of CallRecorder. Between calls it tracks kernels' texts and memory. Thread-safe.
class Recorder final : public CallObserver, public TextObserver {
public:
    static Recorder& of_this_process();

    void prepare();
    void begin(std::vector<HostBytes> arguments);
    void begin_check();
    void end_check();
    std::optional<std::uint64_t> copy_that_gave(HostBytes bytes);
    std::string end(std::string& why_not);
    void keep_texts();
    std::string new_kernels();

    void allocated(int device, const void* data, std::size_t bytes, bool is_shared) noexcept override;
    void freed(const void* data) noexcept override;
    void described(const void* data, DType elements, const Shape& shape) noexcept override;
    void copied(int device, const void* to, const void* from, std::size_t bytes, CopyKind kind,
                void* stream) noexcept override;
    void filled(int device, const void* data, unsigned char byte, std::size_t bytes, void* stream) noexcept override;
    void waited(int device, void* stream) noexcept override;
    void loaded(const LoadedKernel& kernel, const KernelSource& source) noexcept override;
    void loaded(const LoadedModule& module, const KernelSource& source) noexcept override;
    void found(const LoadedModule& module, const std::string& entry, const std::string& name,
               const LoadedKernel& kernel) noexcept override;
    void found(const LoadedModule& module, const std::string& name, const ModuleSymbol& symbol) noexcept override;
    void launched(int device, const LoadedKernel& kernel, const ElementwiseSpace& space,
                  const std::vector<Argument>& arguments, void* stream) noexcept override;
    void launched(int device, const LoadedKernel& kernel, const ReductionSpace& space,
                  const std::vector<Argument>& arguments, void* stream) noexcept override;
    void launched(int device, const LoadedKernel& kernel, const LaunchShape& shape,
                  std::span<const HostBytes> arguments, void* stream) noexcept override;
    void unrecorded(const char* what) noexcept override;

    void generated(const ElementwiseText& text, const KernelSource& source) noexcept override;
    void generated(const ReductionText& text, const KernelSource& source) noexcept override;
    void generated(const RawText& text, const KernelSource& source) noexcept override;
    void refused(const KernelSource&) noexcept override {}

private:
    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

    struct Memory {
        std::size_t bytes = 0;
        std::uint64_t number = none;             ///< in this recording
        bool is_shared = false;
        const LoadedModule* module = nullptr;    ///< the variable's owner
        std::string name = {};
    };
    /// An array that existed before the call: its contents are part of the recording if the call uses it.
    struct KeptMemory {
        std::string content;
        bool is_used = false;
    };
    struct KernelNote {
        std::shared_ptr<const KernelText> text;  ///< null: a module's
        const LoadedModule* module = nullptr;
        std::string entry = {}, name = {};
    };

    template <class F>
    void guarded(F&& tell) noexcept;
    void give_up(const char* what) noexcept;
    void note(Step step) noexcept;
    void add(Step step, std::size_t bytes = 0);
    bool is_plain(int device, void* stream);
    void keep(KernelText text, const KernelSource& source) noexcept;
    void keep_memory();
    void use(std::uint64_t memory);
    std::vector<Step> steps_with_kept_memory();
    bool looks_like_addresses(HostBytes bytes) const;
    std::optional<Place> place_of(std::uintptr_t address);
    Place known_place_of(const void* data);
    std::vector<Address> addresses_in(HostBytes bytes);
    CopiedUp upload(const void* from, std::size_t bytes) const;
    std::uint64_t number_of(const LoadedKernel& kernel);
    std::uint64_t number_of(const LoadedModule& module);
    std::vector<GeneratedArgument> arguments_of(const std::vector<Argument>& arguments);

    std::mutex mutex_;
    std::map<std::uintptr_t, Memory> live_;      // by address
    std::unordered_map<std::string, std::shared_ptr<const KernelText>> texts_;   // by the source generated from them
    std::vector<Step> new_kernels_;              // collected while texts are kept
    std::size_t new_bytes_ = 0;
    bool keeps_texts_ = false;
    std::unordered_map<const LoadedKernel*, KernelNote> kernels_;
    std::unordered_map<const LoadedModule*, std::shared_ptr<const KernelText>> modules_;

    // State of the call being recorded.
    bool recording_ = false, in_check_ = false;
    std::string why_not_;
    std::vector<HostBytes> arguments_;
    std::vector<Step> steps_;
    std::vector<std::string> copies_;            // the result of each copy to the host
    std::size_t bytes_ = 0;
    std::vector<KeptMemory> kept_;               // by number: they have the first ones
    std::uint64_t next_memory_ = 0;
    std::unordered_map<const LoadedKernel*, std::uint64_t> kernel_numbers_;
    std::unordered_map<const LoadedModule*, std::uint64_t> module_numbers_;
};

}  // namespace gpu::detail::record
