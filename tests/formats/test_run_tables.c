/* Run tables of other tools: CodeCarbon, Slurm's database, power limits, carbontracker's report. */
#include "harness.h"
#include "note_named.h"

#include "formats/format.h"
#include "record.h"

extern const ws_format ws_format_codecarbon, ws_format_slurm_log, ws_format_zeus_sweep, ws_format_carbontracker_output,
    ws_format_sacct, ws_format_settings, ws_format_trainer_state;

static ws_table table;
static ws_error error;

static const char *file_name = "t.csv"; /* formats of settings are known by it */

static void read_ok(const ws_format *format, const char *text)
{
    const ws_format *second;
    ws_input *input = ws_input_from_memory(file_name, text, strlen(text));
    ck_assert_ptr_eq(ws_format_recognise(input, &second), format);
    ck_assert_ptr_null(second);
    ws_input_close(input);
    ws_table_free(&table);
    ck_assert_msg(record_read_text(&table, format, "t.csv", text, &error) == WS_OK, "%s", error.message);
}

static void cell(size_t row, const char *column, const char *want)
{
    const char *got = record_cell(&table, row, column);
    ck_assert_msg(strcmp(got, want) == 0, "row %d, %s: '%s', not '%s'", (int)row, column, got, want);
}

static void has_note(const char *code, uint64_t count)
{
    const ws_note *note = note_named(&table.notes, code);
    ck_assert_msg((note ? note->count : 0) == count, "%s: %d notes", code, note ? (int)note->count : 0);
}

/* --- CodeCarbon --- */

#define V2_HEAD "timestamp,project_name,run_id,duration,emissions,cpu_power,energy_consumed,country_name,gpu_model\n"
#define V3_HEAD \
    "timestamp,project_name,run_id,experiment_id,duration,emissions,cpu_power,energy_consumed,country_name,gpu_model\n"

START_TEST(codecarbon_keeps_the_last_row_of_a_run)
{
    read_ok(&ws_format_codecarbon, V2_HEAD "2026-02-11T08:00:10,demo,a1,10.5,1e-5,42.5,0.001,Norway,1 x X\n"
                                           "2026-02-11T08:00:20,demo,b2,5,1e-5,42.5,0.0005,Norway,\"1 x X, Y\"\n"
                                           "2026-02-11T08:00:20,demo,a1,20.5,2e-5,42.5,0.002,Norway,1 x X\n"
                                           "2026-02-11T08:00:30,demo,a1,30.5,,,,Norway,1 x X\n");
    ck_assert_uint_eq(table.n_rows, 2);
    cell(0, "run_id", "b2");
    cell(0, "gpu_model", "1 x X, Y");
    cell(1, "run_id", "a1");
    cell(1, "energy_consumed", "0.002"); /* the flush that broke off has no energy */
    cell(1, "duration", "20.5");
    has_note("cumulative-row", 2);
    has_note("no-energy", 1);
}
END_TEST

/* Ten minutes until 08:10 and, with the id given again, five until 09:10: the second is no later state of the first. A
 * row more of the second run is. */
START_TEST(codecarbon_runs_of_one_id)
{
    read_ok(&ws_format_codecarbon, V2_HEAD "2026-02-11T08:10:00,demo,a1,600,1e-5,42.5,0.031,Norway,1 x X\n"
                                           "2026-02-11T09:10:00,demo,a1,300,1e-5,42.5,0.0155,Norway,1 x X\n"
                                           "2026-02-11T09:15:00,demo,a1,600,1e-5,42.5,0.031,Norway,1 x X\n");
    ck_assert_uint_eq(table.n_rows, 2);
    cell(0, "duration", "600");
    cell(0, "timestamp", "2026-02-11T08:10:00");
    cell(1, "timestamp", "2026-02-11T09:15:00");
    has_note("run-id-again", 1);
    has_note("cumulative-row", 1);
}
END_TEST

/* One task behind the other: each row is its own. */
START_TEST(codecarbon_tasks)
{
    read_ok(&ws_format_codecarbon, "task_name," V2_HEAD "load,2026-02-11T08:00:05,demo,a1,5.2,1e-5,42.5,0.01,Norway,X\n"
                                   "train,2026-02-11T08:10:05,demo,a1,599.7,1e-3,42.5,1,Norway,X\n"
                                   "eval,2026-02-11T08:10:26,demo,a1,20.4,1e-4,42.5,0.05,Norway,X\n");
    ck_assert_uint_eq(table.n_rows, 3);
    cell(0, "task_name", "load");
    cell(1, "energy_consumed", "1");
    cell(2, "duration", "20.4");
    has_note("cumulative-row", 0);
}
END_TEST

/* A row that began later and is shorter is no later state, although it follows at once. A state that the clock moved a
 * little is. */
START_TEST(codecarbon_run_that_follows_at_once)
{
    read_ok(&ws_format_codecarbon, V2_HEAD "2026-02-11T08:10:00,demo,a1,600,1e-3,42.5,0.031,Norway,X\n"
                                           "2026-02-11T08:10:20,demo,a1,20.4,1e-5,42.5,0.001,Norway,X\n"
                                           "2026-02-11T08:10:30,demo,a1,29.9,1e-5,42.5,0.002,Norway,X\n");
    ck_assert_uint_eq(table.n_rows, 2);
    cell(0, "energy_consumed", "0.031");
    cell(1, "energy_consumed", "0.002");
    has_note("run-id-again", 1);
    has_note("cumulative-row", 1);
}
END_TEST

/* As Excel saves it where the comma is the decimal sign. */
#define RANK_HEAD "timestamp,project_name,run_id,duration,emissions,energy_consumed,gpu_count,gpu_model,tracking_mode\n"

/* Each of four ranks measured the whole node; a run before and one on other GPUs did not share it. */
START_TEST(codecarbon_rows_of_ranks)
{
    read_ok(&ws_format_codecarbon, RANK_HEAD "2026-02-11T08:00:00,demo,z,600,1,1.37,4,A100,machine\n"
                                             "2026-02-11T09:00:00,demo,a,3600,1,1.37,4,A100,machine\n"
                                             "2026-02-11T09:00:01,demo,b,3601,1,1.37,4,A100,machine\n"
                                             "2026-02-11T09:00:01,demo,c,3599,1,1.37,4,A100,machine\n"
                                             "2026-02-11T09:00:02,demo,d,3600,1,1.37,4,A100,machine\n"
                                             "2026-02-11T09:00:01,demo,e,3600,1,1.37,8,H100,machine\n"
                                             "2026-02-11T09:00:01,other,f,3600,1,1.37,4,A100,machine\n"
                                             "2026-02-11T09:00:01,demo,g,3600,1,1.37,4,A100,process\n");
    has_note("shared-device", 3);
    cell(0, "status", "");
    for (size_t row = 1; row < 5; row++)
        cell(row, "status", "shared-device");
    for (size_t row = 5; row < 8; row++)
        cell(row, "status", "");
    read_ok(&ws_format_codecarbon, RANK_HEAD "2026-02-11T08:10:00,demo,a,600,1,1.37,4,A100,machine\n"
                                             "2026-02-11T08:19:31,demo,b,600,1,1.37,4,A100,machine\n"); /* 29 s */
    has_note("shared-device", 0);
    read_ok(&ws_format_codecarbon, RANK_HEAD "2026-02-11T08:10:00,demo,a,600,1,1.37,4,A100,machine\n"
                                             "2026-02-11T08:19:29,demo,b,600,1,1.37,4,A100,machine\n"); /* 31 s */
    has_note("shared-device", 1);
}
END_TEST

START_TEST(codecarbon_with_semicolons)
{
    read_ok(&ws_format_codecarbon,
            "timestamp;project_name;run_id;duration;emissions;cpu_power;energy_consumed;country_name;gpu_model\n"
            "2026-02-11T08:00:10;demo;a1;10,5;1e-5;42,5;0,001;Norway;1 x X\n"
            "2026-02-11T08:00:20;demo;a1;20,5;1e-5;42,5;0,002;Norway;1 x X\n");
    ck_assert_uint_eq(table.n_rows, 1);
    cell(0, "energy_consumed", "0.002");
    cell(0, "duration", "20.5");
    has_note("no-energy", 0);
    has_note("cumulative-row", 1);
    has_note("decimal-comma", 2); /* of each column */
}
END_TEST

START_TEST(codecarbon_rows_of_another_version)
{
    read_ok(&ws_format_codecarbon, V2_HEAD "2026-02-11T08:00:10,demo,a1,10.5,1e-5,42.5,0.001,Norway,X\n"
                                           "2026-02-11T08:00:20,demo,b2,exp-7,5.5,1e-5,42.5,0.0005,Norway,X\n");
    cell(1, "duration", "5.5");
    cell(1, "energy_consumed", "0.0005");
    cell(1, "gpu_model", "X");
    has_note("shifted-row", 1);
    read_ok(&ws_format_codecarbon, V3_HEAD "2026-02-11T08:00:20,demo,b2,exp-7,5.5,1e-5,42.5,0.0005,Norway,X\n"
                                           "2026-02-11T08:00:10,demo,a1,10.5,1e-5,42.5,0.001,Norway,X\n" V3_HEAD);
    cell(1, "experiment_id", "");
    cell(1, "duration", "10.5");
    cell(1, "energy_consumed", "0.001");
    has_note("shifted-row", 1);
    has_note("repeated-header", 1);
}
END_TEST

START_TEST(codecarbon_odd_rows)
{
    read_ok(&ws_format_codecarbon, V2_HEAD "2026-02-11T08:00:10,demo,,10.5,1e-5,42.5,0.001,Norway,X\n"
                                           "2026-02-11T08:00:30,demo,,30.25,1e-5,42.5,0.003,Norway,X\n"
                                           "2026-02-11T09:00:00,demo,,5,1e-5,42.5,0.002,Norway,X,new,columns\n"
                                           "2026-02-11T09:00:01,demo,7,words,here,no,numbers,Norway,X,Y\n"
                                           "2026-02-11T09:00:10,demo,c3,10.5,1e");
    ck_assert_uint_eq(table.n_rows, 3); /* without an id rows are not joined */
    has_note("maybe-one-run", 1);
    cell(0, "status", "shared-device");
    cell(1, "status", "shared-device");
    cell(2, "status", "");
    has_note("extra-cells", 1);
    has_note("ragged-row", 1);
    has_note("truncated-line", 1);
    ws_table_free(&table);
    ck_assert(record_read_text(&table, &ws_format_codecarbon, "t.csv", "a,b\n1,2\n", &error) == WS_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.message, "energy_consumed"));
}
END_TEST

/* 4 GPUs x 100 W for 600 s: 400 W together, 0.0667 kWh. A table of runs takes gpu_power for the mean of one GPU. */
START_TEST(codecarbon_power_of_all_gpus)
{
    read_ok(&ws_format_codecarbon,
            "timestamp,project_name,run_id,duration,emissions,gpu_power,gpu_energy,energy_consumed,gpu_count,pue\n"
            "2026-02-11T08:10:00,demo,a1,600.0,1e-5,400.0,0.0667,0.1,4.0,1.5\n"
            "2026-02-11T08:20:00,demo,a2,600.0,1e-5,,0.0667,0.1,,1.0\n");
    cell(0, "gpu_power_total", "400");
    cell(0, "gpu_power", "?");
    cell(0, "gpu_count", "4");
    cell(0, "energy_consumed", "0.1"); /* pue is not on it */
    cell(1, "gpu_power_total", "");
    cell(1, "gpu_count", ""); /* unknown, and not none */
    has_note("repeated-header", 0);
}
END_TEST

/* The oldest files have no run_id and no powers; the newest have more columns behind those that are read. */
START_TEST(codecarbon_oldest_and_newest)
{
    read_ok(&ws_format_codecarbon, "timestamp,project_name,duration,emissions,energy_consumed\n"
                                   "2026-02-11T08:10:00,demo,600.0,1.2e-05,0.35\n"
                                   "2026-02-11T09:10:00,demo,500.0,1.2e-05,0.36\n");
    ck_assert_uint_eq(table.n_rows, 2); /* without an id no row replaces another */
    cell(1, "energy_consumed", "0.36");
    has_note("cumulative-row", 0);
    read_ok(&ws_format_codecarbon,
            "timestamp,project_name,run_id,experiment_id,duration,emissions,emissions_rate,energy_consumed,"
            "water_consumed,gpu_utilization_percent,pue,wue\n"
            "2026-02-11T08:10:00,demo,a1,e1,600.0,1.2e-05,2e-08,0.35,0.5,97.5,1.1,0.2\n");
    cell(0, "energy_consumed", "0.35");
    cell(0, "wue", "0.2");
    ck_assert_uint_eq(table.notes.n, 0);
}
END_TEST

/* A file without a last line end is whole when its row is; only the last cell is in doubt. */
START_TEST(codecarbon_without_final_line_end)
{
    read_ok(&ws_format_codecarbon, V2_HEAD "2026-02-11T08:00:10,demo,a1,10.5,1e-5,42.5,0.001,Norway,X");
    ck_assert_uint_eq(table.n_rows, 1);
    cell(0, "energy_consumed", "0.001");
    has_note("truncated-line", 1);
}
END_TEST

/* --- Slurm's database --- */

START_TEST(slurm_log_times_and_resources)
{
    read_ok(&ws_format_slurm_log,
            "id_job,nodes_alloc,nodelist,state,timelimit,time_start,time_end,tres_alloc\n"
            "4100000000001.0,2,n1,3,4294967295,1770796800,1770800400,\"1=20,2=170000,3=7200,4=2,5=20,1001=2,1002=2\"\n"
            "4100000000002.0,1,n1,6,60,1770796800,0,\"1=10,3=18446744073709551614,4=1\"\n"
            "4100000000003.0,1,n1,99,60,0,0,\n");
    cell(0, "elapsed_s", "3600");
    cell(0, "start", "2026-02-11T08:00:00Z");
    cell(0, "status", "COMPLETED"); /* as a table of runs has it */
    cell(0, "state", "3");
    cell(0, "cpus", "20");
    cell(0, "gpus", "4");
    cell(0, "nodes", "2");
    cell(0, "energy_j", "7200");
    cell(0, "timelimit_s", ""); /* unlimited */
    cell(1, "timelimit_s", "3600");
    cell(1, "elapsed_s", ""); /* not ended: missing, not negative */
    cell(1, "energy_j", "");
    cell(1, "gpus", "");
    cell(2, "status", "");
    has_note("energy-sentinel", 1);
    has_note("rounded-id", 3);
    cell(0, "job", "4100000000001");
}
END_TEST

START_TEST(slurm_log_that_is_cut)
{
    read_ok(&ws_format_slurm_log, "id_job,nodes_alloc,nodelist,state,timelimit,time_start,time_end,tres_alloc\n"
                                  "1,1,n1,3,60,1770796800,1770800400,\"1=20,4=1\"\n2,1,n1,3,60,1770796800,17708");
    ck_assert_uint_eq(table.n_rows, 1);
    has_note("truncated-line", 1);
}
END_TEST

/* --- power limits --- */

START_TEST(power_limits_with_the_energy_of_an_epoch)
{
    read_ok(&ws_format_zeus_sweep, "dataset,network,batch_size,optimizer,power_limit,time_per_epoch,average_power\n"
                                   "c,net,1024,sgd,100,10.5,80\nc,net,1024,sgd,125,nan,90\nc,net,1024,sgd,15");
    cell(0, "epoch_energy_j", "840");
    cell(1, "epoch_energy_j", "");
    ck_assert_uint_eq(table.n_rows, 2);
    has_note("truncated-line", 1);
}
END_TEST

/* --- carbontracker --- */

START_TEST(carbontracker_reports_what_was_measured)
{
    read_ok(&ws_format_carbontracker_output,
            "2026-02-11 08:10:37 - CarbonTracker:\nActual consumption for 1 epoch(s):\n\tTime:\t0:03:33\n"
            "\tEnergy:\t0.014018 kWh\n\tCO2eq:\t1.429803 g\n\tThis is equivalent to:\n\t0.011875 km travelled by car\n"
            "2026-02-11 08:10:37 - CarbonTracker:\nPredicted consumption for 100 epoch(s):\n\tTime:\t5:55:00\n"
            "\tEnergy:\t1.4018 kWh\nActual consumption for 2 epoch(s):\n\tTime:\tlong\n\tEnergy:\t0.028 kW");
    ck_assert_uint_eq(table.n_rows, 2);
    cell(0, "epochs", "1");
    cell(0, "wall_s", "213");
    cell(0, "energy_kwh", "0.014018"); /* and not what is predicted */
    cell(0, "emissions_g", "1.429803");
    cell(1, "energy_kwh", "");
    has_note("prediction", 1);
    has_note("with-pue", 1);
    has_note("unreadable-cell", 1);
    has_note("truncated-line", 1);
}
END_TEST

/* "1,234" may be one and a bit or a thousand: missing, and told. */
START_TEST(carbontracker_of_a_day)
{
    read_ok(&ws_format_carbontracker_output, "Actual consumption for 1000 epoch(s):\n\tTime:\t1 day, 2:52:22\n"
                                             "\tEnergy:\t1,234.038168 kWh\n\tCO2eq:\t4,096.665 g\n");
    cell(0, "wall_s", "96742");
    cell(0, "energy_kwh", "");
    cell(0, "emissions_g", "");
    has_note("unreadable-cell", 2);
}
END_TEST

/* --- trainer_state.json --- */

#define TRAINER_LOG                                                                                                  \
    "{\"best_metric\": null, \"epoch\": 3.0, \"global_step\": 1200, \"num_train_epochs\": 3, \"train_batch_size\": " \
    "8, "                                                                                                            \
    "\"log_history\": [{\"loss\": 1.5, \"epoch\": 1.0, \"step\": 400}, "                                             \
    "{\"eval_loss\": 0.5, \"eval_runtime\": 10.5, \"epoch\": 1.0, \"step\": 400}, "                                  \
    "{\"loss\": 0.75, \"epoch\": 2.0, \"step\": 800}"

START_TEST(trainer_state_of_a_finished_run)
{
    read_ok(&ws_format_trainer_state, TRAINER_LOG ", {\"train_runtime\": 1000.5, \"train_loss\": 1.0, "
                                                  "\"train_samples_per_second\": 9.5, \"step\": 1200}]}");
    ck_assert_uint_eq(table.n_rows, 1);
    cell(0, "train_runtime", "1000.5");
    cell(0, "num_train_epochs", "3");
    cell(0, "train_batch_size", "8");
    cell(0, "loss", "0.75"); /* the last one */
    cell(0, "eval_runtime", "10.5");
    cell(0, "epoch", "3"); /* of the run, not of its last record */
    cell(0, "records", "4");
    cell(0, "best_metric", "?");
    has_note("no-run-time", 0);
}
END_TEST

/* A checkpoint has no train_runtime, which is missing and neither 0 nor that of the evaluation. */
START_TEST(trainer_state_of_a_checkpoint_and_cut)
{
    read_ok(&ws_format_trainer_state, TRAINER_LOG "]}");
    cell(0, "train_runtime", "?");
    has_note("no-run-time", 1);
    ws_table_free(&table);
    ck_assert_int_eq(
        record_read_text(&table, &ws_format_trainer_state, "t.json", TRAINER_LOG ", {\"train_runtime\": 10", &error),
        WS_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.message, "the file is cut"));
}
END_TEST

/* --- sacct --- */

START_TEST(sacct_limits_times_and_memory)
{
    read_ok(&ws_format_sacct, "JobID|State|AllocCPUS|Timelimit|TotalCPU|Submit|MaxRSS|ReqMem\n"
                              "7|COMPLETED|32|1-00:00:00|12:53.010|2026-02-11T07:00:00|108200K|100Mc\n"
                              "8|TIMEOUT|1|UNLIMITED|||1.5G|4Gn\n");
    cell(0, "cpus", "32");
    cell(0, "timelimit_s", "86400");
    cell(0, "cpu_time_s", "773.01");
    cell(0, "submit", "2026-02-11T07:00:00");
    cell(0, "max_rss_b", "110796800");
    cell(0, "requested_memory", "100Mc");
    cell(1, "timelimit_s", "");
    cell(1, "cpu_time_s", "");
    cell(1, "max_rss_b", "1610612736");
}
END_TEST

/* 4581234 J, rounded to 4.58M beside it; 2.5 billion J; arrays as they stand before they are split; an energy among the
 * resources is no GPU. */
START_TEST(sacct_energies_and_arrays)
{
    read_ok(&ws_format_sacct, "JobID|State|Elapsed|ElapsedRaw|AllocTRES|ConsumedEnergy|ConsumedEnergyRaw\n"
                              "7|COMPLETED|00:10:00|600|cpu=1,energy=4.58M,gres/gpu:a100=4,gres/gpu=4|4.58M|4581234\n"
                              "8|COMPLETED|10:00|600|cpu=1,energy=99|2.5G|\n"
                              "9_[5-9]|PENDING|00:00:00|0|||\n9_1.extern|COMPLETED|2-00:00:01|172801||1.5K|\n");
    cell(0, "energy_j", "4581234");
    cell(0, "gpus", "4");
    cell(1, "energy_j", "2500000000");
    cell(1, "elapsed_s", "600");
    cell(1, "gpus", "");
    cell(2, "job", "9_[5-9]");
    cell(2, "energy_j", "");
    cell(3, "job", "9_1");
    cell(3, "step", "extern");
    cell(3, "energy_j", "1500");
    cell(3, "elapsed_s", "172801");
}
END_TEST

/* --- files of settings --- */

static bool has_column(const char *name)
{
    size_t column;
    return ws_table_find(&table, name, &column);
}

START_TEST(settings_of_a_command_line)
{
    file_name = "a/overrides.yaml";
    read_ok(&ws_format_settings, "- gpus=4\n- +trainer.lr=3e-4\n- ~callbacks\n- ++name='a b'\n- list=[1,2]\n- plain\n");
    ck_assert_uint_eq(table.n_rows, 1);
    ck_assert_uint_eq(table.n_columns, 3);
    cell(0, "gpus", "4");
    cell(0, "trainer.lr", "3e-4");
    cell(0, "name", "a b");
}
END_TEST

/* One level of groups and no more; lists, blocks, anchors and empty values are passed over. */
START_TEST(settings_in_flat_yaml)
{
    file_name = "a/hparams.yaml";
    read_ok(&ws_format_settings, "# settings\r\nbatch_size: 64  # of all\r\nurl: \"http://a: b # c\"\r\ntrainer:\r\n"
                                 "  epochs: 10\r\n  callbacks:\r\n    seed: 99\r\n  lr: 0.1\r\nempty: null\r\n"
                                 "other: ~\r\nlist: [1, 2]\r\ntext: |\r\n  gpus: 8\r\nseed: 7\r\nseed: 8\r\n");
    cell(0, "batch_size", "64");
    cell(0, "url", "http://a: b # c");
    cell(0, "trainer.epochs", "10");
    cell(0, "trainer.lr", "0.1");
    cell(0, "seed", "7");
    ck_assert(!has_column("trainer.callbacks") && !has_column("empty") && !has_column("other") && !has_column("list") &&
              !has_column("trainer.seed") && !has_column("gpus") && !has_column("text"));
}
END_TEST

START_TEST(settings_of_trackers)
{
    file_name = "a/config.yaml";
    read_ok(&ws_format_settings,
            "wandb_version: 1\n\nlr:\n  desc: null\n  value: 0.1\n_wandb:\n  desc: null\n  value:\n"
            "    seed: 3\n");
    cell(0, "lr", "0.1");
    ck_assert(!has_column("lr.desc") && !has_column("_wandb") && !has_column("seed"));
    file_name = "a/params.json";
    read_ok(&ws_format_settings,
            "{\"lr\": 0.1, \"net\": {\"depth\": 50, \"more\": {\"x\": 1}}, \"amp\": true, \"none\": null}");
    cell(0, "lr", "0.1");
    cell(0, "net.depth", "50");
    cell(0, "amp", "true");
    ck_assert(!has_column("none") && !has_column("net.more"));
}
END_TEST

START_TEST(settings_in_a_lock_of_stages)
{
    const char *text = "schema: '2.0'\nstages:\n  prepare:\n    cmd: python prepare.py\n    deps:\n    - path: raw\n"
                       "      size: 99\n  train:\n    cmd: python train.py\n    params:\n      params.yaml:\n"
                       "        seed: 7\n        train.lr: 0.1\n    outs:\n    - path: model.pt\n      size: 3\n";
    ck_assert_int_gt(ws_format_settings.score("exp-a/dvc.lock", ws_span_of(text)), 0);
    ws_table_free(&table);
    ck_assert_int_eq(record_read_text(&table, &ws_format_settings, "exp-a/dvc.lock", text, &error), WS_OK);
    ck_assert_uint_eq(table.n_columns, 2);
    cell(0, "seed", "7");
    cell(0, "train.lr", "0.1");
}
END_TEST

START_TEST(settings_are_known_by_their_names)
{
    ws_span yaml = ws_span_of("lr: 0.1\n"), prose = ws_span_of("nothing here\n"), json = ws_span_of("{\"lr\": 0.1}");
    ck_assert_int_gt(ws_format_settings.score("a/params.yaml", yaml), 0);
    ck_assert_int_gt(ws_format_settings.score("a/params.json", json), 0);
    ck_assert_int_eq(ws_format_settings.score("a/dvc.yaml", yaml), 0);
    ck_assert_int_eq(ws_format_settings.score("a/my-params.yaml", yaml), 0);
    ck_assert_int_eq(ws_format_settings.score("a/params.yaml", prose), 0);
    ck_assert_int_eq(ws_format_settings.score("a/params.json", yaml), 0);
}
END_TEST

TEST_MAIN("run tables", settings_of_a_command_line, settings_in_flat_yaml, settings_of_trackers,
          settings_in_a_lock_of_stages, settings_are_known_by_their_names, codecarbon_keeps_the_last_row_of_a_run,
          codecarbon_runs_of_one_id, codecarbon_tasks, codecarbon_run_that_follows_at_once, codecarbon_rows_of_ranks,
          codecarbon_with_semicolons, codecarbon_rows_of_another_version, codecarbon_odd_rows,
          codecarbon_without_final_line_end, codecarbon_power_of_all_gpus, codecarbon_oldest_and_newest,
          slurm_log_times_and_resources, slurm_log_that_is_cut, power_limits_with_the_energy_of_an_epoch,
          carbontracker_reports_what_was_measured, carbontracker_of_a_day, sacct_limits_times_and_memory,
          trainer_state_of_a_finished_run, trainer_state_of_a_checkpoint_and_cut, sacct_energies_and_arrays)
