// SPDX-License-Identifier: MIT
#include <algorithm>

#include "backend/device_event.hpp"
#include "gpucc/runtime/graphs/graph.hpp"
#include "gpucc/runtime/see/ledger.hpp"
#include "gpucc/runtime/program.hpp"
#include "gpucc/runtime/stream.hpp"

namespace gpucc {

bool is_stream(cudaStream_t stream) {
    if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return true;
    Program& program = Program::get();
    const std::lock_guard lock(program.mutex);
    return program.streams.contains(stream);
}

namespace {

constexpr int highest_priority = -5;  // a number below 0, as on GPUs; all streams are alike here

cudaError_t on_stream(cudaStream_t stream, const Call& call, const std::function<cudaError_t(Program&)>& work,
                      Effect effect = Effect::none) {
    Program& program = Program::get();
    if (!is_stream(stream))
        return program.fail(cudaErrorInvalidResourceHandle, call, "this stream doesn't exist (any more)");
    return program.run(
        call, [&] { return work(program); }, effect);
}

cudaError_t on_event(cudaEvent_t event, const Call& call, const std::function<cudaError_t(Program&)>& work) {
    Program& program = Program::get();
    bool exists = false;
    {
        const std::lock_guard lock(program.mutex);
        exists = program.events.contains(event);
    }
    if (!exists)
        return program.fail(cudaErrorInvalidResourceHandle, call,
                            "this event doesn't exist: cudaEventCreate() makes it, until cudaEventDestroy()");
    return program.run(
        call, [&] { return work(program); }, Effect::none);
}

}  // namespace

}  // namespace gpucc

using namespace gpucc;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    Program& program = Program::get();
    const Call call{__func__, "", 0};
    if (stream == nullptr) return program.fail(cudaErrorInvalidValue, call);
    return program.run(
        call,
        [&] {
            *stream = new CUstream_st{program.backend().create_stream(program.device()), flags, 0, program.device()};
            const std::lock_guard lock(program.mutex);
            program.streams.insert(*stream);
            return cudaSuccess;
        },
        Effect::none);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
    const cudaError_t error = cudaStreamCreateWithFlags(stream, flags);
    if (error == cudaSuccess) (*stream)->priority = std::clamp(priority, highest_priority, 0);
    return error;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = highest_priority;
    return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags, const char* file, int line) {
    GPUCC_CALL;
    return on_stream(stream, call, [&](Program&) {
        *flags = native_stream(stream) == nullptr ? 0 : stream->flags;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority, const char* file, int line) {
    GPUCC_CALL;
    return on_stream(stream, call, [&](Program&) {
        *priority = native_stream(stream) == nullptr ? 0 : stream->priority;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device, const char* file, int line) {
    GPUCC_CALL;
    return on_stream(stream, call, [&](Program& program) {
        *device = native_stream(stream) == nullptr ? program.device() : stream->device;
        return cudaSuccess;
    });
}
// Both sides use managed memory at any time here.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t, unsigned int, const char* file, int line) {
    GPUCC_CALL;
    return on_stream(stream, call, [](Program&) { return cudaSuccess; });
}
cudaError_t gpuccStreamDestroy(cudaStream_t stream, const char* file, int line) {
    const Call call{"cudaStreamDestroy", file, line};
    return on_stream(stream, call, [&](Program& program) {
        if (native_stream(stream) == nullptr) return program.fail(cudaErrorInvalidResourceHandle, call);
        {
            const std::lock_guard lock(program.mutex);
            program.streams.erase(stream);
        }
        program.backend().destroy_stream(program.device(), stream->native);
        delete stream;
        return cudaSuccess;
    });
}
cudaError_t gpuccStreamSynchronize(cudaStream_t stream, const char* file, int line) {
    const Call call{"cudaStreamSynchronize", file, line};
    if (const auto refused = refused_in_capture(stream, call)) return *refused;
    return on_stream(
        stream, call,
        [&](Program& program) {
            program.backend().synchronize_stream(program.device(), native_stream(stream));
            note_work(call, {.kind = Work::Kind::wait});
            return cudaSuccess;
        },
        native_stream(stream) == nullptr ? Effect::waits : Effect::none);
}
cudaError_t cudaStreamQuery(cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    if (const auto refused = refused_in_capture(stream, call)) return *refused;
    return on_stream(stream, call, [&](Program& program) {
        const gpu::detail::DeviceEvent mark(program.backend(), program.device());
        mark.record(native_stream(stream));
        const bool is_done = program.backend().event_reached(program.device(), mark.native());
        return is_done ? cudaSuccess : cudaErrorNotReady;
    });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data, const char* file, int line) {
    GPUCC_CALL;
    const auto noted = captured(stream, cudaGraphNodeTypeHost, call, [=](cudaStream_t other) {
        return cudaLaunchHostFunc(other, function, data, file, line);
    });
    if (noted) return *noted;
    const cudaError_t error = on_stream(stream, call, [&](Program& program) {
        if (function == nullptr) return program.fail(cudaErrorInvalidValue, call, "the function is null");
        program.backend().synchronize_stream(program.device(), native_stream(stream));
        return cudaSuccess;
    });
    if (error == cudaSuccess) function(data);
    return error;
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data, unsigned int,
                                  const char* file, int line) {
    GPUCC_CALL;
    if (const auto refused = refused_in_capture(stream, call)) return *refused;
    const cudaError_t error = on_stream(stream, call, [&](Program& program) {
        if (function == nullptr) return program.fail(cudaErrorInvalidValue, call, "the function is null");
        program.backend().synchronize_stream(program.device(), native_stream(stream));
        return cudaSuccess;
    });
    if (function != nullptr) function(stream, error, data);
    return error;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int, const char* file, int line) {
    GPUCC_CALL;
    if (!is_stream(stream))
        return Program::get().fail(cudaErrorInvalidResourceHandle, call, "this stream doesn't exist");
    return on_event(event, call, [&](Program& program) {
        if (const auto noted = captured_wait(stream, event, call)) return *noted;
        program.backend().wait_event(program.device(), native_stream(stream), event->native);
        return cudaSuccess;
    });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    Program& program = Program::get();
    const Call call{__func__, "", 0};
    if (event == nullptr) return program.fail(cudaErrorInvalidValue, call);
    return program.run(
        call,
        [&] {
            const bool has_time = (flags & cudaEventDisableTiming) == 0;
            *event = new CUevent_st{program.backend().create_event(program.device()), false, has_time};
            const std::lock_guard lock(program.mutex);
            program.events.insert(*event);
            return cudaSuccess;
        },
        Effect::none);
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t gpuccEventDestroy(cudaEvent_t event, const char* file, int line) {
    const Call call{"cudaEventDestroy", file, line};
    return on_event(event, call, [&](Program& program) {
        {
            const std::lock_guard lock(program.mutex);
            program.events.erase(event);
        }
        program.backend().destroy_event(program.device(), event->native);
        delete event;
        return cudaSuccess;
    });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream, const char* file, int line) {
    GPUCC_CALL;
    if (!is_stream(stream))
        return Program::get().fail(cudaErrorInvalidResourceHandle, call, "this stream doesn't exist");
    return on_event(event, call, [&](Program& program) {
        if (const auto noted = captured_record(event, stream)) return *noted;
        program.backend().record_event(program.device(), event->native, native_stream(stream));
        event->is_recorded = true;
        return cudaSuccess;
    });
}
cudaError_t gpuccEventSynchronize(cudaEvent_t event, const char* file, int line) {
    const Call call{"cudaEventSynchronize", file, line};
    return on_event(event, call, [&](Program& program) {
        if (const auto refused = refused_for_captured(event, call)) return *refused;
        if (event->is_recorded) program.backend().synchronize_event(program.device(), event->native);
        note_work(call, {.kind = Work::Kind::wait});
        return cudaSuccess;
    });
}
cudaError_t cudaEventQuery(cudaEvent_t event, const char* file, int line) {
    GPUCC_CALL;
    return on_event(event, call, [&](Program& program) {
        if (const auto refused = refused_for_captured(event, call)) return *refused;
        const bool is_done = !event->is_recorded || program.backend().event_reached(program.device(), event->native);
        return is_done ? cudaSuccess : cudaErrorNotReady;
    });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop, const char* file, int line) {
    GPUCC_CALL;
    return on_event(start, call, [&](Program&) {
        return on_event(stop, call, [&](Program& program) {
            if (!start->is_recorded || !stop->is_recorded || !start->has_time || !stop->has_time)
                return program.fail(cudaErrorInvalidResourceHandle, call,
                                    !start->has_time || !stop->has_time ? "an event was made without timing"
                                                                        : "an event was never recorded");
            if (!program.backend().event_reached(program.device(), stop->native) ||
                !program.backend().event_reached(program.device(), start->native))
                return cudaErrorNotReady;
            *milliseconds = program.backend().elapsed_ms(program.device(), start->native, stop->native);
            return cudaSuccess;
        });
    });
}
