// SPDX-License-Identifier: MIT

// Exercise 25: four elements for each thread.

__global__ void add_four(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 9 lines) ----
    // TODO: Load all elements of this thread first, as many as there are, then add and store. Which four are its own,
    //       if a warp's request is to be coalesced each time?
    // ---- end ----
}
