# SPDX-License-Identifier: MIT
"""What gpu_bench, cupy_rows.py and peer_rows.py measured, as a page and a chart: beside-cupy.md and beside-cupy.svg.

`results` is what run.py gathers: about, limits, rows, growth and shapes of gpu_bench, seconds of its peers and of NumPy.
"""

import html
import math
import re

# The rows in the table's order: their names, and in what a figure is shown.
TITLES = {
    "elementwise/copy": ("copy of an array, 8 bytes an element", "GB/s"),
    "elementwise/squared_diff": ("elementwise kernel (x - y)², 12 bytes", "GB/s"),
    "elementwise/expression": ("z = x² + 2y, 12 bytes", "GB/s"),
    "elementwise/expression_new": ("x² + 2y into a new array, 12 bytes", "GB/s"),
    "elementwise/half": ("(x - y)² in half precision, 6 bytes", "GB/s"),
    "elementwise/every_second": ("2 x[::2], 6 bytes", "GB/s"),
    "elementwise/broadcast_row": ("(x - row)², 8 bytes", "GB/s"),
    "elementwise/broadcast_column": ("(x - column)², 8 bytes", "GB/s"),
    "elementwise/all_transposed": ("(x - y)², all three transposed, 12 bytes", "GB/s"),
    "elementwise/one_transposed": ("(x - y)², y transposed, 12 bytes", "GB/s"),
    "elementwise/transposed_copy": ("transposed copy, 8 bytes", "GB/s"),
    "elementwise/raw_add": ("raw kernel x + y, 12 bytes", "GB/s"),
    "reductions/sum": ("sum", "GB/s"),
    "reductions/sum_axis_0": ("sum over axis 0 of a square", "GB/s"),
    "reductions/sum_axis_1": ("sum over axis 1 of a square", "GB/s"),
    "reductions/rows_of_8": ("sums of rows of 8", "GB/s"),
    "reductions/columns_of_8": ("sums of 8 columns", "GB/s"),
    "reductions/eight_rows": ("sums of 8 rows", "GB/s"),
    "reductions/eight_rows_axis_0": ("sums of columns of 8", "GB/s"),
    "reductions/middle_axis": ("sum over the middle of three axes", "GB/s"),
    "reductions/argmax": ("argmax", "GB/s"),
    "reductions/sum_of_products": ("sum(x * y)", "GB/s"),
    "reductions/l2norm": ("reduction kernel l2norm", "GB/s"),
    "reductions/l2norm_axis_0": ("l2norm over axis 0 of a square", "GB/s"),
    "reductions/l2norm_axis_1": ("l2norm over axis 1 of a square", "GB/s"),
    "order/sort": ("sort, 2^26", "ms"),
    "order/sort_1048576": ("sort, 2^20", "ms"),
    "order/sort_integers": ("sort, 2^26 int32", "ms"),
    "order/sort_doubles": ("sort, 2^24 float64", "ms"),
    "order/sort_rows": ("sort of rows of 8192²", "ms"),
    "order/argsort": ("argsort, 2^26", "ms"),
    "order/argsort_1048576": ("argsort, 2^20", "ms"),
    "order/cumsum": ("cumsum, 2^26", "ms"),
    "order/cumsum_axis_0": ("cumsum of columns of 8192²", "ms"),
    "order/cumsum_axis_1": ("cumsum of rows of 8192²", "ms"),
    "order/compress_half": ("compress half of 2^26", "ms"),
    "order/compress_few": ("compress 1 in 1000 of 2^26", "ms"),
    "order/flatnonzero": ("flatnonzero, half of 2^26", "ms"),
    "order/bincount_256": ("bincount, 256 bins, 2^26 int32", "ms"),
    "order/bincount_skewed": ("bincount, 15/16 of 2^26 in one of 256 bins", "ms"),
    "order/bincount_1048576": ("bincount, 2^20 bins, 2^26 int32", "ms"),
    "order/histogram_100": ("histogram, 100 bins, 2^26", "ms"),
    "rows/softmax": ("softmax of rows of 8192²", "ms"),
    "rows/standardise": ("rows of 8192² standardised", "ms"),
    "rows/standardise_columns": ("columns of 8192² standardised", "ms"),
    "functions/masked_assignment": ("copy and masked assignment, 2^26", "ms"),
    "functions/where": ("where, 2^26", "ms"),
    "functions/take": ("take 2^24 of 2^26", "ms"),
    "functions/take_rows": ("take rows of 8192²", "ms"),
    "functions/add_at": ("copy of 2^26 and add_at of 2^24", "ms"),
    "functions/concatenate": ("concatenate 2 x 2^26", "ms"),
    "functions/flip": ("flipped copy, 2^26", "ms"),
    "functions/roll": ("roll, 2^26", "ms"),
    "functions/diff": ("diff, 2^26", "ms"),
    "functions/chain": ("exp(-x) sin(y) + cos(x) / (1 + y²), 2^26", "ms"),
    "functions/var": ("var, 2^26", "ms"),
    "functions/var_axis_0": ("var of columns of 8192²", "ms"),
    "functions/any": ("any, 2^26", "ms"),
    "functions/min": ("min, 2^26", "ms"),
    "functions/argmax_axis_0": ("argmax of columns of 8192²", "ms"),
    "functions/argmax_axis_1": ("argmax of rows of 8192²", "ms"),
    "functions/sum_integers": ("sum, 2^26 int32", "ms"),
    "functions/mean_doubles": ("mean, 2^26 float64", "ms"),
    "functions/dot": ("dot, 2^26", "ms"),
    "functions/norm": ("norm, 2^26", "ms"),
    "functions/outer": ("outer product, 8192²", "ms"),
    "functions/matrix_times_vector": ("matrix times vector, 8192²", "ms"),
    "functions/complex_product": ("product, 2^26 complex64", "ms"),
    "functions/permutation": ("permutation of 2^26", "ms"),
    "functions/integers": ("random integers, 2^26 int32", "ms"),
    "random/uniform": ("uniform numbers", "GB/s"),
    "random/uniform_after_odd_draw": ("uniform numbers, after an odd number of them", "GB/s"),
    "random/normal": ("normal numbers", "GB/s"),
    "matrices/matmul_64": ("matmul, 64", "us"),
    "matrices/matmul_1024": ("matmul, 1024", "TFLOP/s"),
    "matrices/matmul_8192": ("matmul, 8192", "TFLOP/s"),
    "matrices/matmul_8192_transposed": ("matmul, 8192, the first transposed", "TFLOP/s"),
    "matrices/svd_64": ("svd, 64", "ms"),
    "matrices/svd_512": ("svd, 512", "ms"),
    "matrices/svd_1024": ("svd, 1024", "ms"),
    "matrices/svd_2048": ("svd, 2048", "ms"),
    "matrices/svd_4096": ("svd, 4096", "ms"),
    "matrices/svd_100000x64": ("svd, 100000 x 64", "ms"),
    "matrices/svd_4096_of_32": ("svd of 4096 matrices, 32", "ms"),
    "matrices/svd_1024_of_64": ("svd of 1024 matrices, 64", "ms"),
    "images/convolve_3x3": ("convolve2d of a square, 3 x 3", "GB/s"),
    "images/convolve_3x3_1024": ("convolve2d of 1024², 3 x 3", "GB/s"),
    "images/convolve_3x3_8192": ("convolve2d of 8192², 3 x 3", "GB/s"),
    "images/convolve_15x15_1024": ("convolve2d of 1024², 15 x 15", "GB/s"),
    "images/convolve_15x15_8192": ("convolve2d of 8192², 15 x 15", "GB/s"),
    "images/mandelbrot": ("Mandelbrot, 1024², 200 steps, double", "us"),
    "linear/solve_1024": ("solve, 1024", "ms"),
    "linear/solve_4096": ("solve, 4096", "ms"),
    "linear/solve_4096_of_16": ("solve of 4096 systems, 16", "ms"),
    "linear/inv_1024": ("inv, 1024", "ms"),
    "linear/cholesky_4096": ("cholesky, 4096", "ms"),
    "linear/qr_1024": ("qr, 1024", "ms"),
    "linear/qr_100000x64": ("qr, 100000 x 64", "ms"),
    "linear/eigh_1024": ("eigh, 1024", "ms"),
    "linear/eigh_4096": ("eigh, 4096", "ms"),
    "linear/eigh_1024_of_32": ("eigh of 1024 matrices, 32", "ms"),
    "linear/lstsq_10000x100": ("lstsq, 10000 x 100", "ms"),
    "linear/det_4096_of_16": ("det of 4096 matrices, 16", "ms"),
    "calls/elementwise": ("host time: elementwise kernel", "us"),
    "calls/reduction": ("host time: reduction kernel", "us"),
    "calls/raw": ("host time: raw kernel", "us"),
    "calls/expression": ("host time: x + y", "us"),
    "calls/longer_expression": ("host time: x² + 2y", "us"),
    "calls/sum": ("host time: sum", "us"),
    "calls/item": ("host time: sum, and its value on the host", "us"),
    "calls/empty_10": ("host time: empty array of 10", "us"),
    "calls/empty_1000000": ("host time: empty array of 10^6", "us"),
    "compile/elementwise": ("first call: elementwise kernel", "ms"),
    "compile/reduction": ("first call: reduction kernel", "ms"),
    "compile/raw": ("first call: raw kernel", "ms"),
    "copies/pageable_to_device": ("copy to the device", "GB/s"),
    "copies/pageable_to_host": ("copy to the host", "GB/s"),
    "copies/pinned_to_device": ("copy to the device, page-locked", "GB/s"),
    "copies/pinned_to_host": ("copy to the host, page-locked", "GB/s"),
}
PEERS = {"cupy": "CuPy", "torch": "PyTorch", "jax": "JAX"}
# What is shown of rows that grow, where it isn't the table's.
GROWN = {
    "order/sort": ("sort", "us"),
    "order/argsort": ("argsort", "us"),
    "order/cumsum": ("cumsum", "us"),
    "order/compress_half": ("compress half", "us"),
    "order/flatnonzero": ("flatnonzero, half", "us"),
    "order/bincount_256": ("bincount, 256 bins", "us"),
    "order/histogram_100": ("histogram, 100 bins", "us"),
    "rows/softmax": ("softmax of rows of a square", "us"),
    "matrices/matmul": ("matmul of squares", "GFLOP/s"),
    "matrices/svd": ("svd of squares", "ms"),
}
LIMITS = {
    "stream": "a device copy, or a kernel that reads two arrays and writes one in 16 bytes at a time",
    "read": "a kernel that reads 16 bytes at a time, or the line above where that is faster",
    "write": "a kernel that writes 16 bytes at a time",
    "gaps": "a kernel that writes every second element; the gaps count",
    "philox": "cuRAND, uniform numbers from Philox, bytes written",
    "philox_normal": "cuRAND, normal numbers from Philox, bytes written",
}
WANTED_SHARE = .7                                                # of the limit, for shapes that nobody chose
FALL = .9                                                        # a rate below this part of the smaller size's
LATER = 1.1                                                      # a time above this part of the larger size's
CLOCK = 1e-6                                                     # what events may be wrong by


def digits(value):
    """A figure for people: three digits."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def figure(row, seconds, unit):
    """A time, or the rate that follows from the row's own work, in this unit."""
    if seconds is None:
        return "–"
    if unit == "GB/s":
        return digits(row["bytes_per_s"] * row["seconds"] / seconds / 1e9)
    if unit in ("TFLOP/s", "GFLOP/s"):
        return digits(row["operations_per_s"] * row["seconds"] / seconds / {"T": 1e12, "G": 1e9}[unit[0]])
    return digits(seconds * {"us": 1e6, "ms": 1e3}[unit])


def cliffs(sizes):
    """Where a row's speed falls off: {exponent: {"seconds", "bytes_per_s"}} gives a sentence for each place.

    From a size to the next larger one that was measured, the rate, if there is one, must not fall by more than a tenth;
    and the smaller one must not take longer, by more than a tenth and a microsecond.
    """
    known = sorted((int(size), values) for size, values in sizes.items() if "error" not in values)
    found = []
    for (small, before), (large, after) in zip(known, known[1:]):
        key, unit = ("bytes_per_s", "GB/s") if "bytes_per_s" in before else ("operations_per_s", "GFLOP/s")
        if key in before and after[key] < FALL * before[key]:
            found.append(f"2^{small} to 2^{large}: {digits(before[key] / 1e9)} to {digits(after[key] / 1e9)} {unit}")
        elif before["seconds"] > LATER * after["seconds"] + CLOCK:
            found.append(f"2^{small} takes {digits(before['seconds'] * 1e6)} us, 2^{large} "
                         f"{digits(after['seconds'] * 1e6)}")
    return found


def ratio_to(results, libraries, name):
    """How many times faster than the fastest of these libraries a row is; None if something is missing."""
    row = results["rows"].get(name, {})
    theirs = [seconds for library in libraries if (seconds := results.get(library, {}).get(name))]
    return min(theirs) / row["seconds"] if theirs and "seconds" in row else None


def peers_of(results):
    """The peers that were measured."""
    return [library for library in PEERS if results.get(library)] or ["cupy"]


def joined(names):
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def peer_names(results):
    names = [PEERS[library] for library in peers_of(results)]
    return names[0] if len(names) == 1 else f"the fastest of {joined(names)}"


def shown_ratio(ratio):
    if ratio is None or ratio >= 1:
        return "–" if ratio is None else digits(ratio)
    return f"**{ratio:.2f}**" if ratio < .995 else f"**{ratio:.3f}**"


def main_table(results):
    peers = peers_of(results)
    lines = [f"| row | unit | {' | '.join(PEERS[peer] for peer in peers)} | libgpu | times as fast | of the limit |",
             "|---" * (len(peers) + 5) + "|"]
    for name, (title, unit) in TITLES.items():
        row = results["rows"].get(name)
        if row is None:
            continue
        if "error" in row:
            lines.append(f"| {title} | |{' |' * len(peers)} **ERROR** | | |")
            continue
        share = row.get("share_of_limit")
        theirs = [figure(row, results[peer].get(name), unit) for peer in peers]
        lines.append(f"| {title} | {unit} | {' | '.join(theirs)} | "
                     f"{figure(row, row['seconds'], unit)} | {shown_ratio(ratio_to(results, peers, name))} | "
                     f"{'–' if share is None else f'{share:.2f}'} |")
    return lines


def numpy_table(results):
    names = [name for name in TITLES if name in results.get("numpy", {}) and "seconds" in results["rows"].get(name, {})]
    if not names:
        return []
    lines = ["", "NumPy on the host's processors, milliseconds:", "",
             "| row | NumPy | libgpu | times as fast |", "|---|---|---|---|"]
    for name in names:
        row = results["rows"][name]
        lines.append(f"| {TITLES[name][0]} | {figure(row, results['numpy'][name], 'ms')} | "
                     f"{figure(row, row['seconds'], 'ms')} | {shown_ratio(ratio_to(results, ['numpy'], name))} |")
    return lines


def limits_table(results):
    lines = ["| limit | GB/s |", "|---|---|"]
    return lines + [f"| {words} | {digits(results['limits'][name] / 1e9)} |" for name, words in LIMITS.items()
                    if results["limits"].get(name)]


def grown_title(name):
    """A row's title without what belongs to the table's size, and its unit."""
    title, unit = GROWN.get(name) or TITLES.get(name, (name, "GB/s"))
    return re.sub(r", \d+ bytes.*| of a square", "", title).strip(), unit


def growth_part(results):
    if not results["growth"]:
        return []
    exponents = sorted({int(size) for sizes in results["growth"].values() for size in sizes})
    lines = ["", "## From small to large", "",
             "By the number of elements. A cliff is where, from a size to the next larger one of the table, the rate",
             "falls by more than a tenth, or the smaller one takes longer (by a tenth and a microsecond). What would",
             "take too long is left out.", "",
             "| row | unit | " + " | ".join(f"2^{size}" for size in exponents) + " |",
             "|---" * (len(exponents) + 2) + "|"]
    found = []
    for name, sizes in results["growth"].items():
        title, unit = grown_title(name)
        cells = []
        for size in exponents:
            values = sizes.get(str(size))
            cells.append("–" if values is None else "**ERROR**" if "error" in values
                         else figure(values, values["seconds"], unit))
        lines.append(f"| {title} | {unit} | " + " | ".join(cells) + " |")
        found += [f"- {title}: {cliff}." for cliff in cliffs(sizes)]
    return lines + [""] + (["Cliffs:", "", *found] if found else ["There is no cliff."])


def shapes_part(results):
    if not results["shapes"]:
        return []
    shares = [values["share_of_limit"] for values in results["shapes"].values() if "share_of_limit" in values]
    reached = sum(share >= WANTED_SHARE for share in shares)
    lines = ["", "## Shapes that nobody chose", "",
             "Random shapes and strides, the same in each run. An operand is written as its axes from the outermost in",
             "memory to the innermost: `10` is transposed, `0-` broadcasts axis 1, `1'` takes every second element of",
             "axis 1, `+3` begins 3 elements behind an aligned address. A result with gaps is held against a kernel that",
             "writes every second element, as memory moves gaps, too.", "",
             f"{reached} of {len(results['shapes'])} reach {WANTED_SHARE} of what their bytes allow; bold: less.", "",
             "| | shape and operands | GB/s | of the limit |", "|---|---|---|---|"]
    for name, values in results["shapes"].items():
        number = name.rpartition("_")[2]
        if "error" in values:
            lines.append(f"| {number} | {values.get('label', '')} | **ERROR** | |")
            continue
        share = values.get("share_of_limit")
        shown = "–" if share is None else f"{share:.2f}" if share >= WANTED_SHARE else f"**{share:.2f}**"
        lines.append(f"| {number} | `{values['label']}` | {digits(values['bytes_per_s'] / 1e9)} | {shown} |")
    return lines


def drawn_words(name):
    """A drawn call as people write it: drawn/sort/float32/17x4099/axis_0."""
    function, type_name, lengths, rest = name.split("/")[1:]
    what, _, number = rest.rpartition("_")
    shape = f"{type_name} ({lengths.replace('x', ', ')})"
    return f"{function} {shape}, axis {number}" if what == "axis" else f"{function} {shape}, {number} % kept"


def drawn_part(results):
    """Sorts, scans and masks whose shapes were drawn, beside CuPy."""
    drawn = results.get("drawn", {})
    if not drawn:
        return []
    theirs = results.get("cupy", {})
    ratios = [theirs[name] / row["seconds"] for name, row in drawn.items() if "seconds" in row and theirs.get(name)]
    lines = ["", "## Sorts, scans and masks of random shapes", "",
             "Functions, types, shapes and axes that were drawn once and are the same in each run, in microseconds, each",
             "with the cache filled with other data before it.", ""]
    if ratios:
        level = sum(ratio >= .995 for ratio in ratios)
        lines += [f"{level} of {len(ratios)} are as fast as CuPy or faster; the least is {digits(min(ratios))} times as "
                  "fast.", ""]
    lines += ["| call | CuPy | libgpu | times as fast |", "|---|---|---|---|"]
    for name in sorted(drawn, key=lambda name: name.split("/")[1]):
        row, their = drawn[name], theirs.get(name)
        if "error" in row:
            lines.append(f"| {drawn_words(name)} | | **ERROR** | |")
            continue
        ratio = their / row["seconds"] if their else None
        lines.append(f"| {drawn_words(name)} | {figure(row, their, 'us')} | {figure(row, row['seconds'], 'us')} | "
                     f"{shown_ratio(ratio)} |")
    return lines


def errors_part(results):
    said = [f"- {TITLES[name][0] if name in TITLES else name}: {row['error']}" for name, row in results["rows"].items()
            if "error" in row]
    said += [f"- {name}, 2^{size}: {values['error']}" for name, sizes in results["growth"].items()
             for size, values in sizes.items() if "error" in values]
    said += [f"- {name}: {values['error']}" for part in ("shapes", "drawn")
             for name, values in results.get(part, {}).items() if "error" in values]
    missing = [f"- {name}: {why}" for name, why in results.get("missing", {}).items()]
    parts = (["", "## Errors", "", *said] if said else []) + (["", "Not measured:", "", *missing] if missing else [])
    return parts


def summary(results):
    peers = peers_of(results)
    ratios = {name: ratio for name in TITLES if (ratio := ratio_to(results, peers, name)) is not None}
    if not ratios:
        return "No peer was measured."
    ahead = sum(ratio >= 1 for ratio in ratios.values())
    least = min(ratios, key=ratios.get)
    return (f"libgpu is as fast as {peer_names(results)} or faster on {ahead} of {len(ratios)} rows; the least is "
            f"{ratios[least]:.2f} times as fast ({TITLES[least][0]}).")


def peers_words(results):
    peers = peers_of(results)
    said = ["", "libgpu is held against the fastest of the others, row by row."] if len(peers) > 1 else []
    return said + (["JAX has no events: its figures are of 20 calls in a row, by the clock."] if "jax" in peers else [])


def page(results):
    """The Markdown page."""
    about = results["about"]
    versions = [f"driver {about['driver']}"] if about.get("driver") else []
    versions += [f"{title} {about[key]}" for key, title in
                 (("cuda", "CUDA"), *PEERS.items(), ("numpy", "NumPy")) if about.get(key)]
    exponent = about["table_elements"]
    peers = joined(PEERS[peer] for peer in peers_of(results))
    lines = ["<!-- SPDX-License-Identifier: MIT -->", f"# Beside {peers}, and beside the card's limits", "",
             f"{', '.join([about['card'], *versions])}; {about['day']}. Made by `{about['command']}` in "
             f"{about['seconds']:.0f} s.", "", summary(results), "",
             f"float32, 2^{exponent} elements unless the row says another size. Medians of 3 to 15 calls, each between",
             "two events, with the cache filled with other data before it; host times are medians of bursts of 200",
             "calls. Inputs are drawn anew, and after the timing each result is compared with one in double. Bytes are",
             "those that a call has to read and write; a share of the limit is of the limit of the same run.",
             *peers_words(results), "",
             f"![{chart_words(results)}](beside-cupy.svg)", "", *main_table(results), *numpy_table(results), "",
             *limits_table(results), *growth_part(results), *shapes_part(results), *drawn_part(results),
             *errors_part(results)]
    return "\n".join(lines) + "\n"


# --- the chart: each row's two bars side by side, on a page as narrow as a phone -------------------------------------
WIDTH, LABEL, BAR, GAP, HEAD = 360, 16, 12, 9, 46
RATIO_LEFT, RATIO_WIDTH, SHARE_LEFT, SHARE_WIDTH = 0, 140, 196, 118
STYLE = """text { font: 12.5px system-ui, sans-serif; fill: #1c2226; } .quiet { fill: #55616a; font-size: 11.5px; }
.title { font-weight: 600; } .ratio { fill: #0a6477; } .share { fill: #76540a; } .behind { fill: #ad1f27; }
.line { stroke: #55616a; stroke-width: 1.2; } .grid { stroke: #d9dfe3; }
@media (prefers-color-scheme: dark) {
  text { fill: #dde3e7; } .quiet { fill: #9aa7b0; } .ratio { fill: #6cc6da; } .share { fill: #e6c16d; }
  .behind { fill: #ff9790; } .line { stroke: #9aa7b0; } .grid { stroke: #333c43; }
}"""


def chart_words(results):
    """The chart for those who don't see it."""
    shares = [row["share_of_limit"] for row in results["rows"].values() if row.get("share_of_limit") is not None]
    said = (f"How many times as fast as {peer_names(results)} libgpu is, and which share of the card's limit it "
            "reaches, row by row. ")
    said += summary(results)
    if shares:
        said += f" Shares of the limit go from {min(shares):.2f} to {max(shares):.2f}."
    return said


def head(place, words, anchor="middle"):
    return f'<text class="quiet" x="{place:.1f}" y="36" text-anchor="{anchor}">{words}</text>'


def chart(results):
    """The SVG."""
    bars = [(title, ratio_to(results, peers_of(results), name), results["rows"][name].get("share_of_limit"))
            for name, (title, _) in TITLES.items() if name in results["rows"] and "error" not in results["rows"][name]]
    bars = [bar for bar in bars if bar[1] is not None or bar[2] is not None]
    ratios = [ratio for _, ratio, _ in bars if ratio is not None] or [1]
    low, high = math.floor(math.log10(min(*ratios, .99))), max(1, math.ceil(math.log10(max(ratios))))
    most = max([1.0] + [share for _, _, share in bars if share is not None])

    def ratio_place(value):
        return RATIO_LEFT + RATIO_WIDTH * (math.log10(value) - low) / (high - low)

    def share_place(value):
        return SHARE_LEFT + SHARE_WIDTH * value / most

    height = HEAD + len(bars) * (LABEL + BAR + GAP)
    grid, marks, lines = [], [], []
    for power in range(low, high + 1):
        lines.append((ratio_place(10.0 ** power), "line" if power == 0 else "grid"))
        anchor = "start" if power == low else "middle"
        grid.append(head(lines[-1][0], f"{10.0 ** power:g}", anchor))
    for share in (0, .5, 1):
        lines.append((share_place(share), "line" if share == 1 else "grid"))
        grid.append(head(lines[-1][0], f"{share:g}"))
    y = HEAD
    for title, ratio, share in bars:
        marks.append(f'<text x="0" y="{y + 11}">{html.escape(title)}</text>')
        y += LABEL
        marks += [f'<line class="{kind}" x1="{place:.1f}" x2="{place:.1f}" y1="{y - 2}" y2="{y + BAR}"/>'
                  for place, kind in lines]
        if ratio is not None:
            start, stop = sorted((ratio_place(1), ratio_place(ratio)))
            kind = "ratio" if ratio >= 1 else "behind"
            marks.append(f'<rect class="{kind}" x="{start:.1f}" y="{y}" width="{max(stop - start, 1):.1f}" '
                         f'height="{BAR - 2}"/>')
            marks.append(f'<text class="quiet" x="{RATIO_LEFT + RATIO_WIDTH + 6}" y="{y + 9}">{digits(ratio)}</text>')
        if share is not None:
            marks.append(f'<rect class="share" x="{SHARE_LEFT}" y="{y}" width="{share_place(share) - SHARE_LEFT:.1f}" '
                         f'height="{BAR - 2}"/>')
            marks.append(f'<text class="quiet" x="{SHARE_LEFT + SHARE_WIDTH + 10}" y="{y + 9}">{share:.2f}</text>')
        y += BAR + GAP
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
            'role="img" aria-labelledby="title desc">\n'
            '<title id="title">libgpu beside its peers and the card\'s limits</title>\n'
            f'<desc id="desc">{html.escape(chart_words(results))}</desc>\n<style>\n{STYLE}\n</style>\n'
            f'<text class="title" x="0" y="16">times as fast</text><text class="title" x="{SHARE_LEFT}" y="16">'
            'share of the limit</text>\n' + "\n".join(grid + marks) + "\n</svg>\n")
