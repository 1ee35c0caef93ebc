// shim.cc: Google Benchmark behind the C interface of shim.h. The only C++ file of the tree.
#include "shim.h"

#include <benchmark/benchmark.h>
#include <regex.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace
{

struct Row {
    std::string name;
    sb_function *function;
    const void *context;
    size_t n;
    benchmark::IterationCount iterations = 0; // of the latest run
    size_t runs = 0;                          // with that many iterations
};

std::vector<std::unique_ptr<Row>> rows;

// A progress line on stderr. Google Benchmark reports a row after its last repetition; with random interleaving that is
// near the end of everything, so runs are counted here as they happen.
struct Progress {
    using Clock = std::chrono::steady_clock;
    std::string label;
    size_t done = 0, total = 0;
    bool terminal = false;
    Clock::time_point start, shown;

    void begin(const char *text, size_t expected)
    {
        label = text;
        total = expected;
        terminal = isatty(STDERR_FILENO) != 0;
        start = shown = Clock::now();
        show(start);
    }
    void count(Row *row, benchmark::IterationCount iterations)
    {
        // a run with another number of iterations was only a search for the right number: its predecessors do not count
        if (iterations != row->iterations) {
            done -= row->runs;
            row->runs = 0;
            row->iterations = iterations;
        }
        row->runs++;
        done++;
        const Clock::time_point now = Clock::now();
        if (now - shown >= std::chrono::milliseconds(terminal ? 500 : 10000)) show(now);
    }
    void show(Clock::time_point now)
    {
        shown = now;
        const double seconds = std::chrono::duration<double>(now - start).count();
        std::fprintf(stderr, terminal ? "\r%s: %zu of %zu runs, %.0f s " : "%s: %zu of %zu runs, %.0f s\n",
                     label.c_str(), done < total ? done : total, total, seconds);
        std::fflush(stderr);
    }
    void end()
    {
        done = total;
        show(Clock::now());
        if (terminal) std::fputc('\n', stderr);
    }
};

Progress progress;
bool show_progress = false;

// Shows nothing but errors of the library itself: the results go to the file.
class Silent : public benchmark::BenchmarkReporter
{
    bool ReportContext(const Context &) override { return true; }
    void ReportRuns(const std::vector<Run> &) override {}
};

benchmark::State &inner(sb_state *st) { return *static_cast<benchmark::State *>(st->inner); }

// How many rows the filter leaves; Google Benchmark knows only when it has run them.
size_t matching_rows()
{
    std::string filter = benchmark::GetBenchmarkFilter();
    const bool negative = !filter.empty() && filter[0] == '-';
    if (negative) filter.erase(0, 1);
    if (filter.empty() || filter == "all") filter = ".";
    regex_t expression;
    if (regcomp(&expression, filter.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return 0;
    size_t count = 0;
    for (const auto &row : rows) {
        const bool match = regexec(&expression, row->name.c_str(), 0, nullptr, 0) == 0;
        count += match != negative;
    }
    regfree(&expression);
    return count;
}

// The value of --benchmark_repetitions, which the library keeps to itself.
size_t repetitions_of(int argc, char **argv)
{
    const std::string flag = "--benchmark_repetitions=";
    size_t count = 1;
    for (int i = 1; i < argc; i++) {
        const std::string argument = argv[i];
        if (argument.compare(0, flag.size(), flag) != 0) continue;
        count = std::strtoul(argument.c_str() + flag.size(), nullptr, 10);
    }
    return count;
}

} // namespace

void sb_register(const char *name, size_t n, int threads, sb_function *function, const void *context)
{
    rows.push_back(std::make_unique<Row>());
    Row *row = rows.back().get();
    row->name = std::string(name) + "/" + std::to_string(n);
    row->function = function;
    row->context = context;
    row->n = n;
    auto *registered = benchmark::RegisterBenchmark(row->name.c_str(), [row](benchmark::State &state) {
        sb_state st = {0, &state};
        row->function(&st, row->n, row->context);
        if (show_progress && state.thread_index() == 0) progress.count(row, state.max_iterations);
    });
    if (threads > 1) registered->Threads(threads)->UseRealTime();
}

void sb_context(const char *key, const char *value) { benchmark::AddCustomContext(key, value); }

int sb_run(int argc, char **argv, const char *progress_label)
{
    const size_t repetitions = repetitions_of(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    Silent silent;
    size_t matched;
    if (progress_label != nullptr) {
        progress.begin(progress_label, matching_rows() * repetitions);
        show_progress = true;
        matched = benchmark::RunSpecifiedBenchmarks(&silent);
        progress.end();
    } else {
        matched = benchmark::RunSpecifiedBenchmarks();
    }
    benchmark::Shutdown();
    return matched > 0 ? 0 : 2;
}

bool sb_more(sb_state *st)
{
    benchmark::State &state = inner(st);
    if (!state.KeepRunningBatch(state.max_iterations)) return false;
    st->left = static_cast<size_t>(state.max_iterations) - 1;
    return true;
}

void sb_items(sb_state *st, size_t per_iteration)
{
    inner(st).SetItemsProcessed(inner(st).iterations() * static_cast<int64_t>(per_iteration));
}

void sb_bytes(sb_state *st, size_t per_iteration)
{
    inner(st).SetBytesProcessed(inner(st).iterations() * static_cast<int64_t>(per_iteration));
}

int sb_thread(const sb_state *st) { return static_cast<benchmark::State *>(st->inner)->thread_index(); }

void sb_counter(sb_state *st, const char *name, double value)
{
    inner(st).counters[name] = benchmark::Counter(value, benchmark::Counter::kAvgThreads);
}

void sb_skip(sb_state *st, const char *message) { inner(st).SkipWithError(message); }
