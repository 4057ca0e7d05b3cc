// SPDX-License-Identifier: MIT
#pragma once

namespace course::runner {

/// Opens the device, loads the object, answers requests until the grader closes the connection. Null: there is no
/// object, only the reference's function (protocol/protocol.hpp).
void serve(const char* object);

}  // namespace course::runner
