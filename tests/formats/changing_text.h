/* Delimited traces and tables whose rows change under a reader that has learned how they look: decimals, units and
 * blanks of cells, the order of devices, line ends, the length of lines, and stamps across every boundary. Some files
 * are tame for a thousand rows and odd once, some odd in every row. */
#ifndef WS_TESTS_CHANGING_TEXT_H
#define WS_TESTS_CHANGING_TEXT_H

#include "fuzz/damage.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

/* Every delimited format has a form. In its row @ is a device, # a number, $ a running count, * a name of any length;
 * of the time: ! the date, parts between the sign that follows; & the same, month first; ~ of day; ^ seconds since the
 * epoch with and ? without decimals; % seconds since the start. */
static const struct changing_form {
    const char *reader, *head, *row;
} changing_forms[] = {
    {"nvidia-smi-csv", "timestamp, index, name, power.draw [W], utilization.gpu [%], memory.used [MiB]\n",
     "!/ ~, @, *, # W, # %, # MiB"},
    {"nvidia-smi-csv", "timestamp, index, power.draw [W], utilization.gpu [%], temperature.gpu, pstate\n",
     "!/ ~, @, #, #, #, P*"},
    {"nvidia-smi-csv", "timestamp, uuid, utilization.gpu [%], power.draw [W]\n", "!/ ~, GPU-5f@c, # %, # W"},
    {"nvidia-smi-csv", "", "!/ ~, @, *, # W, # %"},
    {"supercloud-gpu",
     "timestamp,gpu_index,utilization_gpu_pct,utilization_memory_pct,memory_free_MiB,memory_used_MiB,power_draw_W\n",
     "^,@,#,#,#,#,#"},
    {"csv", "# GPU power\ntime;name;gpu;power_w;memory.used [MiB]\n", "!-T~Z;*;@;#;# MiB"},
    {"csv", "timestamp\tGPU0\tGPU1\tnote\n", "^\t#\t#\t*"},
    {"csv", "elapsed_sec,temp_c,power_w\n", "%,#,#"},
    {"nvidia-smi-csv", "index, power.draw [W]\n", "@, # W"},
    {"csv", "date,time,gpu,power\n", "!-,~,@,#"},
    {"csv", "power_w\n", "#"},
    {"nvidia-smi-csv", "timestamp, power.draw [W], utilization.gpu [%]\n", "!/ ~, # W, # %"}, /* in turns */
    {"nvidia-smi-csv", "timestamp, name, pstate, power.draw [W]\n", "!/ ~, NVIDIA A100, P0, # W"},
    {"csv", "time,gpu,power_w\n", "~,@,#"},
    {"csv", "timestamp,interval,gpu,energy_j,power_w\n", "^,0.#,@,#,#"},
    {"csv", "timestamp,interval_ms,power_w,util\n", "!-T~,#,#,#"},
    {"csv", "date;time;host;GPU0;GPU1\n", "!-;~;n@;#;#"},
    {"csv", "host,time_ms,power [mW],energy [J]\n", "n@,?000,#,$"},
    {"wandb-system", "_timestamp,_runtime,system.gpu.0.powerWatts,system.gpu.0.gpu,system.gpu.1.powerWatts\n",
     "^,%,#,#,#"},
    {"turbostat", "Core\tCPU\tAvg_MHz\tBusy%\tTime_Of_Day_Seconds\tPkgWatt\tCorWatt\tRAMWatt\n",
     "-\t-\t#\t#\t^\t#\t#\t#"},
    {"power-gadget",
     "System Time,RDTSC,Elapsed Time (sec),Processor Power_0(Watt),Cumulative Processor Energy_0(Joules)\n",
     "~, $,    %,  #,   #"},
    {"slurm-series", "Step,Node,Series,ElapsedTime,EpochTime,CPUFrequency,CPUTime,CPUUtilization,RSS,VMSize\n",
     "-1,node@,0,10,?,#,#,#,#,#"},
    {"slurm-energy", "Step,Node,Series,ElapsedTime,EpochTime,Power,CPUFrequency\n", "-1,node@,Energy,10,?,#,#"},
    {"zeus-windows", "start_time,window_name,elapsed_time,gpu0_energy,gpu1_energy\n", "%,*,#,#,#"},
    {"ear-eacct",
     "JOBID;STEPID;APPID;JOBNAME;JOB_END_TIME;NODENAME;TIME_SEC;DC_NODE_POWER_W;DRAM_POWER_W;PCK_POWER_W\n",
     "41;0;0;*;?;node@;#;#;#;#"},
    {"powercap-csv", "timestamp,package-0,dram-0\n", "^,$000,$000"}, /* microjoules, not watts */
    {"powercap-csv", "timestamp,domain,energy_uj,max_energy_range_uj\n", "^,package-@,$,262143328850"},
    {"rapl-interval-csv", "#timestamp,interval,socket,domain,energy,power\n", "%,#,N@,package,#,#"},
    {"dcgm-csv", "GPUId,TimeStampUs,Field,Values\n", "@,?000000,power_usage_instant,#"},
    {"gpu-summary-csv", "metric,gpu_index,value,unit\nTIME,ALL,32.617,sec\n", "ENERGY,@,#,J"},
    {"perun-csv", ",run id,hostname,device_group,sensor,unit,magnitude,timestep,value\n",
     "$,0,n,gpu,CUDA:@_POWER,W,0.001,%,#"},
    {"mllog-power-csv", "time_ms,key,value\n", "?000,power_reading,#"},
    {"table-csv", "series,gpus,lbs,energy_kwh,wall_s\n", "*,@,#,#,#"},
    {"codecarbon",
     "timestamp,project_name,run_id,duration,emissions,emissions_rate,cpu_power,energy_consumed,country_name\n",
     "!-T~,*,@,#,#,#,#,#,Norway"},
    {"zeus-sweep", "dataset,network,batch_size,optimizer,power_limit,time_per_epoch,average_power\n",
     "*,net,#,adam,@,#,#"},
    {"slurm-log", "id_job,nodes_alloc,nodelist,state,timelimit,time_submit,time_start,time_end,tres_alloc\n",
     "$,2,\"['node1', 'node2']\",3,#,?,?,?,\"1=20,2=#,1002=4\""},
    {"sacct", "JobID|JobName|State|Elapsed|Start|End|NNodes|ConsumedEnergyRaw|NodeList\n",
     "$|*|COMPLETED|~|!-T~|!-T~|@|#|n[001-004]"},
    {"ptdaemon", "", "Time,&- ~,Watts,#,Volts,#,Amps,#,PF,#,Mark,notset"},
    {"gmt-log", "", "?000000 # Package_@"},
    {"perf-stat-csv", "", "%,#,Joules,power/energy-pkg/,$,100.00,,"},
    {"powercap-csv", "timestamp,host,package-0_energy_uj,dram-0_energy_uj\n", "^,n@,$000000,$000000"},
    {"powercap-csv", "timestamp,host,domain,energy_uj\n", "^,n@,package-0,$00000"},
    {"powercap-csv", "timestamp,host,socket,domain,energy_uj\n", "^,n@,0,package,$00000"},
    {"powercap-csv", "timestamp,package-0,dram-0\n", "?,$000,#"}, /* stamps that come again */
};
enum { CHANGING_FORMS = sizeof changing_forms / sizeof *changing_forms };

enum { MOST_LOOKS = 12, CHANGING_DEVICES = 9, LONGEST_ROW = 80 * 1024 };

typedef struct changing_look {
    int digits, decimals, before, after; /* blanks */
} changing_look;

typedef struct changing {
    const struct changing_form *form;
    unsigned odds; /* one in so many is odd; 0: none */
    int64_t t_ms, start_ms, step_ms;
    uint64_t count;
    int devices, order[CHANGING_DEVICES], stamp_decimals;
    bool is_steady;    /* cells keep their look where nothing is odd */
    bool is_one_stamp; /* for all devices of a round */
    unsigned crlf;     /* 0 never, 1 always, 2 in some rows */
    size_t row_bytes;  /* names are made so long that rows have about that many; 0: any */
    char blank;
    changing_look looks[MOST_LOOKS];
} changing;

static inline unsigned choose(unsigned n)
{
    return (unsigned)(damage_next() % n);
}

static inline bool is_odd(const changing *c)
{
    return c->odds && choose(c->odds) == 0;
}

static inline changing_look make_look(const changing *c)
{
    changing_look look = {1 + (int)choose(3), choose(3) ? (int)choose(4) : 0, 0, 0};
    if (is_odd(c) || is_odd(c))
        look = (changing_look){1 + (int)choose(9), (int)choose(8), (int)choose(3), (int)choose(3)};
    return look;
}

static inline size_t put_blanks(const changing *c, char *out, int n)
{
    memset(out, c->blank, (size_t)n);
    return (size_t)n;
}

static inline size_t put_digits(char *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = (char)('0' + (i || n == 1 ? choose(10) : 1 + choose(9)));
    return (size_t)n;
}

static inline size_t put_odd_cell(char *out)
{
    static const char *const odd[] = {"[N/A]",
                                      "[Unknown Error]",
                                      "[Not Supported]",
                                      "",
                                      "-",
                                      "--",
                                      "N/A",
                                      "n/a",
                                      "NaN",
                                      "[nan]",
                                      "null",
                                      "None",
                                      "ERR!",
                                      "[GPU is lost]",
                                      "[GPU requires reset]",
                                      "Unknown",
                                      "[Insufficient Permissions]",
                                      "[unknown",
                                      "N/A]",
                                      "\"12.5\"",
                                      "\"a\nb\"",
                                      "\"1,5\"",
                                      "\"\"",
                                      "5\"",
                                      "1e-3",
                                      "1E2",
                                      "-7",
                                      "+3",
                                      "-0",
                                      "+0.0",
                                      "inf",
                                      "-inf",
                                      "0x1p3",
                                      "1_000",
                                      "007.50",
                                      "5.",
                                      ".5",
                                      ".",
                                      "-",
                                      "0.1.2",
                                      "1 2",
                                      "x",
                                      "12W",
                                      "12  W",
                                      "12.5 mW",
                                      "3 kW",
                                      "1,5",
                                      "#7",
                                      "%",
                                      "0",
                                      "0.0",
                                      "00",
                                      "12345678",
                                      "123456789",
                                      "123456789012",
                                      "123456789012345678.25",
                                      "99999999999999999999",
                                      "0.30000000000000004",
                                      "4.35",
                                      "1.7976931348623157e308",
                                      "1e999",
                                      "4.9e-324",
                                      "\t5",
                                      "5\t",
                                      " 5 ",
                                      "1\r2",
                                      "\xc2\xa0"
                                      "5",
                                      "\xef\xbb\xbf",
                                      "12\xe2\x80\xaf"
                                      "5"};
    static const char rare[][4] = {{'1', 0, '2', '3'}, {'"', 'a', 'b', 'c'}}; /* the quote is never closed */
    unsigned which = choose(200);
    if (which < 2) {
        memcpy(out, rare[which], sizeof rare[which]);
        return sizeof rare[which];
    }
    const char *cell = odd[choose(sizeof odd / sizeof *odd)];
    memcpy(out, cell, strlen(cell));
    return strlen(cell);
}

static inline size_t put_reading(changing *c, char *out, size_t column)
{
    changing_look *look = &c->looks[column % MOST_LOOKS];
    if (is_odd(c))
        return put_odd_cell(out);
    if ((!c->is_steady && choose(8) == 0) || is_odd(c))
        *look = make_look(c);
    size_t n = put_blanks(c, out, look->before);
    n += put_digits(out + n, look->digits);
    if (look->decimals)
        out[n++] = '.';
    n += put_digits(out + n, look->decimals);
    return n + put_blanks(c, out + n, look->after);
}

static inline size_t put_decimals(const changing *c, char *out)
{
    size_t n = 0;
    int decimals = is_odd(c) ? (int)choose(10) : c->stamp_decimals;
    if (decimals)
        n = (size_t)sprintf(out, ".%03d000000", (int)((c->t_ms % 1000 + 1000) % 1000));
    return decimals ? n - (size_t)(9 - decimals) : 0;
}

static inline size_t put_time(const changing *c, char *out, const char **row)
{
    time_t seconds = (time_t)(c->t_ms / 1000);
    struct tm tm;
    gmtime_r(&seconds, &tm);
    char sep = **row == '!' || **row == '&' ? *++*row : 0;
    int year = tm.tm_year + 1900;
    if (sep && row[0][-1] == '!')
        return (size_t)sprintf(out, "%04d%c%02d%c%02d", year, sep, tm.tm_mon + 1, sep, tm.tm_mday);
    if (sep)
        return (size_t)sprintf(out, "%02d%c%02d%c%04d", tm.tm_mon + 1, sep, tm.tm_mday, sep, year);
    int second = tm.tm_sec == 59 && is_odd(c) ? 60 : tm.tm_sec;
    size_t n = (size_t)sprintf(out, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, second);
    return n + put_decimals(c, out + n);
}

static inline size_t put_seconds(const changing *c, char *out, int64_t ms, bool with_decimals)
{
    size_t n = (size_t)sprintf(out, "%lld", (long long)(ms / 1000));
    return with_decimals ? n + put_decimals(c, out + n) : n;
}

/* In quotes where it is odd, which an unwanted column does not mind. */
static inline size_t put_name(const changing *c, char *out, size_t bytes)
{
    static const char *const quoted[] = {"\"a, b\"", "\"say \"\"x\"\"\"", "\"two\nlines\"", "\"\"", "a\"b", "'#", "  ",
                                         ""};
    if (is_odd(c)) {
        const char *text = quoted[choose(sizeof quoted / sizeof *quoted)];
        memcpy(out, text, strlen(text));
        return strlen(text);
    }
    for (size_t i = 0; i < bytes; i++)
        out[i] = "NVIDIA A100"[i % 11];
    return bytes;
}

/* Two halves, between which the name stands. */
static inline size_t put_changing_row(changing *c, char *out, int device)
{
    size_t n = 0, column = 0, name_at = 0;
    bool has_name = false;
    for (const char *row = c->form->row; *row; row++) {
        switch (*row) {
        case '@':
            n += is_odd(c) ? put_odd_cell(out + n) : (size_t)sprintf(out + n, "%d", device);
            break;
        case '#':
            n += put_reading(c, out + n, column++);
            break;
        case '$':
            n += (size_t)sprintf(out + n, "%llu", (unsigned long long)c->count);
            break;
        case '*':
            has_name = true;
            name_at = n;
            break;
        case '!':
        case '&':
        case '~':
            n += put_time(c, out + n, &row);
            break;
        case '^':
        case '?':
            n += put_seconds(c, out + n, c->t_ms, *row == '^');
            break;
        case '%':
            /* a unit has its blank before it */
            if (row > c->form->row && row[-1] == ' ' && row[-2] == '#')
                out[n++] = *row;
            else
                n += put_seconds(c, out + n, c->t_ms - c->start_ms, true);
            break;
        default:
            out[n++] = *row;
        }
    }
    if (has_name) {
        static char name[LONGEST_ROW];
        size_t wanted = c->row_bytes > n + 1 ? c->row_bytes - n - choose(3) : 1 + choose(20);
        if (is_odd(c) && choose(20) == 0)
            wanted = 64 * 1024 - 100 + choose(200);
        wanted = put_name(c, name, wanted);
        memmove(out + name_at + wanted, out + name_at, n - name_at);
        memcpy(out + name_at, name, wanted);
        n += wanted;
    }
    if (c->crlf == 1 || (c->crlf == 2 && choose(2)))
        out[n++] = '\r';
    out[n++] = '\n';
    return n;
}

static inline size_t put_between(changing *c, char *out)
{
    static const char *const lines[] = {"\n",
                                        " \t\r\n",
                                        "# remark, with a comma\n",
                                        "Sat Mar 14 09:27:01 UTC 2026\n",
                                        "Failed to initialize NVML: Unknown Error\n",
                                        ",\n",
                                        ",,,,,,,,,,,,\n",
                                        "\r",
                                        "1\n",

                                        "#\n"};
    switch (choose(16)) {
    case 0:
        c->form = &changing_forms[choose(CHANGING_FORMS)];
        return (size_t)sprintf(out, "%s", c->form->head);
    case 1:
    case 2:
        return (size_t)sprintf(out, "%s", c->form->head);
    case 3:
        memset(out, choose(2) ? 0 : 'x', 200);
        out[199] = '\n';
        return 200;
    default:
        return (size_t)sprintf(out, "%s", lines[choose(sizeof lines / sizeof *lines)]);
    }
}

static inline void step_time(changing *c)
{
    static const int64_t jumps_ms[] = {0,     -1,    -100,    -60000,   1000,
                                       59000, 61000, 3600000, 86400000, INT64_C(410240376000)};
    c->t_ms += is_odd(c) ? jumps_ms[choose(sizeof jumps_ms / sizeof *jumps_ms)] : c->step_ms;
    if (c->t_ms < 0 || c->t_ms > INT64_C(7000000000000))
        c->t_ms = c->start_ms;
}

/* Devices change places, go and come. */
static inline void change_devices(changing *c)
{
    int a = (int)choose((unsigned)c->devices), b = (int)choose((unsigned)c->devices), device = c->order[a];
    c->order[a] = c->order[b];
    c->order[b] = device;
    if (choose(2))
        c->devices += choose(2) ? c->devices < CHANGING_DEVICES : -(c->devices > 1);
    if (choose(8) == 0)
        c->order[a] = (int)choose(200);
}

static inline changing begin_changing(size_t form)
{
    static const unsigned odds[] = {0, 3, 20, 200, 1000, 5000};
    static const int64_t starts_ms[] = {1773480598500, 1773532798000, 999999995000, 1798761598900, 59000, 946684799999};
    static const int64_t steps_ms[] = {100, 20, 500, 1000, 1, 59000, 3599000, 50400000, 0};
    static const int decimals[] = {3, 0, 6, 9, 1};
    changing c = {.form = &changing_forms[form % CHANGING_FORMS],
                  .odds = odds[choose(sizeof odds / sizeof *odds)],
                  .start_ms = starts_ms[choose(2) ? 0 : choose(sizeof starts_ms / sizeof *starts_ms)],
                  .step_ms = steps_ms[choose(2) ? 0 : choose(sizeof steps_ms / sizeof *steps_ms)],
                  .stamp_decimals = decimals[choose(2) ? 0 : choose(sizeof decimals / sizeof *decimals)],
                  .devices = 1 + (int)choose(CHANGING_DEVICES),
                  .is_steady = choose(2),
                  .is_one_stamp = choose(2),
                  .crlf = choose(4) ? 0 : 1 + choose(2),
                  .row_bytes = choose(2) ? 0 : 64 * (1 + choose(3)) + 1,
                  .blank = choose(4) ? ' ' : '\t'};
    c.t_ms = c.start_ms;
    for (int i = 0; i < CHANGING_DEVICES; i++)
        c.order[i] = i;
    for (size_t i = 0; i < MOST_LOOKS; i++)
        c.looks[i] = make_look(&c);
    return c;
}

/* The end of a file: whole, without its line end, cut anywhere, or where a page of memory ends. */
static inline size_t cut_end(size_t n)
{
    switch (choose(8)) {
    case 0:
        return n ? n - 1 : 0;
    case 1:
        return n > 4096 ? n - n % 4096 : n;
    case 2:
        return n ? n - choose((unsigned)n) % 100 % n : 0;
    default:
        return n;
    }
}

/* A file of that form and of up to `rows` rows from a seed, one in three damaged; `out` has `room` bytes, of which half
 * is used before the damage. */
static inline size_t put_changing(char *out, size_t room, uint64_t seed, size_t form, int rows)
{
    damage_state = seed;
    changing c = begin_changing(form);
    size_t n = (size_t)sprintf(out, "%s", c.form->head), most = room / 2 > LONGEST_ROW ? room / 2 - LONGEST_ROW : 0;
    for (int i = 0; i < rows && n < most; i++) {
        int place = i % c.devices;
        if (is_odd(&c) && place == 0)
            change_devices(&c);
        if (is_odd(&c))
            n += put_between(&c, out + n);
        if (place == 0 || !c.is_one_stamp)
            step_time(&c);
        c.count += 1 + choose(1000);
        if (!is_odd(&c)) /* else it is not there */
            n += put_changing_row(&c, out + n, c.order[place % c.devices]);
    }
    n = cut_end(n);
    return choose(3) ? n : damage_bytes((uint8_t *)out, n, room);
}

#endif
