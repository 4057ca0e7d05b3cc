// SPDX-License-Identifier: MIT
// Draws the timeline of chunks that go up, are computed and come down, 1 ms each, in one stream and in more.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

// Three engines work at the same time, each on one thing: copies up, kernels, copies down. What is put into a stream
// waits for what is before it there, and for its engine.
struct Timeline {
    std::string lanes[3];  // a character is 1 ms
    [[nodiscard]] int total() const { return static_cast<int>(lanes[2].size()); }
};

static Timeline timeline(int chunks, int streams) {
    Timeline made;
    std::vector<std::size_t> stream_is_free(streams);
    for (int chunk = 0; chunk < chunks; ++chunk) {
        std::size_t& stream = stream_is_free[chunk % streams];
        for (std::string& lane : made.lanes) {
            const std::size_t start = std::max(stream, lane.size());
            lane.resize(start, '.');
            lane += static_cast<char>('1' + chunk);
            stream = start + 1;
        }
    }
    for (std::string& lane : made.lanes) lane.resize(made.lanes[2].size(), '.');
    return made;
}

static void draw(int chunks, int streams) {
    const Timeline made = timeline(chunks, streams);
    std::printf("%d chunks, %d stream%s: %d ms\n  up      %s\n  kernel  %s\n  down    %s\n", chunks, streams,
                streams == 1 ? "" : "s", made.total(), made.lanes[0].c_str(), made.lanes[1].c_str(),
                made.lanes[2].c_str());
}

int main() {
    draw(4, 1);
    draw(4, 4);
    std::printf("Answer: %d\n", timeline(4, 4).total());
    int enough = 1;
    while (timeline(8, enough).total() > timeline(8, enough + 1).total()) draw(8, enough++);
    draw(8, enough);
    std::printf("Answer: %d\n", enough);
}
