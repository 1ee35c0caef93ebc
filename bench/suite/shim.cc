// shim.cc: Google Benchmark behind the C interface of shim.h. The only C++ file of the tree.
#include "shim.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace
{

struct Row {
    std::string name;
    sb_function *function;
    const void *context;
    size_t n;
    int threads;
    double iterations_per_second = 0; // of the latest run; 0: never ran
};

std::vector<std::unique_ptr<Row>> rows;
std::vector<std::pair<std::string, std::string>> facts;

benchmark::State &inner(sb_state *st) { return *static_cast<benchmark::State *>(st->inner); }

benchmark::internal::Benchmark *registered(Row *row)
{
    auto *made = benchmark::RegisterBenchmark(row->name.c_str(), [row](benchmark::State &state) {
        sb_state st = {0, &state};
        row->function(&st, row->n, row->context);
    });
    if (row->threads > 1) made->Threads(row->threads)->UseRealTime();
    return made;
}

std::string quoted(const std::string &text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) >= ' ') out += c;
    }
    return out + '"';
}

std::string number(double x)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", x);
    return std::isfinite(x) ? text : "null";
}

// What a run says of itself, as one line of JSON.
class Answer : public benchmark::BenchmarkReporter
{
  public:
    std::string text;
    double iterations_per_second = 0;

    bool ReportContext(const Context &) override { return true; }
    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &run : runs) {
            if (run.run_type != Run::RT_Iteration) continue;
            if (run.error_occurred) {
                text = "{\"skipped\": " + quoted(run.error_message) + "}";
                return;
            }
            // of each thread: the library adds up their iterations, but not their times
            iterations_per_second = static_cast<double>(run.iterations / run.threads) / run.real_accumulated_time;
            text = "{\"iterations\": " + std::to_string(run.iterations) +
                   ", \"real_ns\": " + number(run.GetAdjustedRealTime()) +
                   ", \"cpu_ns\": " + number(run.GetAdjustedCPUTime());
            for (const auto &counter : run.counters)
                text += ", " + quoted(counter.first) + ": " + number(counter.second.value);
            text += "}";
        }
    }
};

// One run of a row for about so many seconds. The first one looks for the number of iterations, and warms up.
std::string answer_of(Row *row, double seconds)
{
    benchmark::ClearRegisteredBenchmarks();
    auto *made = registered(row)->Repetitions(1);
    if (row->iterations_per_second > 0)
        made->Iterations(static_cast<benchmark::IterationCount>(std::ceil(row->iterations_per_second * seconds)));
    else made->MinTime(seconds);
    Answer answer;
    benchmark::RunSpecifiedBenchmarks(&answer, nullptr, "all");
    if (answer.iterations_per_second > 0) row->iterations_per_second = answer.iterations_per_second;
    return answer.text.empty() ? "{\"skipped\": \"no result\"}" : answer.text;
}

void say(const std::string &line) { std::cout << line << std::endl; }

} // namespace

void sb_register(const char *name, size_t n, int threads, sb_function *function, const void *context)
{
    rows.push_back(std::make_unique<Row>());
    *rows.back() = {std::string(name) + "/" + std::to_string(n), function, context, n, threads, 0};
}

void sb_context(const char *key, const char *value)
{
    facts.emplace_back(key, value);
    benchmark::AddCustomContext(key, value);
}

int sb_run(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    for (const auto &row : rows) registered(row.get());
    const size_t matched = benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return matched > 0 ? 0 : 2;
}

int sb_serve(void)
{
    char program[] = "simdp-bench", *arguments[] = {program, nullptr};
    int count = 1;
    benchmark::Initialize(&count, arguments);
    std::unordered_map<std::string, Row *> by_name;
    std::string text = "{\"context\": {";
    for (const auto &fact : facts)
        text += (fact == facts.front() ? "" : ", ") + quoted(fact.first) + ": " + quoted(fact.second);
    text += "}, \"rows\": [";
    for (const auto &row : rows) {
        by_name[row->name] = row.get();
        text += (row == rows.front() ? "" : ", ") + quoted(row->name);
    }
    say(text + "]}");
    double seconds;
    while (std::cin >> seconds >> text) {
        const auto found = by_name.find(text);
        const bool good = found != by_name.end() && seconds > 0 && seconds < 3600;
        say(good ? answer_of(found->second, seconds) : "{\"skipped\": \"no such row\"}");
    }
    return 0;
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
