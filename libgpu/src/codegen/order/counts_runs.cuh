// SPDX-License-Identifier: MIT
// What a thread counts in one bin after another, in a run, is one addition.

template <class To> struct Runs : To {
    Bin bin;
    C run;

    __device__ inline void end() {
        if (run != 0) this->add(bin, run);
    }
    __device__ inline void count(Bin next, C amount) {
        if (next != bin) {
            end();
            bin = next;
            run = 0;
        }
        run += amount;
    }
};
