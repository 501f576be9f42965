/* Every finding there is, a row each in the order of their codes: name, code, severity, what it takes away, how it
 * weighs in the verdict on an energy, the section of docs/ that says more, and what it means. core/finding.h and
 * core/finding.c include it with WS_FINDING defined; docs/findings.md is printed from it. */
#ifndef WS_FINDING
#define WS_FINDING(...)
typedef int ws_finding_table_by_itself; /* ISO C has no file without a declaration */
#endif

WS_FINDING(ADJUSTED, "adjusted", RESULT, NOTHING, NOTHING, "methods.md#is-b-worse-than-a-compare-fittestsverdictc",
           "several groups were judged together, and the intervals allow for it")
WS_FINDING(ADVICE, "advice", RESULT, NOTHING, NOTHING,
           "methods.md#which-configuration-advise-fitchoiceparetoc-fitchoiceoptimumc",
           "what a configuration costs and gives beside the others")
WS_FINDING(ALIKE_RUNS, "alike-runs", REMARK, NOTHING, NOTHING, "methods.md#what-counts-as-one-observation",
           "rows without a run's name agree in every digit, and count each: so few digits agree by chance")
WS_FINDING(AMBIGUOUS_ZONE, "ambiguous-zone", ASSUMED, NOTHING, NOTHING, "formats.md#time-stamps-and-zones",
           "the abbreviation of the zone is that of several zones, and one was taken")
WS_FINDING(ASK_BACK_STEPS, "ask-back-steps", ASKED, ENERGY, UNUSABLE, "methods.md#time-that-is-held-twice",
           "a good part of the time stands twice in a file, and the readings do not prove that they are copies")
WS_FINDING(ASK_DEVICES, "ask-devices", ASKED, ENERGY, UNUSABLE, "formats.md#devices",
           "no column tells devices apart and the rows do not prove how many there are")
WS_FINDING(ASK_NODES, "ask-nodes", ASKED, ENERGY, UNUSABLE, "campaign.md#what-scan-proposes",
           "files of the same time may be of one run or of several, of one node or of several")
WS_FINDING(ASK_ROWS, "ask-rows", ASKED, ENERGY, UNUSABLE, "formats.md#csv",
           "the rows of a table may be readings of one run or a run each")
WS_FINDING(ASK_UNIT, "ask-unit", ASKED, ENERGY, UNUSABLE, "formats.md#names-of-columns-in-a-table-of-runs",
           "an energy or a time names no unit, and the numbers do not prove one")
WS_FINDING(ASSUMED_COUNTER_RANGE, "assumed-counter-range", ASSUMED, NOTHING, JOULES,
           "methods.md#counters-wraps-resets-failed-reads",
           "the file does not state where the counter wraps, and a usual range was taken")
WS_FINDING(ASSUMED_DEVICE, "assumed-device", ASSUMED, NOTHING, JOULES, "formats.md#devices",
           "rows name no device and were given to one by their order")
WS_FINDING(ASSUMED_DOMAIN, "assumed-domain", ASSUMED, NOTHING, NOTHING, "formats.md#devices",
           "the file does not say what the power feeds, and a domain was taken")
WS_FINDING(ASSUMED_ENERGY, "assumed-energy", ASSUMED, NOTHING, NOTHING, "formats.md#csv",
           "whether an energy is a running total or that of each row follows from its readings")
WS_FINDING(ASSUMED_NODE, "assumed-node", ASSUMED, NOTHING, NOTHING, "formats.md#devices",
           "words in a table without a header were taken for the node")
WS_FINDING(ASSUMED_POWER, "assumed-power", ASSUMED, NOTHING, JOULES, "formats.md#csv",
           "a column without a quantity or a unit was taken for power in W")
WS_FINDING(ASSUMED_UNIT, "assumed-unit", ASSUMED, NOTHING, NOTHING, "formats.md#names-of-columns-in-a-table-of-runs",
           "the unit that alone means what a device draws, or s where no energy hangs on a time, was taken")
WS_FINDING(BACK_STEP_DROPPED, "back-step-dropped", LOSS, READINGS, NOTHING, "methods.md#missing-cells-odd-stamps",
           "readings whose stamps step back were left out, as asked")
WS_FINDING(BACK_STEP_SORTED, "back-step-sorted", REMARK, NOTHING, NOTHING, "methods.md#missing-cells-odd-stamps",
           "readings whose stamps step back were put in their places, as asked")
WS_FINDING(BAD_DURATION, "bad-duration", LOSS, CELLS, NOTHING, "formats.md", "a duration cannot be read")
WS_FINDING(BAD_ENERGY, "bad-energy", LOSS, CELLS, NOTHING, "formats.md#sacct", "an energy cannot be read")
WS_FINDING(BAD_LINE, "bad-line", LOSS, ROWS, JOULES, "formats.md", "a line cannot be read")
WS_FINDING(BAD_STAMP, "bad-stamp", LOSS, ROWS, JOULES, "formats.md#time-stamps-and-zones",
           "a time stamp cannot be read, and its row was left out")
WS_FINDING(BAD_TIME, "bad-time", LOSS, READINGS, JOULES, "formats.md#time-stamps-and-zones",
           "a time is no number, and what was read at it was left out")
WS_FINDING(BATCH_CONTRADICTION, "batch-contradiction", DOUBT, NOTHING, NOTHING, "methods.md#3-figures-of-a-run",
           "the global batch size is not the product of its factors")
WS_FINDING(CANNOT_BE_READ, "cannot-be-read", FAILURE, FILE, NOTHING, "formats.md#for-every-file",
           "a file cannot be read")
WS_FINDING(CAPTION, "caption", RESULT, NOTHING, NOTHING, "figures.md", "the figure in words")
WS_FINDING(CHANGED_COLUMN, "changed-column", REMARK, NOTHING, NOTHING, "formats.md#csv",
           "the power of a device goes on in another column after a new header")
WS_FINDING(CHANGED_FILE, "changed-file", DOUBT, NOTHING, NOTHING, "store.md#files-that-change",
           "a file changed while it was read, and again while it was read once more")
WS_FINDING(CHANGED_HEADER, "changed-header", REMARK, NOTHING, NOTHING, "formats.md#for-every-file",
           "the columns change inside the file")
WS_FINDING(CHANNEL_SUM, "channel-sum", REMARK, NOTHING, NOTHING, "formats.md#ptdaemon",
           "the power is the analyser's sum of its channels")
WS_FINDING(CHARACTERS_MISSING, "characters-missing", REMARK, NOTHING, NOTHING, "figures.md",
           "no installed font has a character of a text in the figure")
WS_FINDING(CLOCK_STEP_BACK, "clock-step-back", DOUBT, NOTHING, JOULES, "methods.md#missing-cells-odd-stamps",
           "the time stamps step back")
WS_FINDING(COLUMN_SET_ASIDE, "column-set-aside", LOSS, CELLS, NOTHING, "formats.md#names-of-columns-in-a-table-of-runs",
           "a column was not used, since another one holds the same quantity")
WS_FINDING(COLUMN_TAKEN, "column-taken", REMARK, NOTHING, NOTHING, "formats.md#names-of-columns-in-a-table-of-runs",
           "a standard column was filled from a column of another name or unit")
WS_FINDING(CONTINUED, "continued", REMARK, NOTHING, NOTHING, "campaign.md#which-files-form-a-run",
           "a device goes on from one file of the run to the next")
WS_FINDING(CORRELATION, "correlation", RESULT, NOTHING, NOTHING, "methods.md#6-correlation-and-regression",
           "what a correlation says")
WS_FINDING(COUNTER_GAP, "counter-gap", DOUBT, NOTHING, INTERVAL, "methods.md#counters-wraps-resets-failed-reads",
           "a step between readings is so long that whole rounds of the counter may be lost in it")
WS_FINDING(COUNTER_GLITCH, "counter-glitch", DOUBT, NOTHING, JOULES, "methods.md#counters-wraps-resets-failed-reads",
           "readings of a counter jump away and come back, and are left out")
WS_FINDING(COUNTER_RESET, "counter-reset", LOSS, READINGS, JOULES, "methods.md#counters-wraps-resets-failed-reads",
           "a counter began again, and what it counted before its next reading is lost")
WS_FINDING(COUNTER_SLIP, "counter-slip", DOUBT, NOTHING, NOTHING, "methods.md#counters-wraps-resets-failed-reads",
           "a counter fell a little without a wrap or a reset")
WS_FINDING(COUNTER_WRAP, "counter-wrap", REMARK, NOTHING, JOULES, "methods.md#counters-wraps-resets-failed-reads",
           "a counter wrapped and was unwrapped")
WS_FINDING(CPU_USAGE_UNUSABLE, "cpu-usage-unusable", REMARK, NOTHING, NOTHING,
           "formats.md#perun-hdf5-perun-csv-perun-json", "perun's CPU usage says nothing about the processors")
WS_FINDING(CUMULATIVE_ROW, "cumulative-row", REMARK, NOTHING, NOTHING, "formats.md#codecarbon",
           "a run wrote a row more than once, each with all before it: the last one counts")
WS_FINDING(DAMAGED_DOCUMENT, "damaged-document", LOSS, READINGS, NOTHING, "formats.md#nvidia-smi-xml-nvidia-smi-text",
           "a document is damaged, and the rest of it was left out")
WS_FINDING(DAMAGED_OBJECT, "damaged-object", FAILURE, DEVICE, NOTHING, "formats.md#perun-hdf5-perun-csv-perun-json",
           "a part of an HDF5 file is damaged and cannot be read")
WS_FINDING(DAY_FIRST, "day-first", ASSUMED, NOTHING, NOTHING, "formats.md#time-stamps-and-zones",
           "the stamps do not say whether the day or the month comes first: the day was taken")
WS_FINDING(DEAD_COLUMN, "dead-column", REMARK, NOTHING, NOTHING, "methods.md#which-source-of-a-device-counts",
           "a column has no reading, and another one of the device counts in its place")
WS_FINDING(DECIMAL_COMMA, "decimal-comma", ASSUMED, NOTHING, NOTHING, "formats.md#for-every-file",
           "numbers are read with a decimal comma")
WS_FINDING(DOUBTFUL_ENERGY, "doubtful-energy", DOUBT, NOTHING, NOTHING, "findings.md#the-verdict-on-an-energy",
           "runs whose energy is doubtful are in what was found")
WS_FINDING(DOUBTFUL_UNIT, "doubtful-unit", DOUBT, NOTHING, DOUBTFUL, "formats.md#csv",
           "a unit may be wrong, as that of the GPUs' power is")
WS_FINDING(DUPLICATE_COLUMN, "duplicate-column", REMARK, NOTHING, NOTHING, "formats.md#for-every-file",
           "a column name comes more than once")
WS_FINDING(DUPLICATE_SERIES, "duplicate-series", LOSS, READINGS, NOTHING, "formats.md#prometheus-json",
           "a series comes more than once: the first counts")
WS_FINDING(ENERGY_SENTINEL, "energy-sentinel", LOSS, CELLS, NOTHING, "formats.md#sacct",
           "Slurm wrote its sign for a failed reading in place of an energy")
WS_FINDING(EXCLUDED, "excluded", LOSS, RUN, NOTHING, "campaign.md#exclusions", "runs were left out, as asked")
WS_FINDING(EXCLUSION_WITHOUT_EFFECT, "exclusion-without-effect", REMARK, NOTHING, NOTHING, "campaign.md#exclusions",
           "an exclusion that was asked for fits no run")
WS_FINDING(EXTRA_CELLS, "extra-cells", LOSS, CELLS, JOULES, "formats.md#for-every-file",
           "a row has more cells than the header, and those behind it were left out")
WS_FINDING(EXTRAPOLATION, "extrapolation", DOUBT, NOTHING, NOTHING, "methods.md#prediction---predict-fitlawspredictc",
           "a prediction lies far beyond what was measured")
WS_FINDING(FAILED_READING, "failed-reading", LOSS, READINGS, NOTHING, "formats.md#ptdaemon",
           "the meter gave no reading")
WS_FINDING(FAILED_RUN, "failed-run", LOSS, RUN, NOTHING, "formats.md#perun-hdf5-perun-csv-perun-json",
           "the measured program failed: what was recorded until then counts")
WS_FINDING(FILE_A_DEVICE, "file-a-device", REMARK, NOTHING, NOTHING, "campaign.md#which-files-form-a-run",
           "two files of a run hold a device of one name with different readings: two devices")
WS_FINDING(FILES, "files", RESULT, NOTHING, NOTHING, "formats.md", "how many files of which format there are")
WS_FINDING(FILES_OVERLAP, "files-overlap", LOSS, DEVICE, JOULES, "campaign.md#which-files-form-a-run",
           "two files hold the same device for a part of their time: one of them was left out")
WS_FINDING(FIT, "fit", RESULT, NOTHING, NOTHING, "methods.md#5-fits", "what a fit says")
WS_FINDING(FLAT_RATE, "flat-rate", DOUBT, NOTHING, NOTHING, "methods.md#unequal-work",
           "samples a second do not grow with the GPUs, as those of each GPU do not")
WS_FINDING(FOLDER_LINK, "folder-link", LOSS, FILE, NOTHING, "formats.md#for-every-file",
           "a link to a folder was not followed")
WS_FINDING(FORMAT_DOUBT, "format-doubt", DOUBT, NOTHING, NOTHING, "formats.md#for-every-file",
           "the file could be of another format, too")
WS_FINDING(GAP, "gap", REMARK, NOTHING, NOTHING, "methods.md#long-gaps",
           "steps of several times the usual interval, too short for a long gap")
WS_FINDING(GPU_COUNT, "gpu-count", DOUBT, NOTHING, JOULES, "campaign.md#fields",
           "a run has another number of GPUs than it says")
WS_FINDING(GPUH_CONTRADICTION, "gpuh-contradiction", DOUBT, NOTHING, NOTHING, "methods.md#3-figures-of-a-run",
           "the GPU-hours are not GPUs times wall time")
WS_FINDING(GROUP_LEFT_OUT, "group-left-out", LOSS, RUN, NOTHING,
           "methods.md#groups---compare-fit-slopes-fittestsgroupsc", "a group of runs cannot be compared")
WS_FINDING(HIGHER_THAN_PAGE, "higher-than-page", REMARK, NOTHING, NOTHING, "figures.md",
           "a figure is higher than a page of a paper")
WS_FINDING(IGNORED, "ignored", REMARK, NOTHING, NOTHING, "campaign.md#what-scan-proposes", "files that no rule needs")
WS_FINDING(IMPLAUSIBLE_ENERGY, "implausible-energy", DOUBT, NOTHING, JOULES, "methods.md#sensors-that-cannot-be-right",
           "an energy means more power than such a device draws")
WS_FINDING(IMPLAUSIBLE_POWER, "implausible-power", DOUBT, NOTHING, JOULES, "methods.md#sensors-that-cannot-be-right",
           "a power is more than such a device draws")
WS_FINDING(IMPLAUSIBLE_UNIT, "implausible-unit", ASSUMED, NOTHING, NOTHING, "formats.md#csv",
           "a unit cannot be right, and one that can be was taken")
WS_FINDING(IMPOSSIBLE_POWER, "impossible-power", LOSS, READINGS, NOTHING, "methods.md#sensors-that-cannot-be-right",
           "a power that no device draws was left out")
WS_FINDING(IMPOSSIBLE_VALUE, "impossible-value", LOSS, CELLS, NOTHING, "methods.md#3-figures-of-a-run",
           "a figure that no run has was left out")
WS_FINDING(INCOMPLETE_ROW, "incomplete-row", LOSS, RUN, NOTHING, "methods.md#what-has-no-answer",
           "a row lacks a number that the command needs")
WS_FINDING(INTERVAL_MISFIT, "interval-misfit", REMARK, NOTHING, NOTHING, "formats.md#csv",
           "a column of intervals does not fit the stamps and was not used")
WS_FINDING(JOB_IS_RUNNING, "job-is-running", DOUBT, NOTHING, NOTHING, "formats.md#sacct",
           "the job had not ended when the record was written")
WS_FINDING(JOB_STEP, "job-step", REMARK, NOTHING, NOTHING, "formats.md#sacct",
           "steps repeat the time and the energy of their job and are no runs")
WS_FINDING(JOINED_RECORD, "joined-record", REMARK, NOTHING, NOTHING, "campaign.md#windows-runs-inside-continuous-logs",
           "records that differ in their nodes alone are one run of all of them")
WS_FINDING(LABEL_LEFT_OUT, "label-left-out", REMARK, NOTHING, NOTHING, "figures.md",
           "a label has no place in the figure")
WS_FINDING(LATE_START, "late-start", REMARK, NOTHING, NOTHING, "formats.md#perf-stat-csv-perf-stat-text",
           "a date comes after the first samples and was not used")
WS_FINDING(LENGTH_MISMATCH, "length-mismatch", LOSS, READINGS, NOTHING, "formats.md#perun-hdf5-perun-csv-perun-json",
           "there are more stamps than readings or fewer")
WS_FINDING(LIST_IN_CELL, "list-in-cell", LOSS, CELLS, NOTHING, "formats.md#table-csv-table-json", "a cell holds a list")
WS_FINDING(LOAD_COLUMN, "load-column", REMARK, NOTHING, NOTHING, "formats.md#devices",
           "a column named like a device holds loads")
WS_FINDING(LONG_GAP, "long-gap", DOUBT, NOTHING, INTERVAL, "methods.md#long-gaps",
           "readings are missing for about eight usual intervals or more")
WS_FINDING(LONG_TRACE, "long-trace", DOUBT, NOTHING, JOULES, "methods.md#duration-coverage-mean-spread",
           "traces go on for longer than the run took")
WS_FINDING(LOST_INTERVAL, "lost-interval", LOSS, READINGS, JOULES, "methods.md#intervals-that-are-lost",
           "readings that hold the energy or the mean power of their intervals are missing, and so is that time")
WS_FINDING(LOW_COVERAGE, "low-coverage", LOSS, READINGS, JOULES, "methods.md#duration-coverage-mean-spread",
           "the readings do not cover the time of the run")
WS_FINDING(MAYBE_MEASURED_TWICE, "maybe-measured-twice", DOUBT, NOTHING, JOULES, "campaign.md#which-files-form-a-run",
           "two files may hold the same device: both are in the sums")
WS_FINDING(MAYBE_MISSPELT, "maybe-misspelt", DOUBT, NOTHING, NOTHING, "campaign.md#fields",
           "a field is named nearly like a standard one")
WS_FINDING(MAYBE_ONE_RUN, "maybe-one-run", DOUBT, NOTHING, NOTHING, "formats.md#codecarbon",
           "two rows may be one run that grows: both are kept")
WS_FINDING(MEAN_OF_REPEATS, "mean-of-repeats", REMARK, NOTHING, NOTHING, "formats.md#perf-stat-csv-perf-stat-text",
           "the figures are means of repeats")
WS_FINDING(MEASURED_TWICE, "measured-twice", REMARK, NOTHING, NOTHING,
           "methods.md#2-from-channels-to-a-device-a-node-a-run",
           "a device was measured in more than one file: it counts once")
WS_FINDING(MISSING_CELL, "missing-cell", LOSS, READINGS, JOULES, "methods.md#missing-cells-odd-stamps",
           "a cell has no usable reading, which is missing and not zero")
WS_FINDING(MISSING_TRACE, "missing-trace", LOSS, FILE, NOTHING, "campaign.md#a-table-that-names-its-traces",
           "a table names a trace that is not there")
WS_FINDING(MIXED_GPUS, "mixed-gpus", DOUBT, NOTHING, NOTHING,
           "methods.md#which-configuration-advise-fitchoiceparetoc-fitchoiceoptimumc",
           "runs of different numbers of GPUs are averaged")
WS_FINDING(MIXED_LINES, "mixed-lines", LOSS, ROWS, NOTHING, "formats.md#ipmi-dcmi-ipmi-sdr",
           "a line stands below a reading of another node")
WS_FINDING(MIXED_SETTINGS, "mixed-settings", DOUBT, NOTHING, NOTHING,
           "methods.md#4-configurations-repeats-speed-up-efficiency", "runs that are averaged differ in a setting")
WS_FINDING(MULTI_LINE_CELL, "multi-line-cell", REMARK, NOTHING, NOTHING, "formats.md#csv",
           "a cell holds several lines: the first was taken")
WS_FINDING(NAIVE_TIME, "naive-time", ASSUMED, NOTHING, NOTHING, "formats.md#time-stamps-and-zones",
           "stamps name no zone and are read as UTC")
WS_FINDING(NEGATIVE_ENERGY, "negative-energy", DOUBT, NOTHING, JOULES, "methods.md#sensors-that-cannot-be-right",
           "an energy below zero, kept as data")
WS_FINDING(NEGATIVE_POWER, "negative-power", DOUBT, NOTHING, JOULES, "methods.md#sensors-that-cannot-be-right",
           "a power below zero, kept as data")
WS_FINDING(NESTED_SENSOR, "nested-sensor", REMARK, NOTHING, NOTHING, "formats.md#ipmi-dcmi-ipmi-sdr",
           "a sensor is held by one of the whole system and was not added")
WS_FINDING(NESTED_WINDOW, "nested-window", REMARK, NOTHING, NOTHING, "formats.md#zeus-windows",
           "a window lies inside another, whose energy holds its own, and was not added")
WS_FINDING(NO_BASELINE, "no-baseline", REMARK, NOTHING, NOTHING, "methods.md#baseline",
           "a device has no baseline, and so no net energy")
WS_FINDING(NO_DATA_FOR_RECIPE, "no-data-for-recipe", REMARK, NOTHING, NOTHING, "papers.md#reports-of-a-paper",
           "a figure or a table of a paper is left out, since the campaign lacks what it needs")
WS_FINDING(NO_DESCRIPTION, "no-description", REMARK, NOTHING, NOTHING, "campaign.md#what-happens-without-a-description",
           "the folder has no campaign.json")
WS_FINDING(NO_DEVICE, "no-device", LOSS, ROWS, JOULES, "formats.md#devices", "a row names no device")
WS_FINDING(NO_DURATION, "no-duration", DOUBT, NOTHING, UNUSABLE, "methods.md#duration-coverage-mean-spread",
           "all readings have one time, so that there is no energy")
WS_FINDING(NO_ENERGY, "no-energy", LOSS, CELLS, NOTHING, "formats.md#codecarbon",
           "a record has no energy, which is missing and not zero")
WS_FINDING(NO_FIT, "no-fit", LOSS, RUN, NOTHING, "methods.md#what-has-no-answer", "a group has no fit")
WS_FINDING(NO_JOIN, "no-join", LOSS, FILE, NOTHING, "campaign.md#side-files",
           "a side file cannot be joined to the runs")
WS_FINDING(NO_LENGTH, "no-length", LOSS, ENERGY, NOTHING, "formats.md#ear-eacct",
           "a table of loops does not say how long each lasted")
WS_FINDING(NO_PARTNER, "no-partner", LOSS, RUN, NOTHING, "methods.md#is-b-worse-than-a-compare-fittestsverdictc",
           "a run has no partner to be compared with")
WS_FINDING(NO_PREDICTION, "no-prediction", LOSS, CELLS, NOTHING, "methods.md#prediction---predict-fitlawspredictc",
           "the law has no value there")
WS_FINDING(NO_READINGS, "no-readings", LOSS, DEVICE, JOULES, "formats.md#perun-hdf5-perun-csv-perun-json",
           "a sensor holds no readings")
WS_FINDING(NO_REFERENCE, "no-reference", LOSS, CELLS, NOTHING,
           "methods.md#4-configurations-repeats-speed-up-efficiency", "there is no configuration to relate speed-up to")
WS_FINDING(NO_REGION, "no-region", REMARK, NOTHING, NOTHING, "methods.md#regions",
           "the energies of perun's regions are asked for, and the file holds none")
WS_FINDING(NO_RUN_STOP, "no-run-stop", LOSS, RUN, NOTHING, "formats.md#mllog", "the last run has no end")
WS_FINDING(NO_RUN_TIME, "no-run-time", LOSS, CELLS, NOTHING, "formats.md#trainer-state",
           "the training was not finished when this was saved")
WS_FINDING(NO_TIME, "no-time", LOSS, ENERGY, NOTHING, "formats.md#time-stamps-and-zones",
           "the file holds no time, so that there is no energy")
WS_FINDING(NO_UNIT, "no-unit", LOSS, DEVICE, NOTHING, "formats.md#perun-hdf5-perun-csv-perun-json",
           "readings without a unit are taken neither for power nor for energy")
WS_FINDING(NO_VALUE, "no-value", LOSS, CELLS, NOTHING, "campaign.md#side-files",
           "a side file does not have the value of a run")
WS_FINDING(NO_WINDOW, "no-window", LOSS, RUN, NOTHING, "campaign.md#windows-runs-inside-continuous-logs",
           "a record does not say when the run began and ended")
WS_FINDING(NODE_CLOCK, "node-clock", DOUBT, NOTHING, JOULES, "campaign.md#windows-runs-inside-continuous-logs",
           "a node works in another part of the window of its job than the others")
WS_FINDING(NODE_COUNT, "node-count", DOUBT, NOTHING, JOULES, "campaign.md#fields",
           "a run has another number of nodes than it says")
WS_FINDING(NODE_WITHOUT_TRACE, "node-without-trace", LOSS, DEVICE, JOULES, "campaign.md#fields",
           "a node of the run has no trace")
WS_FINDING(NOT_A_NUMBER, "not-a-number", LOSS, CELLS, NOTHING, "campaign.md#fields",
           "a text stands where a number belongs")
WS_FINDING(NOT_A_TRACE, "not-a-trace", LOSS, FILE, NOTHING, "formats.md", "a file is no trace")
WS_FINDING(NOT_COUNTED, "not-counted", LOSS, READINGS, NOTHING, "formats.md#perf-stat-csv-perf-stat-text",
           "perf could not count an energy")
WS_FINDING(NOT_UTF8, "not-utf8", REMARK, NOTHING, NOTHING, "formats.md#nvidia-smi-xml-nvidia-smi-text",
           "a document is not written in UTF-8")
WS_FINDING(OPEN_FIRST_INTERVAL, "open-first-interval", DOUBT, NOTHING, NOTHING, "methods.md#edges-and-windows",
           "the length of the first interval is not known")
WS_FINDING(OTHER, "other", REMARK, NOTHING, NOTHING, "schemas.md#notes",
           "a note of a table that this version does not know")
WS_FINDING(OUT_OF_ORDER, "out-of-order", DOUBT, NOTHING, UNUSABLE, "methods.md#missing-cells-odd-stamps",
           "the mean power lies outside of all readings, for stamps that step back")
WS_FINDING(OVERLAP_CUT, "overlap-cut", REMARK, NOTHING, NOTHING, "campaign.md#which-files-form-a-run",
           "a file begins before an earlier one of the run ends: each moment counts once")
WS_FINDING(OVERLAPPING_WINDOW, "overlapping-window", DOUBT, NOTHING, DOUBTFUL, "formats.md#zeus-windows",
           "windows overlap, so that energy counts twice")
WS_FINDING(OWN_RULE, "own-rule", REMARK, NOTHING, NOTHING, "campaign.md#what-scan-proposes",
           "paths that the rules of others would misread have a rule of their own")
WS_FINDING(PER_EPOCH, "per-epoch", ASSUMED, NOTHING, NOTHING, "methods.md#unequal-work",
           "runs that differ in their number of epochs alone are compared by that of an epoch")
WS_FINDING(PER_SAMPLE, "per-sample", ASSUMED, NOTHING, NOTHING, "methods.md#unequal-work",
           "runs that hold different numbers of samples are compared by that of a sample")
WS_FINDING(POINTS_DROPPED, "points-dropped", LOSS, CELLS, NOTHING, "figures.md", "points have no place on the axes")
WS_FINDING(POINTS_OUTSIDE, "points-outside", LOSS, CELLS, NOTHING, "figures.md",
           "points lie outside the range of the axes")
WS_FINDING(POOLED_GROUPS, "pooled-groups", DOUBT, NOTHING, NOTHING, "methods.md#what-counts-as-one-observation",
           "groups whose slopes, levels or correlations differ are in one fit or figure")
WS_FINDING(PREDICTION, "prediction", REMARK, NOTHING, NOTHING, "formats.md#carbontracker-output",
           "a prediction is no measurement and was passed over")
WS_FINDING(PREFIXED_STAMP, "prefixed-stamp", LOSS, ROWS, NOTHING, "formats.md#time-stamps-and-zones",
           "a stamp stands behind what a launcher put in front of the line")
WS_FINDING(PROVEN_DEVICE, "proven-device", REMARK, NOTHING, NOTHING, "formats.md#devices",
           "rows that look like those of several devices are proven to be of one")
WS_FINDING(RAGGED_ROW, "ragged-row", LOSS, ROWS, JOULES, "formats.md#for-every-file",
           "a row has another number of cells than the header")
WS_FINDING(RANKS_DIFFER, "ranks-differ", DOUBT, NOTHING, NOTHING, "cluster.md#what-ranks-see",
           "a rank cannot read a file that the first rank reads, or sees another one under its name")
WS_FINDING(READING_DEACTIVATED, "reading-deactivated", LOSS, READINGS, NOTHING, "formats.md#ipmi-dcmi-ipmi-sdr",
           "the BMC measures no power")
WS_FINDING(REFERENCES_APART, "references-apart", REMARK, NOTHING, NOTHING,
           "methods.md#4-configurations-repeats-speed-up-efficiency",
           "one reference for all is one for each model, device and other setting")
WS_FINDING(REGION_OUTSIDE, "region-outside", LOSS, ENERGY, NOTHING, "methods.md#regions",
           "stretches of a region lie outside of the trace")
WS_FINDING(REGION_TOO_LONG, "region-too-long", LOSS, CELLS, NOTHING, "formats.md#perun-hdf5-perun-csv-perun-json",
           "a region has more events than are kept")
WS_FINDING(REGION_UNFINISHED, "region-unfinished", REMARK, NOTHING, NOTHING,
           "formats.md#perun-hdf5-perun-csv-perun-json", "a region was entered and not left")
WS_FINDING(REGION_WITHOUT_HOST, "region-without-host", LOSS, ENERGY, NOTHING, "methods.md#regions",
           "nothing says on which host a rank was in a region")
WS_FINDING(REGIONS_OVERLAP, "regions-overlap", REMARK, NOTHING, NOTHING, "methods.md#regions",
           "regions lie inside others, and each has its whole energy")
WS_FINDING(REPEATED_FILE, "repeated-file", REMARK, NOTHING, NOTHING, "formats.md#for-every-file",
           "an archive holds a file more than once: the first is read")
WS_FINDING(REPEATED_HEADER, "repeated-header", REMARK, NOTHING, NOTHING, "formats.md#for-every-file",
           "the header comes again inside the file")
WS_FINDING(REPEATED_HOUR, "repeated-hour", ASSUMED, NOTHING, NOTHING, "campaign.md#windows-runs-inside-continuous-logs",
           "a stamp lies in the hour that autumn repeats and was read in the first")
WS_FINDING(REPEATED_READING, "repeated-reading", REMARK, NOTHING, NOTHING, "methods.md#time-that-is-held-twice",
           "readings that a file holds a second time, with the same stamp and value, count once")
WS_FINDING(REPEATED_RECORD, "repeated-record", REMARK, NOTHING, NOTHING,
           "campaign.md#windows-runs-inside-continuous-logs",
           "a record says the same as an earlier one and was left out")
WS_FINDING(REPEATED_ROW, "repeated-row", DOUBT, NOTHING, NOTHING, "formats.md#table-csv-table-json",
           "a row says the same as an earlier one in every cell")
WS_FINDING(REPEATED_SAMPLE, "repeated-sample", LOSS, ROWS, NOTHING, "formats.md#devices",
           "a poll has more rows than there are devices")
WS_FINDING(REPEATED_STAMP, "repeated-stamp", REMARK, NOTHING, JOULES, "methods.md#missing-cells-odd-stamps",
           "two readings have one time stamp")
WS_FINDING(REPEATED_ZONE, "repeated-zone", DOUBT, NOTHING, DOUBTFUL, "formats.md#powercap-csv",
           "a zone comes more than once at a time: zones of several sockets may be mixed")
WS_FINDING(RESTARTED_LOG, "restarted-log", REMARK, NOTHING, NOTHING, "formats.md#power-gadget",
           "another log begins inside the file")
WS_FINDING(ROUNDED_ID, "rounded-id", DOUBT, NOTHING, NOTHING, "formats.md#slurm-log", "a job's id may have lost digits")
WS_FINDING(ROW_COUNTER, "row-counter", REMARK, NOTHING, NOTHING, "formats.md#devices",
           "a column named like a device counts rows")
WS_FINDING(RULE_WITHOUT_FILE, "rule-without-file", DOUBT, NOTHING, NOTHING, "campaign.md#side-files",
           "no file fits a rule")
WS_FINDING(RUN_ID_AGAIN, "run-id-again", REMARK, NOTHING, NOTHING, "formats.md#codecarbon",
           "a run_id comes again for another run")
WS_FINDING(RUN_STATUS, "run-status", DOUBT, NOTHING, NOTHING, "methods.md#4-configurations-repeats-speed-up-efficiency",
           "runs that failed or lack a part are in the means")
WS_FINDING(RUNS_OVERLAP, "runs-overlap", DOUBT, NOTHING, DOUBTFUL,
           "methods.md#2-from-channels-to-a-device-a-node-a-run", "runs of one file share a part of their time")
WS_FINDING(SAME_DEVICE, "same-device", DOUBT, NOTHING, DOUBTFUL, "formats.md#devices",
           "two columns are read as one device")
WS_FINDING(SAME_READINGS, "same-readings", DOUBT, NOTHING, DOUBTFUL, "campaign.md#which-files-form-a-run",
           "two devices have the same readings: both are in the sums")
WS_FINDING(SAME_RUN, "same-run", REMARK, NOTHING, NOTHING, "methods.md#what-counts-as-one-observation",
           "rows hold one run, as in two series or a file that was pasted twice: it counts once")
WS_FINDING(SCOPES_APART, "scopes-apart", REMARK, NOTHING, NOTHING,
           "methods.md#4-configurations-repeats-speed-up-efficiency",
           "energies of different domains are not averaged together")
WS_FINDING(SENSORS_DIFFER, "sensors-differ", REMARK, NOTHING, NOTHING, "methods.md#uncertainty",
           "powers of one domain are means over different times, so that spreads and extremes do not compare")
WS_FINDING(SEVERAL_NODES, "several-nodes", REMARK, NOTHING, NOTHING, "formats.md#prometheus-json",
           "series of one GPU stand under several nodes")
WS_FINDING(SHARED_DEVICE, "shared-device", DOUBT, NOTHING, DOUBTFUL, "campaign.md#which-files-form-a-run",
           "runs read one device at the same time, and each has all of its energy")
WS_FINDING(SHARED_NODE, "shared-node", DOUBT, NOTHING, NOTHING, "campaign.md#windows-runs-inside-continuous-logs",
           "runs shared a node at the same time, and each has all of its energy")
WS_FINDING(SHARED_STAMPS, "shared-stamps", DOUBT, NOTHING, DOUBTFUL, "formats.md#devices",
           "rows that share their stamps are read as one device")
WS_FINDING(SHIFTED_ROW, "shifted-row", REMARK, NOTHING, NOTHING, "formats.md#codecarbon",
           "a row is of another version than the header")
WS_FINDING(SHORT_OF_JOB, "short-of-job", DOUBT, NOTHING, DOUBTFUL, "methods.md#duration-coverage-mean-spread",
           "the traces cover less than the job took")
WS_FINDING(SHORT_ROW, "short-row", LOSS, ROWS, JOULES, "formats.md#for-every-file",
           "a row has fewer cells than the reader needs, and was left out")
WS_FINDING(SHORT_SAMPLE, "short-sample", DOUBT, NOTHING, NOTHING, "formats.md#devices",
           "a poll has fewer rows than there are devices")
WS_FINDING(SHORT_TRACE, "short-trace", LOSS, READINGS, JOULES, "methods.md#duration-coverage-mean-spread",
           "a device's readings do not cover the time of the file")
WS_FINDING(SKIPPED_LINE, "skipped-line", LOSS, ROWS, NOTHING, "formats.md#for-every-file", "a line was passed over")
WS_FINDING(SMALL_RECORD, "small-record", DOUBT, NOTHING, NOTHING, "methods.md#which-source-of-a-device-counts",
           "a job's record has less energy than the devices that were measured")
WS_FINDING(SOCKETS_ADDED, "sockets-added", REMARK, NOTHING, NOTHING, "formats.md#perf-stat-csv-perf-stat-text",
           "a line adds several packages")
WS_FINDING(SOURCES_DISAGREE, "sources-disagree", DOUBT, NOTHING, JOULES, "methods.md#which-source-of-a-device-counts",
           "two sources of the same energy differ by more than a tenth")
WS_FINDING(STEP_ENERGY, "step-energy", LOSS, CELLS, NOTHING, "formats.md#sacct",
           "a step has an energy and its job has none")
WS_FINDING(STORE_NOT_USED, "store-not-used", REMARK, NOTHING, NOTHING, "store.md#bad-stores",
           "the store beside the campaign cannot be used, and the files were read")
WS_FINDING(STUCK_COUNTER, "stuck-counter", LOSS, READINGS, INTERVAL, "methods.md#counters-wraps-resets-failed-reads",
           "a counter stands still for longer than its device can")
WS_FINDING(STUCK_SENSOR, "stuck-sensor", DOUBT, NOTHING, JOULES, "methods.md#sensors-that-cannot-be-right",
           "the readings of a device stay the same for longer than a sensor allows")
WS_FINDING(TEXT_SHORTENED, "text-shortened", REMARK, NOTHING, NOTHING, "figures.md",
           "a text is longer than its place in the figure")
WS_FINDING(TIME_STEPS_BACK, "time-steps-back", REMARK, NOTHING, NOTHING, "formats.md#perf-stat-csv-perf-stat-text",
           "the seconds count from 0 again")
WS_FINDING(TOTAL_COLUMN, "total-column", REMARK, NOTHING, NOTHING, "formats.md#csv",
           "a column is the total of others and was not added")
WS_FINDING(TOTAL_ROW, "total-row", REMARK, NOTHING, NOTHING, "formats.md#devices",
           "rows of a device that holds others are not added")
WS_FINDING(TOTAL_WITHOUT_TIME, "total-without-time", REMARK, NOTHING, NOTHING,
           "methods.md#duration-coverage-mean-spread", "a file holds an energy and not the time that it took")
WS_FINDING(TRUNCATED_DOCUMENT, "truncated-document", LOSS, READINGS, NOTHING,
           "formats.md#nvidia-smi-xml-nvidia-smi-text", "the last document is cut")
WS_FINDING(TRUNCATED_LINE, "truncated-line", LOSS, ROWS, NOTHING, "formats.md#for-every-file",
           "the last line may be cut")
WS_FINDING(UNCOUNTED_DEVICE, "uncounted-device", LOSS, DEVICE, JOULES, "formats.md#for-every-file",
           "a device of no known kind is in no total of its run")
WS_FINDING(UNEQUAL_WORK, "unequal-work", DOUBT, NOTHING, NOTHING, "methods.md#unequal-work",
           "runs of different numbers of epochs are compared as they are")
WS_FINDING(UNFILLED_ROW, "unfilled-row", LOSS, CELLS, NOTHING, "formats.md#for-every-file",
           "a row has fewer cells than the header, and the rest counts as missing")
WS_FINDING(UNFINISHED_RUN, "unfinished-run", DOUBT, NOTHING, NOTHING, "methods.md#5-fits",
           "runs that did not end well are used like the others")
WS_FINDING(UNKNOWN_COLUMN, "unknown-column", LOSS, CELLS, NOTHING, "formats.md#csv",
           "a column names no quantity and is not read")
WS_FINDING(UNKNOWN_ZONE, "unknown-zone", LOSS, DEVICE, NOTHING, "formats.md#powercap-csv",
           "a RAPL zone or a sensor of perun does not say what lies in it and is in no total")
WS_FINDING(UNMATCHED_FILE, "unmatched-file", LOSS, FILE, NOTHING, "campaign.md#path-rules", "no rule takes a file")
WS_FINDING(UNNAMED_SERIES, "unnamed-series", LOSS, READINGS, NOTHING, "formats.md#prometheus-json",
           "a series has no name")
WS_FINDING(UNREAD_LINES, "unread-lines", LOSS, ROWS, JOULES, "formats.md#for-every-file",
           "lines that are alike hold no reading before the first or behind the last one")
WS_FINDING(UNREAD_NUMBER, "unread-number", LOSS, CELLS, JOULES, "formats.md#for-every-file",
           "a cell holds a number in a form that cannot be read")
WS_FINDING(UNREADABLE, "unreadable", FAILURE, FILE, UNUSABLE, "formats.md#for-every-file", "a file cannot be read")
WS_FINDING(UNREADABLE_CELL, "unreadable-cell", LOSS, CELLS, NOTHING, "formats.md#for-every-file",
           "a cell cannot be read")
WS_FINDING(UNUSABLE_HEADER, "unusable-header", LOSS, ROWS, NOTHING, "formats.md#csv",
           "a new header inside the file cannot be used")
WS_FINDING(UNUSABLE_RUN, "unusable-run", LOSS, RUN, NOTHING, "findings.md#the-verdict-on-an-energy",
           "a run is in no mean and no fit, since its energy cannot be used")
WS_FINDING(VERDICT, "verdict", RESULT, NOTHING, NOTHING, "methods.md#is-b-worse-than-a-compare-fittestsverdictc",
           "what a comparison says")
WS_FINDING(WINDOW, "window", REMARK, NOTHING, NOTHING, "campaign.md#windows-runs-inside-continuous-logs",
           "energies are the mean power of the logged window times the time of the job")
WS_FINDING(WINDOW_ALONE, "window-alone", DOUBT, NOTHING, NOTHING, "campaign.md#windows-runs-inside-continuous-logs",
           "a run's time is not known, and its energy is that of the logged window")
WS_FINDING(WINDOW_MISFIT, "window-misfit", LOSS, ENERGY, NOTHING, "methods.md#edges-and-windows",
           "a window is given in dates and the trace in seconds, or the other way round")
WS_FINDING(WINDOW_WITHOUT_TRACE, "window-without-trace", LOSS, RUN, NOTHING,
           "campaign.md#windows-runs-inside-continuous-logs", "no trace has a reading inside the window of a record")
WS_FINDING(WITH_PUE, "with-pue", REMARK, NOTHING, NOTHING, "formats.md#carbontracker-output",
           "the energy holds a factor for the building")
WS_FINDING(WITHOUT_ENERGY, "without-energy", LOSS, RUN, NOTHING,
           "methods.md#4-configurations-repeats-speed-up-efficiency", "a run without energy is in no mean of energy")
WS_FINDING(ZERO_ENERGY, "zero-energy", LOSS, CELLS, NOTHING, "formats.md#sacct",
           "an energy of zero was reported, which is missing and not zero")
WS_FINDING(ZERO_POWER, "zero-power", DOUBT, NOTHING, JOULES, "methods.md#sensors-that-cannot-be-right",
           "a power of exactly zero, kept as data")
WS_FINDING(ZERO_READ, "zero-read", REMARK, NOTHING, NOTHING, "methods.md#counters-wraps-resets-failed-reads",
           "a running counter read zero: a failed read, stepped over")
