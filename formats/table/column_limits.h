/* The thresholds by which readers of tables decide what columns and rows mean: each with its unit, reason and source.
 * "Ours" is neither measured nor documented but a choice that the cases in tests/formats (test_trace_bounds,
 * test_trace_energy, test_trace_devices) pin from both sides. What devices can draw is in core/device_limits.h. Inside
 * formats/ only. */
#ifndef WS_FORMATS_COLUMN_LIMITS_H
#define WS_FORMATS_COLUMN_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* --- energies (energy_rules.c) --- */

/* W. Nothing that is logged in one column draws a megawatt: energies of rows that come to more are a running total.
 * Ours. */
#define WS_ENERGY_MOST_W 1e6

/* Ratios of an energy to the power beside it: what agrees (both are sampled, and neither is exact; the nearest other
 * unit, mWh for J, is a factor 3.6 off), and what is too much for energies of rows. Ours. */
#define WS_ENERGY_NEAR 3.0
#define WS_ENERGY_FAR_ABOVE 30.0

/* W of a device whose energy names no unit: less is kJ or larger, as 2 kW in kJ are; processors, GPUs and boards that
 * are logged draw more, and memory is logged beside them. Ours. */
#define WS_ENERGY_LEAST_W 2.0

/* J. The unit next to J that loggers write without naming it. */
#define WS_JOULES_A_MWH 3.6

/* Steps of its last digit that a running total has to rise by: one or none says less than any power. Ours. */
#define WS_TOTAL_FINE_STEPS 2

/* Rows of a device: in fewer steps a column that only grows may do so by chance. Ours. */
#define WS_TOTAL_LEAST_STEPS 4

/* ... and in so many it grows by chance in none: energies of rows fall with the power, unless they are those of the
 * power itself, within the ratio that two samplings of one device differ by. A meter's counter in Wh read as J (412 a
 * row, 200 W) was near enough to the power. Ours. */
#define WS_TOTAL_SURE_STEPS 16
#define WS_ENERGY_SAME 1.1

/* Rises for each fall of a counter that wraps or is reset: energies of rows rise and fall alike. Ours. */
#define WS_TOTAL_RISES_A_FALL 4

/* --- whose an energy or power of nobody is (owner_rules.c) --- */

/* Ratio of an energy to that of the powers that it is taken for: a logger's own sum differs by the first or last row,
 * a counter by the sensor. A sum of parts is no smaller than they are together, by the noise of readings. Ours. */
#define WS_ENERGY_OF_POWERS 1.05
#define WS_BELOW_PARTS 0.95

/* Share of the rows in which a power is less than its parts: fewer may be readings of other moments. Ours. */
#define WS_BELOW_PARTS_SHARE 0.1

/* --- polls of RAPL's counters (powercap_csv.c) --- */

/* uJ. A column of a zone that holds as much at any time is a counter: 1e9 uJ are 1 kJ, which no reading of W or J is;
 * from 1e5 on (0.1 J, or the powers of a room) it is one if it rises so many times as often as it falls. Ours. */
#define WS_ZONE_SURELY_UJ 1e9
#define WS_ZONE_LEAST_UJ 1e5
#define WS_ZONE_RISES_A_FALL 4

/* --- intervals and stamps (trace_plan.c, column_rules.c, timecol.c, preset_rows.c, generic_csv.c) --- */

/* Ratio of the interval that a column states to that between the stamps: further off it is a setting, or in another
 * unit. Ours. */
#define WS_INTERVAL_FAR 1.5

/* Steps of a time that names no unit from which on it may be in ms as well as in s: nothing is polled each millisecond
 * by what writes whole numbers of it, but every 10, 20 or 100. With decimals it is in s, and no log of hours has them.
 * And rows that show a step. Ours. */
#define WS_BARE_STEP 10.0
#define WS_BARE_PARTED_STEP 60.0
#define WS_BARE_TIME_LEAST_ROWS 4

/* Rows of a device are the sum of all others of a poll to so small a part, as rounding leaves it, in so many polls; and
 * their readings change by ten times as much, since idle cards add up by chance. Ours. */
#define WS_SUM_ROW 0.003
#define WS_SUM_LEAST_POLLS 8

/* A mean step is a period that a logger was given where it is so near (drift and rounding). Below the shortest step
 * nothing measures power (RAPL's counters advance every ms), so that the times are in a longer unit. Ours. */
#define WS_BARE_PERIOD 0.01
#define WS_BARE_SHORTEST_STEP 0.0009

/* s. Rows that are closer by the unit of their name may be a usual period apart in s: tools poll every 10 ms at most,
 * and what measures faster counts whole ms or us. Ours. */
#define WS_NAMED_SHORTEST_STEP 0.0099

/* s since 1970, 2017 to 2036, in ms the uptime of a host that is up for 17 to 24 days; and the longest usual period in
 * the larger unit, 120 s, which is 120 ms in the one that the name says. Ours. */
#define WS_NOW_FIRST_S 1.5e9
#define WS_NOW_LAST_S 2.1e9
#define WS_NOW_LONGEST_STEP 120.0

/* Days as spreadsheets count them since 1900 (ECMA-376, date systems): 2000-01-01 to 2099-12-31. */
#define WS_DAY_NUMBER_FIRST 36526
#define WS_DAY_NUMBER_LAST 73050

/* Rows a second. No sampler of power takes more, so that "seconds" that step by less are days. Ours. */
#define WS_MOST_ROWS_A_SECOND 1000

/* s since 1970: from the first day of 2000 on and before 2100, since no log of powers is older or will be younger. */
#define WS_LOG_FIRST_S INT64_C(946684800)
#define WS_LOG_LAST_S INT64_C(4102444800)

static inline bool ws_is_time_of_log(int64_t ns)
{
    return ns >= WS_LOG_FIRST_S * INT64_C(1000000000) && ns < WS_LOG_LAST_S * INT64_C(1000000000);
}

/* W or mW. The largest reading of a table of one column in which other numbers may be stamps above the rows: 10 kW in
 * mW, a hundredth of the seconds since 1970. Ours. */
#define WS_BELOW_STAMPS_MOST 1e7

/* Days from a stamp to the one before that show day and month to be the other way round, and that do not with them
 * exchanged: of two rows in one log. Ours. */
#define WS_STAMP_WEEKS_OFF 20
#define WS_STAMP_DAYS_NEAR 2

/* ns. The clocks of two windows are read one after the other: so much is no overlap. Ours. */
#define WS_WINDOW_TOLERANCE_NS INT64_C(1000000)

/* Steps for each fall of a time that is one of trials, since a trace that is restarted every five rows is none; and
 * steps before the first row that a trace has at most. Ours. */
#define WS_TRIAL_STEPS_A_FALL 5
#define WS_TRIAL_STEPS_BEFORE 2

/* ... and by how much it falls for what it rises, in sum: two loggers that write in turn fall as often, by little.
 * Ours. */
#define WS_TRIAL_FALLEN 0.25
#define WS_TRIAL_LEAST_STEPS 3

/* Steps that all rise, the longest by no more than this beside their mean: those of a log. Ours. */
#define WS_TRIAL_EVEN_STEPS 31
#define WS_TRIAL_EVEN 1.25

/* By what sizes of problems grow from row to row: they double, or nearly. Ours. */
#define WS_SIZES_GROW 1.9

/* Of sweeps (swept_column.c): values at most; how often the time of a trace rises from row to row, where that of runs
 * at one setting does in half of the steps, and the odds in logarithm that prove a trace (100 to 1: seven steps); a
 * first time that is nothing beside steps that are even. Ours. */
#define WS_SWEEP_MOST_VALUES 256
#define WS_SWEEP_RISES 0.99
#define WS_SWEEP_PROVEN 4.6
#define WS_SWEEP_BEGINS 0.05
#define WS_SWEEP_EVEN 0.75

/* Of rows that say how long each took: more of the time between their stamps is a log whose rows are intervals, for
 * which both readings come to the same, or times since a start; and energies that only rise are a running total where
 * energy over length differs by more than one device does under load and idle. Ours. */
#define WS_DATED_RUNS_MOST 0.9
#define WS_DATED_RUNS_ALIKE 5

/* Changes for each fall of an energy whose name calls it a total, where it is that of each row: half of the changes of
 * any rows in no order are falls. Ours. */
#define WS_DATED_RUNS_STEPS_A_FALL 3

/* --- devices that take turns (identity_rules.c, node_turns.c) ---
 * Shares of rows or ratios, tried on logs of nvidia-smi of 1, 2, 4 and 8 GPUs at 10 ms to 60 s, with rows 40 ms late,
 * lost and repeated. Ours. */

/* Rows of a poll at most: four times the GPUs of the largest node, for tables of several nodes. */
#define WS_TURNS_MOST 64

/* A time from poll to poll is usual within so much of its median, and so many of them have to be. */
#define WS_TURNS_USUAL 0.25
#define WS_TURNS_USUAL_SHARE 0.7

/* Rows of a poll follow each other within so much of an even spacing. */
#define WS_TURNS_CLOSE 0.5

/* A reading differs so much less from the one a poll before than from its neighbours; the memory in use hardly changes;
 * and where rows are missing the neighbours of a lost one are off. */
#define WS_TURNS_SAME_PLACE 0.15
#define WS_TURNS_SAME_MEMORY 0.1
#define WS_TURNS_MISSED_PLACE 0.35

/* So many steps under half or above twice the median are not one device's polling. */
#define WS_TURNS_UNEVEN 0.2

/* So many rows have the stamp of the one above: two devices come to half, one that is polled at 1.5 Hz to a third. */
#define WS_TURNS_SHARED 0.4

/* Rows with the word of the row a poll above: late, missing and repeated rows shift the rest of a log once each. Ours.
 */
#define WS_TURNS_AGAIN 0.8

/* Polls that have as many rows as the run is described with devices. */
#define WS_TURNS_DESCRIBED 0.9

/* More rows that are wholly the one before are idle devices and no repeats. And of polls below lines of dates so many
 * may hold a row more than most. */
#define WS_TURNS_REPEATS 0.05
#define WS_TURNS_MORE 0.2

/* Rows share stamps as those of one poll where polls are at least so many units of the stamps apart: rounding makes the
 * stamps of rows equal that lie within one unit. */
#define WS_TURNS_STAMP_UNITS 10

/* Polls after which readings, and after which times, say enough; steps that are looked at for a cycle. */
#define WS_TURNS_LEAST_POLLS 16
#define WS_TURNS_FEW_POLLS 2
#define WS_TURNS_STEPS 2048

/* Of the time from poll to poll: a row may be so late (in logs of nvidia-smi single queries were 40 ms late, in polls
 * 200 ms apart and more). And usual steps, and time that they fill, where a lost row shows in them. */
#define WS_TURNS_LATE 0.75
#define WS_TURNS_EVEN_STEPS 0.9

/* --- several powers without a header (column_rules.c) --- */

/* Of the mean: power.draw, .average and .instant of a log differ by less, a limit from what is drawn by more. Ours. */
#define WS_SAME_POWER 0.1

/* --- powers that name no unit (power_rules.c) ---
 * Numbers as they stand. What a server takes in W, a board takes in mW from 1 W on (a Jetson Nano that idles); a device
 * whose readings are in mW draws 1 W or more in each; and from 1 W on they may be in uW, as in the kernel's hwmon.
 * Ours. */
#define WS_BARE_WHOLE_MW 1000.0
#define WS_BARE_LEAST_MW 1000.0
#define WS_BARE_MICRO 1e6

/* W. No board that is on and logged draws less: microcontrollers that are awake take tens of mW. What is below it under
 * mW is in W, as the logs of E2FL with 4.39. Ours. */
#define WS_BOARD_LEAST_W 0.01

/* Ratio of a meter's power to its volts times amperes, which both are rounded; V below which a meter is none of the
 * mains; A that such a meter takes at most (USB: 5 A; INA219: 3.2 A). Ours. */
#define WS_METER_NEAR 1.25
#define WS_METER_MOST_V 60.0
#define WS_METER_MOST_A 10.0

/* --- rails of boards (power_rules.c) ---
 * As numbers in a column that names no unit. A board takes at most so many W (the largest Jetson module, T5000, is
 * specified for 130 W), and at least so many mW (a Jetson Nano that idles for 1 W or more): half of that and twice the
 * other are in neither. The step of the INA3221 on the rails of a module: 40 uV (its data sheet) over 5 mOhm at 5 V are
 * 40 mW, over 2 mOhm more. Ours. */
#define WS_BOARD_MOST_W 250.0
#define WS_BOARD_IN_MW 500.0
#define WS_RAIL_STEP_MW 20.0

/* --- rows that come back in turn (trace_sample.c, node_turns.c) --- */

/* Share of the variance of readings' differences that comes back: at least, and in multiples of 1/sqrt(rows), by which
 * noise comes back. Logs of one device (29 series of powers of GPUs, boards and nodes at 5 ms to 1 s) stay below 0.6 of
 * that bound; devices whose levels differ by 2 % come to more in seven of eight tables of 2 to 8, made of such logs. */
#define WS_CYCLE_LEAST 0.15
#define WS_CYCLE_NOISE 4.0

/* Roughness of the levels over a cycle (trace_sample.c): 0.7 to 2 for levels in random order, half or less for a square
 * wave of eight rows or more, as a periodic load has. Ours. */
#define WS_CYCLE_ROUGH 0.4

/* Of rows that hold all devices of a node: the ratio of two powers as many rows apart as nodes differs by so much of
 * what it does from row to row, in so many rows. Noise comes to 1 +- 0.09 there, two nodes whose ratios differ by two
 * standard deviations of their noise to 0.6, and logs of one node to more than 1 (what is further apart differs more).
 * Ours. */
#define WS_ROWS_RETURN 0.7
#define WS_ROWS_LEAST_TO_RETURN 64

/* Of logs without columns of devices (node_watch.c): the variance of the mean of a round of k readings, in k-ths of
 * what the places in it have: 0 where one gains what another loses, 1 where they know nothing of each other. The same
 * ratio as WS_ROWS_RETURN of two readings in order of size, where those of one device come to 0.7, and of more, which
 * periodic loads of three to six polls bring down; and the correlation of which is the largest one with the rounds
 * before: 0.1 by chance, a third and more of a load that turns them. Ours. */
#define WS_ROUNDS_STAY 0.3
#define WS_SORTED_RETURN 0.35
#define WS_SORTED_RETURN_OF_MORE 0.175
#define WS_TURNS_BY_CHANCE 0.35

/* Steps of two loggers: so many are by such a ratio longer or shorter than the one before, and every two of them
 * together by no more than such a one. Ours. */
#define WS_STEPS_TURN 0.7
#define WS_STEPS_DIFFER 1.5
#define WS_STEPS_ALIKE 1.1

/* Times that a cycle has to come at least. Ours. */
#define WS_CYCLE_LEAST_ROUNDS 16

/* Nodes keep their places in a cycle, a load whose period is nearly one of some rows loses them: in so many parts of
 * the rows the levels of the places, added, keep so much of what all would add up to, squared: 1 where all are alike,
 * 1/16 where they are not. 0.6 for nodes that idle for a third of the time. Ours. */
#define WS_CYCLE_PARTS 16
#define WS_CYCLE_KEPT 0.6

/* ns. Nodes that are asked one after the other, over the network, write no faster; loops on each node would not keep
 * the same distance. A load whose period is some polls of a tenth of a second comes back like that. Ours. */
#define WS_NODES_FASTEST_NS INT64_C(250000000)

/* Units of the stamps by which a step has to differ from the usual one: rounding alone makes one, and comes back (33,
 * 33, 34 ms). Ours. */
#define WS_CYCLE_LEAST_STAMP_UNITS 2.0

/* Mean steps at two places in a cycle differ by more than so many standard errors of their difference. Ours. */
#define WS_CYCLE_STEP_ERRORS 4.0

/* degrees Celsius from row to row, in the mean: a GPU's temperature is shown in whole degrees and changes by one in
 * some rows. Ours. */
#define WS_CYCLE_LEAST_JUMP_C 2.0

/* Mean difference of readings 2 to 16 rows apart, the least of them, to that of neighbours, differences clipped at so
 * many times the usual one since a change of load is none: in logs of one device (GPUs, nodes and wall meters at 50 ms
 * to 60 s) 1.03 to 2. In so many rows, and where not so many repeat the one before: logs of one device that is polled
 * faster than its sensor repeat 11 to 99 % of its readings. Ours. */
#define WS_NEIGHBOURS_NEARER 1.03
#define WS_NEIGHBOURS_CLIPPED 4
#define WS_NEIGHBOURS_LEAST_ROWS 64
#define WS_NEIGHBOURS_SAME 0.1

/* Rows that come in bursts: gaps of so many times the median step, so many of them, fill so much of the time. One
 * device that is polled in bursts is logged by nobody. Ours. */
#define WS_BURST_GAP 8
#define WS_BURST_LEAST 4
#define WS_BURST_PAUSES 0.5

/* ns from one reading of power to the next in GPUs: the fastest measured is the K40m with 15 ms, most take 20 or 100
 * (Yang et al., "Part-time Power Measurements", arXiv 2312.02741). Polled faster a GPU repeats itself. */
#define WS_SENSOR_FASTEST_NS 15e6
#define WS_SENSOR_LEAST_ROWS 64

/* --- devices (identity_rules.c, trace_sample.c) --- */

/* GPUs. Above that a number from 0 to 100 is a load and no index: the largest nodes have 16 (NVIDIA DGX-2, or eight
 * GPUs of two dies, which MI250X shows as two devices each). */
#define WS_MOST_GPUS_OF_A_NODE 16

/* Rows. From so many on a column named like a device that has a new number in most rows holds readings: a log of so
 * many devices would have a reading of each. Ours. */
#define WS_READINGS_LEAST_ROWS 8

/* Serial numbers of boards have 10 digits and more (nvidia-smi's documentation shows 13). Ours. */
#define WS_LEAST_SERIAL 1e6

/* The largest number of a device, and how many times such numbers have to come in turn to be an index. Ours. */
#define WS_LARGEST_INDEX 1023
#define WS_LEAST_ROUNDS 2

/* Numbers in one cell that make it a series, as tables of runs have them. Ours. */
#define WS_SERIES_LEAST 4

/* --- lines of home-made loops (trace_head.c) --- */

/* Of the rows with a reading so many have no stamp where each poll is of two devices or more (half, or more, of them; a
 * few lines of numbers between rows are what something else printed), and rows that show it. Ours. */
#define WS_BARE_READINGS 0.4
#define WS_BARE_READINGS_ROWS 4

/* Neighbours in one second, all rising, that make three digits behind a time its milliseconds and no reading: eight
 * readings rise in a row by chance in 0.4 %. Ours. */
#define WS_COMMA_STAMP_PAIRS 8

/* What AMD's libraries write where there is no reading: the largest uint32. */
#define WS_AMD_NO_READING 4294967295.0

#endif
