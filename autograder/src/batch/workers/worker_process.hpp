// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "support/files.hpp"

namespace course {

/// How a worker is started.
struct WorkerCommand {
    std::vector<std::string> arguments;    ///< the program's path first
    std::vector<std::string> environment;  ///< "TMPDIR=...", besides this program's own variables, or in their place
    int messages = -1;                     ///< a descriptor for what it says on stderr; -1: nowhere
    int lock = -1;                         ///< a descriptor that it holds as number 3; -1: none
};

/// A worker: a program that leads a session of its own, reads jobs from its standard input and answers on its standard
/// output. It dies with this program, and the destructor kills it and all that it has started.
class WorkerProcess {
public:
    /// To be called by the thread that lives as long as the worker should. @throws std::system_error
    explicit WorkerProcess(const WorkerCommand& command);
    ~WorkerProcess();
    WorkerProcess(WorkerProcess&& other) noexcept;
    WorkerProcess& operator=(WorkerProcess&& other) noexcept;

    /// To be polled for input. Never blocks.
    [[nodiscard]] int socket() const noexcept { return socket_.get(); }
    [[nodiscard]] pid_t process() const noexcept { return process_; }

    /// False if the worker is gone.
    bool send(const std::string& line);
    /// Takes whole lines that have come since. False if the worker has closed its end, or floods this one.
    bool receive(std::vector<std::string>& lines);

private:
    OpenFile socket_;
    pid_t process_ = -1;
    std::string received_;
};

}  // namespace course
