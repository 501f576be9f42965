/* Small delimited files of every kind from a seed, with the oddities that real ones have. */
#ifndef WS_TESTS_DELIMITED_TEXT_H
#define WS_TESTS_DELIMITED_TEXT_H

#include "fuzz/damage.h"

#include <stdbool.h>
#include <stdio.h>

/* In a row @ is the device, # a number, ~ a time of day, ^ seconds since the epoch. */
static const struct {
    const char *head, *row;
} delimited_forms[] = {
    {"timestamp, index, name, power.draw [W], utilization.gpu [%]\n", "2026/03/14 ~, @, NVIDIA A100, # W, # %\n"},
    {"timestamp, index, power.draw [W], utilization.gpu [%]\r\n", "2026/03/14 ~, @, #, #\r\n"},
    {"timestamp,node,gpu_index,utilization_gpu_pct,power_draw_W\n", "^,n@,@,#,#\n"},
    {"# GPU power\ntime;gpu;power_w;memory.used [MiB]\n", "2026-03-14T~Z;@;#;# MiB\n"},
    {"", "2026/03/14 ~, @, # W, # %\n"},
    {"timestamp\tGPU0\tGPU1\n", "^\t#\t#\n"},
    {"index, power.draw [W]\n", "@, # W\n"},
    {"date,time,power\n", "14-03-2026,~,#\n"},
    {"power_w\n", "#\n"},
    {"timestamp,package-0,dram-0\n", "^,#,#\n"},
    {"#timestamp,interval,socket,domain,energy,power\n", "#,#,N@,package,#,#\n"},
    {",run id,hostname,device_group,sensor,unit,magnitude,timestep,value\n", "@,0,n,gpu,CUDA:@_POWER,W,0.001,#,#\n"},
    {"series,gpus,lbs,energy_kwh,wall_s\n", "a@,#,#,#,#\n"},
};
enum { DELIMITED_FORMS = sizeof delimited_forms / sizeof *delimited_forms };

static inline size_t put_number(char *out, size_t room)
{
    static const char *const odd[] = {
        "[N/A]", "",  "[Unknown Error]", "\"12.5\"", "1e-3", "-7", "123456789012345678.25",
        " 5 ",   "x", "\"a\nb\"",        "0.1.2",    "+3",   ".5", "[Not Supported]"};
    uint64_t kind = damage_next() % 64;
    if (kind < sizeof odd / sizeof *odd)
        return (size_t)snprintf(out, room, "%s", odd[kind]);
    if (kind < 32)
        return (size_t)snprintf(out, room, "%d", (int)(damage_next() % 1000));
    return (size_t)snprintf(out, room, "%d.%02d", (int)(damage_next() % 400), (int)(damage_next() % 100));
}

static inline size_t put_row(char *out, size_t room, const char *row, int i, int devices)
{
    size_t n = 0;
    int ms = i / devices * 100 + i % devices;
    for (; *row && n + 40 < room; row++) {
        if (*row == '@')
            n += (size_t)snprintf(out + n, room - n, "%d", i % devices);
        else if (*row == '#')
            n += put_number(out + n, room - n);
        else if (*row == '~')
            n += (size_t)snprintf(out + n, room - n, "%02d:%02d:%02d.%03d", 9 + ms / 3600000, ms / 60000 % 60,
                                  ms / 1000 % 60, ms % 1000);
        else if (*row == '^')
            n += (size_t)snprintf(out + n, room - n, "%d.%03d", 1773480421 + ms / 1000, ms % 1000);
        else
            out[n++] = *row;
    }
    return n;
}

/* A file of that form; returns its length. */
static inline size_t put_delimited(char *out, size_t room, size_t form, int rows)
{
    int devices = 1 + (int)(damage_next() % 4);
    size_t n = (size_t)snprintf(out, room, "%s", delimited_forms[form].head);
    for (int i = 0; i < rows && n + 400 < room; i++) {
        switch (damage_next() % 100) {
        case 0:
            n += (size_t)snprintf(out + n, room - n, "%s", delimited_forms[form].head);
            break;
        case 1:
            n += (size_t)snprintf(out + n, room - n, " \t\n");
            break;
        case 2:
            n += (size_t)snprintf(out + n, room - n, "# remark, with a comma\n");
            break;
        case 3:
            n += (size_t)snprintf(out + n, room - n, "Sat Mar 14 09:27:%02d UTC 2026\n", i % 60);
            break;
        default:
            break;
        }
        n += put_row(out + n, room - n, delimited_forms[form].row, i, devices);
    }
    return damage_next() % 4 ? n : n - 1;
}

/* A file of that form from a seed, every other one damaged; `out` has twice the room. */
static inline size_t put_case(char *out, size_t room, uint64_t seed, size_t form, bool is_damaged)
{
    damage_state = seed;
    size_t n = put_delimited(out, room, form, 1 + (int)(damage_next() % 400));
    return is_damaged ? damage_bytes((uint8_t *)out, n, 2 * room) : n;
}

#endif
