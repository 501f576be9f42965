#include "formats/foreign_file.h"

#include "core/unit.h"
#include "formats/table/date_lines.h"

#include <stdio.h>
#include <string.h>

/* The archive in "runs/x.npz/power.npy"; the length of its path, 0 where there is none. */
static size_t npz_length(const char *path)
{
    const char *end = strstr(path, ".npz/");
    return end ? (size_t)(end - path) + strlen(".npz") : 0;
}

static bool is_pickle(ws_span head)
{
    return head.n > 2 && head.p[0] == '\x80' && head.p[1] >= 2 && head.p[1] <= 5;
}

/* A stored array is the first member of an .npz. */
static bool is_npz(ws_span head)
{
    enum { NAME_AT = 30, LONGEST = 128 };
    ws_span name = {head.p + NAME_AT, head.n > NAME_AT + LONGEST ? LONGEST : head.n > NAME_AT ? head.n - NAME_AT : 0};
    return ws_span_has_prefix(head, "PK\003\004") && name.n && ws_span_contains(name, ".npy");
}

/* What a loop over a command with labelled readings wrote. */
typedef struct labelled {
    ws_span label; /* of the first reading */
    bool has_unit, has_stamps;
    bool repeats; /* the label comes several times below a stamp, as of several GPUs */
} labelled;

static bool ends_in_power(ws_span label)
{
    label = ws_span_trim(label);
    return ws_span_has_suffix(label, "Power") || ws_span_has_suffix(label, "power") ||
           ws_span_has_suffix(label, "Power Draw");
}

/* "PPT:          120.00 W  (cap = 220.00 W)" of lm-sensors, "Power Draw : 251.20 W" of nvidia-smi -q, "GPU Power: 61.2"
 * of a script, "ups.realpower: 210" of NUT's upsc, which means W. */
static bool is_labelled_power(ws_span line, ws_span *label, bool *has_unit)
{
    ws_span rest = line, number, unit;
    double value;
    if (!ws_span_split(&rest, ':', label) || !label->n || !rest.p || !ws_span_word(&rest, &number) ||
        !ws_span_double(number, &value))
        return false;
    bool has_word = ws_span_word(&rest, &unit);
    *has_unit = has_word ? ws_span_eq(unit, "W") : ws_span_eq(*label, "ups.realpower");
    return *has_unit || (!has_word && ends_in_power(*label));
}

/* Blocks of labels, below stamps or not. */
static bool find_labelled_powers(ws_span head, labelled *found)
{
    enum { LEAST = 2, LINES_A_READING = 3 }; /* without stamps: else it is a text that names some */
    ws_span line, label, stamp;
    size_t powers = 0, below_stamp = 0, lines = 0;
    bool has_unit, is_below_stamp = false;
    *found = (labelled){.has_stamps = false};
    while (ws_span_split(&head, '\n', &line)) {
        line = ws_span_trim(line);
        lines += line.n > 0;
        if (is_labelled_power(line, &label, &has_unit)) {
            if (!powers++)
                found->label = label, found->has_unit = has_unit;
            else if (!ws_span_same(label, found->label))
                continue;
            below_stamp++;
            found->has_stamps |= is_below_stamp;
            found->repeats |= is_below_stamp && below_stamp > 1;
        } else if (ws_text_is_date_line(line, &stamp)) {
            is_below_stamp = true;
            below_stamp = 0;
        }
    }
    return powers >= LEAST && (found->has_stamps || powers * LINES_A_READING >= lines);
}

static bool is_plain(ws_span label)
{
    for (size_t i = 0; i < label.n; i++)
        if (strchr("/'\\[](){}*+?|^$\"", label.p[i]))
            return false;
    return true;
}

bool ws_labelled_powers(const char *path, ws_span head, const char **what, char *command, size_t size)
{
    labelled found;
    if (!find_labelled_powers(head, &found) || !is_plain(found.label))
        return false;
    ws_span name = found.has_unit ? ws_span_of("power_w") : ws_span_trim(found.label);
    *what = found.has_stamps ? "holds labelled readings below stamps"
                             : "holds labelled readings without stamps (what follows takes --period SECONDS, and of N "
                               "GPUs --columns devices=N)";
    path = strcmp(path, "standard input") == 0 ? "FILE" : path;
    snprintf(command, size,
             "awk 'BEGIN{print \"%s%s%.*s\"} %s/^[ \\t]*%.*s:/{sub(/^[^:]*: */,\"\");print %s%s$1}' '%s' >'%s.csv'",
             found.has_stamps ? "time;" : "", found.repeats ? "gpu;" : "", WS_SPAN_ARG(name),
             !found.has_stamps ? ""
             : found.repeats   ? "$0+0>1e9||/[0-9]:[0-9][0-9]:[0-9]/{t=$0;sub(/^[A-Za-z ]*: */,\"\",t);g=0} "
                               : "$0+0>1e9||/[0-9]:[0-9][0-9]:[0-9]/{t=$0;sub(/^[A-Za-z ]*: */,\"\",t)} ",
             WS_SPAN_ARG(found.label), found.has_stamps ? "t\";\"" : "", found.repeats ? "g++\";\"" : "", path, path);
    return true;
}

/* --- texts of tools that need no reader of their own --- */

/* "00, 14-09-2024 22:50:08, Hardware monitoring log v1.6" of MSI Afterburner: names stand in 02, readings in 80. */
static bool is_afterburner(ws_span head)
{
    return ws_span_has_prefix(head, "00,") && ws_span_contains(head, "ardware monitoring log");
}

static bool is_npu_table(ws_span head)
{
    return ws_span_contains(head, "| npu-smi ") && ws_span_contains(head, "Power(W)");
}

static bool is_npu_power(ws_span head)
{
    return ws_span_contains(head, "NPU ID ") && ws_span_contains(head, "Power Dissipation");
}

static bool is_npu_watch(ws_span head)
{
    return ws_span_has_prefix(head, "NpuID(Idx)") && ws_span_contains(head, "Pwr(W)");
}

/* "[0] NVIDIA A100-SXM4-40GB | 45'C,  97 %, 250 / 400 W |  3121 / 40960 MB |" */
static bool is_gpustat(ws_span head)
{
    return ws_span_contains(head, "[0] ") && ws_span_contains(head, "'C, ") && ws_span_contains(head, " W |");
}

/* The tables of likwid-perfctr with a group of energies; only the first thread of a socket has one. */
static bool is_likwid_table(ws_span head)
{
    return ws_span_contains(head, "Runtime (RDTSC) [s]") && ws_span_contains(head, "Energy [J]") &&
           (ws_span_contains(head, "TABLE,") || ws_span_contains(head, "|        Metric"));
}

/* Energies in uJ over times in us, a row a socket: pyRAPL's CSVOutput. */
static bool is_pyrapl(ws_span head)
{
    return ws_span_has_prefix(head, "label,timestamp,duration,pkg") ||
           ws_span_has_prefix(head, "label;timestamp;duration;pkg");
}

/* "entity_id,state,last_changed": what its page of histories saves. A state holds until the next one. */
static bool is_home_assistant(ws_span head)
{
    return ws_span_has_prefix(ws_span_trim(head), "entity_id,state,last_changed") &&
           (ws_span_contains(head, "power") || ws_span_contains(head, "consumption") || ws_span_contains(head, "watt"));
}

/* "name: power", below it "time value" and a rule: the answers of InfluxDB 1's command line without -format csv. */
static bool is_influx_answer(ws_span head)
{
    return ws_span_has_prefix(head, "name: ") && ws_span_contains(head, "\ntime ") && ws_span_contains(head, "\n---- ");
}

/* "| N/A   61C    P0             251W / 400W |  31210MiB / 40960MiB |     97%      Default |" without the lines that
 * name the GPUs, as grep leaves them; with stamps between, or without. */
static bool is_line_of_smi(ws_span line)
{
    return ws_span_has_prefix(line, "|") && ws_span_contains(line, "W / ") && ws_span_contains(line, "MiB / ");
}

static bool are_lines_of_smi(ws_span head, bool want_stamps)
{
    ws_span line, stamp;
    bool any = false, has_stamps = false;
    while (ws_span_split(&head, '\n', &line)) {
        line = ws_span_trim(line);
        any |= is_line_of_smi(line);
        has_stamps |= ws_text_is_date_line(line, &stamp);
        if (ws_span_contains(line, "NVIDIA-SMI"))
            return false;
    }
    return any && has_stamps == want_stamps;
}

static bool are_stamped_lines_of_smi(ws_span head)
{
    return are_lines_of_smi(head, true);
}

static bool are_bare_lines_of_smi(ws_span head)
{
    return are_lines_of_smi(head, false);
}

static size_t count_commas(ws_span text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == ',';
    return n;
}

/* "device,GPU use (%),Accumulated Energy (uJ)" over "2026-02-11_08:00:00<tab>card0,97,123456": what a loop over
 * rocm-smi writes that puts the time in front. */
static bool are_rows_behind_stamps(ws_span head)
{
    enum { LEAST = 2 };
    ws_span header, line, stamp, of_line;
    size_t rows = 0;
    bool is_so = ws_span_split(&head, '\n', &header) && count_commas(header) > 0 && !ws_span_contains(header, "\t");
    while (is_so && rows < LEAST && ws_span_split(&head, '\n', &line)) {
        is_so = ws_span_split(&line, '\t', &stamp) && line.p && ws_text_is_date_line(stamp, &of_line) &&
                count_commas(line) == count_commas(header) && !ws_span_contains(line, "\t");
        rows++;
    }
    return is_so && rows == LEAST;
}

/* "5.19739 ms<tab>164.681 W<tab>68 C": times and powers with their units in the cells, without a header. */
static bool is_unit_in_cell(ws_span cell, ws_dimension dimension)
{
    double number;
    ws_span rest;
    const ws_unit *unit = ws_span_number(ws_span_trim(cell), &number, &rest) ? ws_unit_find(rest) : NULL;
    return unit && unit->dimension == dimension;
}

static bool are_timed_cells(ws_span head)
{
    enum { LEAST = 2 };
    ws_span line, time, power;
    size_t rows = 0;
    while (rows < LEAST && ws_span_split(&head, '\n', &line)) {
        bool is_row = ws_span_split(&line, '\t', &time) && is_unit_in_cell(time, WS_DIM_TIME) &&
                      ws_span_split(&line, '\t', &power) && is_unit_in_cell(power, WS_DIM_POWER);
        if (!is_row && rows)
            return false;
        rows += is_row;
    }
    return rows == LEAST;
}

/* Does `is` hold of two lines of the head? */
static bool holds_of_lines(ws_span head, bool (*is)(ws_span line))
{
    enum { LEAST = 2 };
    ws_span line;
    size_t n = 0;
    while (n < LEAST && ws_span_split(&head, '\n', &line))
        n += is(ws_span_trim(line));
    return n == LEAST;
}

/* "Sys Power        | 340": ipmitool sensor reading, which leaves the unit out. */
static bool is_sensor_reading(ws_span line)
{
    ws_span name, number = line;
    double value;
    return ws_span_split(&number, '|', &name) && number.p && ws_span_double(ws_span_trim(number), &value) &&
           (ws_span_contains(name, "Power") || ws_span_contains(name, "Pwr"));
}

static bool are_sensor_readings(ws_span head)
{
    return holds_of_lines(head, is_sensor_reading);
}

/* "2026-02-11 08:00:00 SNMPv2-SMI::enterprises.318.1.1.26.6.3.1.7.1 = INTEGER: 340" */
static bool is_snmp_answer(ws_span line)
{
    return (ws_span_contains(line, "enterprises.") || ws_span_contains(line, "-MIB::")) &&
           (ws_span_contains(line, " = INTEGER: ") || ws_span_contains(line, " = Gauge32: "));
}

static bool are_snmp_answers(ws_span head)
{
    return holds_of_lines(head, is_snmp_answer);
}

/* "tele/plug/SENSOR = {"Time":"2026-02-11T08:00:00","ENERGY":{...,"Power":34,...}}": topics and JSON, as mosquitto_sub
 * -v and Tasmota's console print them. */
static bool is_mqtt_line(ws_span line)
{
    ws_span topic = line, rest = line;
    return ws_span_word(&rest, &topic) && memchr(topic.p, '/', topic.n) && *topic.p != '{' && *topic.p != '"' &&
           ws_span_contains(line, "{\"") && (ws_span_contains(line, "Power\"") || ws_span_contains(line, "power\""));
}

static bool are_mqtt_lines(ws_span head)
{
    return holds_of_lines(head, is_mqtt_line);
}

/* A date with a time, or seconds since 1970. */
static bool has_stamp_in(ws_span text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '1' && ws_span_digits((ws_span){text.p + i, text.n - i}) == 10)
            return true;
    return ws_span_contains(text, ":") && ws_span_contains(text, "20");
}

/* "2026-02-11 08:00:00 Power: 61.2 W Voltage: 230.1 V", "08:00:00 GPU power draw: 61.2W": what a script prints for
 * people. */
static bool is_power_in_text(ws_span line, bool want_unit)
{
    enum { MOST_WORDS = 16 }; /* signs of " draw", "Usage" */
    ws_span before, behind, unit;
    double watts;
    size_t n = 0;
    if (!ws_span_cut(line, "ower", &before, &behind) || !has_stamp_in(before))
        return false;
    while (n < behind.n && n < MOST_WORDS && !strchr(":=0123456789", behind.p[n]))
        n++;
    if (n == behind.n || !strchr(":=", behind.p[n]) ||
        !ws_span_number(ws_span_trim((ws_span){behind.p + n + 1, behind.n - n - 1}), &watts, &unit))
        return false;
    unit = ws_span_trim(unit);
    bool has_unit = ws_span_has_prefix(unit, "W") || ws_span_has_prefix(unit, "mW");
    return want_unit ? has_unit : !unit.n || strchr(",;", *unit.p);
}

static bool is_printed_power(ws_span line)
{
    return is_power_in_text(line, true);
}

static bool are_printed_powers(ws_span head)
{
    return holds_of_lines(head, is_printed_power);
}

static bool is_bare_printed_power(ws_span line)
{
    return is_power_in_text(line, false);
}

static bool are_bare_printed_powers(ws_span head)
{
    return holds_of_lines(head, is_bare_printed_power);
}

/* "time=2026-02-11T08:00:00Z level=info gpu=0 power_w=61.2": logs of key and value. */
static bool is_line_of_keys(ws_span line)
{
    enum { LEAST = 2 };
    ws_span word, key, value;
    size_t keys = 0;
    bool has_power = false;
    while (ws_span_word(&line, &word)) {
        double number;
        ws_span rest;
        if (!ws_span_cut(word, "=", &key, &value) || !key.n || !value.n)
            continue;
        keys++;
        has_power |=
            (ws_span_contains(key, "ower") || ws_span_contains(key, "att")) && ws_span_number(value, &number, &rest);
    }
    return keys >= LEAST && has_power;
}

static bool are_lines_of_keys(ws_span head)
{
    return holds_of_lines(head, is_line_of_keys);
}

/* "Time(ms),USB(mA),Aux(mA),Main(mA),MainV(V)": a current and a voltage below a time, and no power. */
static bool has_current_and_voltage(ws_span head)
{
    ws_span header;
    if (!ws_span_split(&head, '\n', &header) || !(ws_span_contains(header, "ime") || ws_span_contains(header, "ms")))
        return false;
    bool has_current = ws_span_contains(header, "A)") || ws_span_contains(header, "A]");
    bool has_voltage = ws_span_contains(header, "V)") || ws_span_contains(header, "V]");
    return has_current && has_voltage && !ws_span_contains(header, "ower") && !ws_span_contains(header, "W)") &&
           !ws_span_contains(header, "W]") && !ws_span_contains(header, "nergy");
}

/* The table that intel_gpu_top -l prints. */
static bool is_intel_gpu_top(ws_span head)
{
    return ws_span_contains(head, "RC6") && ws_span_contains(head, "Power W") && ws_span_contains(head, " gpu   pkg ");
}

static size_t count_cells(ws_span line, char delimiter)
{
    size_t n = 1;
    ws_span word;
    if (delimiter != ' ') {
        for (size_t i = 0; i < line.n; i++)
            n += line.p[i] == delimiter;
        return n;
    }
    for (n = 0; ws_span_word(&line, &word);)
        n++;
    return n;
}

/* "# gpus,energy_kwh,wall_s" above rows of numbers, as NumPy's savetxt and tables for gnuplot have it: names, with an
 * energy, a power or a time of it. */
static bool has_marked_header(ws_span head)
{
    static const char delimiters[] = ",;\t|";
    ws_span header, row, first;
    double number;
    if (!ws_span_split(&head, '\n', &header) || !ws_span_split(&head, '\n', &row) || !header.n || *header.p != '#')
        return false;
    char delimiter = ' ';
    for (const char *d = delimiters; *d && delimiter == ' '; d++)
        delimiter = memchr(row.p, *d, row.n) ? *d : ' ';
    header = ws_span_trim((ws_span){header.p + 1, header.n - 1});
    row = ws_span_trim(row);
    bool is_like = count_cells(row, delimiter) > 1 && count_cells(header, delimiter) == count_cells(row, delimiter);
    ws_span rest = row;
    is_like = is_like && ws_span_split(&rest, delimiter, &first) && ws_span_double(ws_span_trim(first), &number) &&
              !ws_span_double(ws_span_trim(header), &number);
    return is_like && (ws_span_contains(header, "nergy") || ws_span_contains(header, "ower") ||
                       ws_span_contains(header, "onsumption") || ws_span_contains(header, "[J]"));
}

/* "|---:|---|" below a line with as many bars. */
static bool is_markdown_table(ws_span head)
{
    ws_span line, above = {"", 0};
    while (ws_span_split(&head, '\n', &line)) {
        line = ws_span_trim(line);
        bool is_rule = ws_span_has_prefix(line, "|") && ws_span_contains(line, "-");
        for (size_t i = 0; i < line.n; i++)
            is_rule &= memchr("|-: ", line.p[i], 4) != NULL;
        if (is_rule && ws_span_has_prefix(above, "|") && count_cells(above, '|') == count_cells(line, '|'))
            return true;
        above = line;
    }
    return false;
}

static size_t count_numbers(ws_span line)
{
    size_t n = 0;
    double number;
    ws_span word;
    while (ws_span_word(&line, &word))
        n += ws_span_double(word, &number);
    return n;
}

static bool holds_any(ws_span text, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (ws_span_contains(text, words[i]))
            return true;
    return false;
}

/* Names of a count and of a time or an energy above numbers, with blanks between; pandas prints the number of the row
 * in front. */
static bool is_spaced_table(ws_span head)
{
    static const char *const counts[] = {"gpus", "GPUs", "n_gpu", "ngpu", "nodes", "world_size", "num_devices"};
    static const char *const results[] = {"nergy", "kwh", "kWh", "ime", "wall", "elapsed", "duration", "ower"};
    static const char *const others[] = {"stamp", ",", ";", "\t", "|"};
    ws_span header, row;
    if (!ws_span_split(&head, '\n', &header) || !ws_span_split(&head, '\n', &row) ||
        !holds_any(header, counts, sizeof counts / sizeof *counts) ||
        !holds_any(header, results, sizeof results / sizeof *results) ||
        holds_any(header, others, sizeof others / sizeof *others))
        return false;
    size_t names = count_cells(header, ' '), cells = count_cells(row, ' '), numbers = count_numbers(row);
    return !count_numbers(header) && (cells == names || cells == names + 1) && 2 * numbers > cells && numbers > 1;
}

/* Of awk: if a text holds a date with a time, or seconds since 1970. */
#define STAMP_IN(text)                                                          \
    "if(match(" text ",/20[0-9][0-9].[0-9]+.[0-9]+[ T_][0-9:.]+/)||match(" text \
    ",/1[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9.]+/))"

static const struct {
    const char *what, *program; /* of awk */
    bool (*is)(ws_span head);
} told[] = {
    {"has a header behind a '#'", "'NR==1{sub(/^# */,\"\")} !/[,;\\t|]/{$1=$1;gsub(/ /,\",\")} {print}'",
     has_marked_header},
    {"holds readings of sensors without their unit, which ipmitool has in W for powers",
     "-F'|' '/[0-9]:[0-9][0-9]:[0-9]/&&!/\\|/{print} NF==2&&$1~/Power|Pwr/&&$2+0==$2{print $1\"|\"$2\" Watts | ok\"}'",
     are_sensor_readings},
    {"holds answers of snmpget, whose unit the MIB says (WATTS=1 first, or WATTS=10 where it counts hundredths of "
     "kW)",
     "-v w=${WATTS:?W of one count, by the MIB} 'BEGIN{print \"time;node;wall_power_w\"} "
     "match($0,/ = (INTEGER|Gauge32): /){v=substr($0,RSTART+RLENGTH)*w;h=substr($0,1,RSTART-1);n=h;sub(/.* /,\"\",n);"
     "sub(/ *[^ ]*$/,\"\",h);print (h==\"\"?t:h)\";\"n\";\"v;next} /[0-9]:[0-9][0-9]/{t=$0}'",
     are_snmp_answers},
    {"holds topics of MQTT in front of JSON",
     "'match($0,/[{].*[}]/)&&/[Pp]ower\"/{print \"{\\\"node\\\":\\\"\"$1\"\\\",\"substr($0,RSTART+1,RLENGTH-1)}'",
     are_mqtt_lines},
    {"holds powers that a script printed",
     "'BEGIN{print \"time;power_w\"} match($0,/[Pp]ower[^:=0-9]*[:=] *[0-9.]+ *m?W/){p=substr($0,RSTART,RLENGTH);"
     "h=substr($0,1,RSTART-1);f=p~/mW$/?1e-3:1;sub(/^[^0-9]*/,\"\",p);" STAMP_IN(
         "h") "print substr(h,RSTART,RLENGTH)\";\"p*f}'",
     are_printed_powers},
    {"holds powers without a unit that a script printed",
     "'BEGIN{print \"time;power\"} match($0,/[Pp]ower[^:=0-9]*[:=] *[0-9.]+/){p=substr($0,RSTART,RLENGTH);"
     "h=substr($0,1,RSTART-1);sub(/^[^0-9]*/,\"\",p);" STAMP_IN("h") "print substr(h,RSTART,RLENGTH)\";\"p}'",
     are_bare_printed_powers},
    {"has keys and values in its lines",
     "'{h=s=t=\"\";for(i=1;i<=NF;i++)if(n=index($i,\"=\")){v=substr($i,n+1);gsub(/\"/,\"\",v);"
     "h=h (h==\"\"?\"\":\";\") substr($i,1,n-1);s=s (s==\"\"?\"\":\";\") v}else if(h==\"\")t=t (t==\"\"?\"\":\" \") $i;"
     "if(h==\"\")next;if(t!=\"\"){h=\"time;\"h;s=t\";\"s}if(h!=l){print h;l=h}print s}'",
     are_lines_of_keys},
    {"has currents and a voltage and no power (what follows multiplies the last of each)",
     "-F'[,;\\t]' 'function f(s){return s~/mA|mV/?1e-3:s~/uA|uV/?1e-6:1} NR==1{for(i=NF;i;i--){"
     "if(!a&&$i~/[([ ][um]?A[])]/)a=i;if(!v&&$i~/[([ ][um]?V[])]/)v=i;if($i~/[Tt]ime|ms/)t=i}"
     "k=f($a)*f($v);print $t\";power_w\";next} $a+0==$a&&$v+0==$v{print $t\";\"$a*$v*k}'",
     has_current_and_voltage},
    {"is a table of intel_gpu_top without stamps (what follows takes --period SECONDS, 1 unless -s says so)",
     "'BEGIN{print \"igpu_power_w,package_power_w\"} NF>6&&$1+0==$1&&$6+0==$6{print $5\",\"$6}'", is_intel_gpu_top},
    {"is a history of Home Assistant, whose powers are in W unless it was told otherwise and hold until the next one "
     "(so that --rule rectangle is right for what follows)",
     "-F, 'BEGIN{print \"time,node,wall_power_w\"} $1~/power|consumption|watt/&&$1!~/energy|factor|today|total/{"
     "print $3\",\"$1\",\"($1 in p?p[$1]:$2);p[$1]=$2+0==$2?$2:\"\"}'",
     is_home_assistant},
    {"has a stamp and a tab in front of each row but the header",
     "-F'\\t' 'NF==1&&!h{h=1;print \"time,\"$0} NF==2{print $1\",\"$2}'", are_rows_behind_stamps},
    {"has the units of times in their cells",
     "-F'\\t' 'BEGIN{print \"time_s,power_w\"; f[\"s\"]=1;f[\"ms\"]=1e-3;f[\"us\"]=1e-6;g[\"W\"]=1;g[\"mW\"]=1e-3} "
     "split($1,t,\" \")==2&&t[2] in f&&split($2,p,\" \")==2&&p[2] in g"
     "{printf \"%.9f,%.6f\\n\",t[1]*f[t[2]],p[1]*g[p[2]]}'",
     are_timed_cells},
    {"is an answer of InfluxDB's command line (-format csv prints what is read)",
     "'BEGIN{print \"time;node;metric;value\"} /^name: /{m=$2;g=\"\";next} /^tags: /{g=substr($0,7);next} "
     "$1==\"time\"{for(i=2;i<=NF;i++)f[i]=$i~/^(value|mean|first|last)$/?m:$i;next} "
     "!/^-/&&NF>1{for(i=2;i<=NF;i++)print $1\";\"g\";\"f[i]\";\"$i}'",
     is_influx_answer},
    {"holds lines of nvidia-smi's table below stamps",
     "'BEGIN{print \"time;gpu;power_w\"} /[0-9]:[0-9][0-9]:[0-9]/&&!/\\|/{t=$0;g=0} "
     "match($0,/[0-9]+W \\/ +[0-9]+W/){print t\";\"g++\";\"substr($0,RSTART)+0}'",
     are_stamped_lines_of_smi},
    {"holds lines of nvidia-smi's table without stamps (what follows takes --period SECONDS, and of N GPUs --columns "
     "devices=N)",
     "'BEGIN{print \"power_w\"} match($0,/[0-9]+W \\/ +[0-9]+W/){print substr($0,RSTART)+0}'", are_bare_lines_of_smi},
    {"is a table of pyRAPL, in uJ and us",
     "-F'[,;]' 'NR==1{for(i=1;i<=NF;i++){sub(/\\r/,\"\",$i);c[$i]=i};next} "
     "{k=$c[\"timestamp\"]\";\"$c[\"label\"]\";\"$c[\"duration\"]/1e6;"
     "s=c[\"socket\"]?$c[\"socket\"]+0:0;if(!(k in o)){o[k]=1;q[++n]=k};v[k,s]=$c[\"pkg\"]\";"
     "\"(c[\"dram\"]?$c[\"dram\"]:\"\");if(s>m)m=s} END{h=\"timestamp;tag;duration\";for(s=0;"
     "s<=m;s++)h=h\";package_\"s\";dram_\"s;print h;for(i=1;i<=n;i++){l=q[i];for(s=0;s<=m;"
     "s++)l=l\";\"(((q[i],s) in v)?v[q[i],s]:\";\");print l}}'",
     is_pyrapl},
    {"is a log of MSI Afterburner",
     "-F, 'function v(x){gsub(/^ +|[ \\r]+$/,\"\",x);return x} "
     "$1==\"02\"||$1==\"80\"{s=$1==\"02\"?\"time\":v($2);for(i=3;i<=NF;i++)s=s\",\"v($i);print s}'",
     is_afterburner},
    {"holds tables of npu-smi",
     "'BEGIN{print \"time,npu,power_w\"} !/\\|/&&/[0-9]:[0-9][0-9]:[0-9]/{t=$0} "
     "split($0,c,\"|\")>4{split(c[2],i,\" \");split(c[4],p,\" \");"
     "if(i[2]!=\"\"&&p[1]~/^[0-9]+\\.[0-9]+$/)print t\",\"i[1]\",\"p[1]}'",
     is_npu_table},
    {"holds powers of npu-smi",
     "'BEGIN{print \"time,npu,power_w\"} /[0-9]:[0-9][0-9]:[0-9]/{t=$0} /NPU ID/{g=$NF} "
     "/Power Dissipation/{print t\",\"g\",\"$NF}'",
     is_npu_power},
    {"is what 'npu-smi info watch' prints, without stamps",
     "'BEGIN{print \"npu,power_w\"} $1~/^[0-9]+$/{print $1\",\"$3}'", is_npu_watch},
    {"holds tables of gpustat",
     "'BEGIN{print \"time,gpu,power_w\"} "
     "match($0,/[A-Z][a-z][a-z] [A-Z][a-z][a-z] +[0-9]+ [0-9:]+ 20[0-9][0-9]/){t=substr($0,RSTART,RLENGTH)} "
     "/^\\[/&&match($0,/[0-9]+ \\/ +[0-9]+ W/){p=substr($0,RSTART);sub(/^\\[/,\"\");print t\",\"$0+0\",\"p+0}'",
     is_gpustat},
    {"holds energies of likwid-perfctr",
     "-F'[,|]' '/^Region|TABLE,Region/{r=$0;gsub(/[^A-Za-z0-9_ ]/,\" \",r)} "
     "{l=$1~/[A-Za-z]/?1:2;n=$l;gsub(/^ +| +$/,\"\",n);s=0;for(i=l+1;i<=NF;i++)s+=$i} "
     "n==\"Runtime (RDTSC) [s]\"{t=$(l+1)+0} n==\"Energy [J]\"{e=s} n==\"Energy DRAM [J]\"{d=s} "
     "BEGIN{print \"run,wall_s,energy_cpu_j,energy_dram_j\"} "
     "t!=\"\"&&e!=\"\"&&(/^$/||/^-+$/||/STAT/){print r\",\"t\",\"e\",\"d;t=e=d=\"\"} "
     "END{if(e!=\"\")print r\",\"t\",\"e\",\"d}'",
     is_likwid_table},
    {"is a table in Markdown",
     "'/^ *[|]/&&!/^[ |:-]+$/{sub(/^ *[|] */,\"\");sub(/ *[|] *$/,\"\");gsub(/ *[|] */,\";\");print}'",
     is_markdown_table},
    {"is a table with blanks between its columns",
     "'NR==1{n=NF} NF==n+1{sub(/^ *[^ ]+ +/,\"\")} NF==n{$1=$1;gsub(/ /,\";\");print}'", is_spaced_table},
};

bool ws_told_text(const char *path, ws_span head, const char **what, char *command, size_t size)
{
    path = strcmp(path, "standard input") == 0 ? "FILE" : path;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (told[i].is(head)) {
            *what = told[i].what;
            snprintf(command, size, "awk %s '%s' >'%s.csv'", told[i].program, path, path);
            return true;
        }
    return false;
}

bool ws_is_sacct_for_people(ws_span head)
{
    ws_span names, rule;
    if (!ws_span_split(&head, '\n', &names) || !ws_span_split(&head, '\n', &rule))
        return false;
    for (size_t i = 0; i < rule.n; i++)
        if (!strchr("- \r", rule.p[i]))
            return false;
    return ws_span_has_prefix(rule, "---") && ws_span_contains(names, "JobID") && !ws_span_contains(names, "|");
}

bool ws_foreign_file(const char *path, ws_span head, const char **what, char *command, size_t size)
{
    size_t npz = npz_length(path);
    path = strcmp(path, "standard input") == 0 ? "FILE" : path;
    if ((ws_span_has_prefix(head, "\x93NUMPY") && npz) || is_npz(head)) {
        *what = "is an archive of NumPy's arrays"; /* a CSV of those of one length */
        npz = npz ? npz : strlen(path);
        snprintf(
            command, size,
            "python3 -c \"import numpy as n; f='%.*s'; a={k:v for k,v in n.load(f).items() if v.ndim in (1,2)}; "
            "[n.savetxt(f+'.%%d.csv'%%m,n.column_stack([v.astype(str) for v in a.values() if len(v)==m]),'%%s',',',"
            "header=','.join(c for k,v in a.items() if len(v)==m for c in ([k] if v.ndim<2 else "
            "[k+'_%%d'%%j for j in range(v.shape[1])])),comments='') for m in {len(v) for v in a.values()}]\"",
            (int)npz, path);
        return true;
    }
    if (ws_span_has_prefix(head, "\x93NUMPY")) {
        *what = "is an array of NumPy";
        snprintf(command, size,
                 "python3 -c \"import numpy as n; f='%s'; a=n.load(f); c=a.dtype.names; "
                 "n.savetxt(f+'.csv',n.column_stack([a[k].astype(str) for k in c]) if c else a.astype(str),'%%s',',',"
                 "header=','.join(c or ()),comments='')\"",
                 path);
        return true;
    }
    const char *reader = ws_span_has_prefix(head, "PAR1")     ? "read_parquet"
                         : ws_span_has_prefix(head, "ARROW1") ? "read_feather"
                         : is_pickle(head)                    ? "read_pickle"
                                                              : NULL;
    if (!reader)
        return false;
    *what =
        *head.p == 'P'   ? "is a table of Parquet"
        : *head.p == 'A' ? "is a table of Arrow (Feather)"
        : ws_span_contains(head, "pandas")
            ? "is a pickled table of pandas (a pickle is a program: open your own alone)"
            : "is a pickle of Python (which is a program: open your own alone), and where it holds a table of pandas";
    bool is_table = *head.p == 'P' || *head.p == 'A'; /* a pickle may hold columns in a dict, or a list of rows */
    snprintf(command, size, "python3 -c \"import pandas; f='%s'; pandas.%s%s(f)%s.to_csv(f+'.csv')\"", path,
             is_table ? "" : "DataFrame(pandas.", reader, is_table ? "" : ")");
    return true;
}
