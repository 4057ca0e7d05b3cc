// SPDX-License-Identifier: MIT
#pragma once

namespace course::runner {

/// Opens the device, loads the object, answers requests until the grader closes the connection.
void serve(const char* object);

}  // namespace course::runner
