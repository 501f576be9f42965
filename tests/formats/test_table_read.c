#include "harness.h"
#include "note_named.h"

#include "record.h"

#include <math.h>

extern const ws_format ws_format_table_csv, ws_format_table_json;
static const ws_format *const csv = &ws_format_table_csv;
static const ws_format *const json = &ws_format_table_json;

/* The table as "name:kind,..." and a line of cells a row, so that a case is one comparison. */
static void dump(const ws_table *t, char *out, size_t size)
{
    static const char kinds[] = "nit"; /* WS_NUMBER, WS_INTEGER, WS_TEXT */
    char buffer[WS_DOUBLE_TEXT];
    size_t at = 0;
    out[0] = '\0';
    for (size_t c = 0; c < t->n_columns; c++)
        at += (size_t)snprintf(out + at, size - at, "%s%s:%c", c ? " " : "", t->columns[c].name,
                               kinds[t->columns[c].kind]);
    for (size_t row = 0; row < t->n_rows; row++) {
        at += (size_t)snprintf(out + at, size - at, "\n");
        for (size_t c = 0; c < t->n_columns; c++)
            at += (size_t)snprintf(out + at, size - at, "%s%s", c ? "|" : "",
                                   ws_table_is_missing(t, c, row) ? "?" : ws_table_cell_text(t, c, row, buffer));
    }
}

static const struct {
    const char *text, *want, *code; /* the note that the text gives, or NULL */
} tables[] = {
    {"gpus,energy_kwh,device\n4,0.5,A100\n8,1,H100\n", "gpus:i energy_kwh:n device:t\n4|0.5|A100\n8|1|H100", NULL},
    {"gpus;wall_s\n4;1.5\n", "gpus:i wall_s:n\n4|1.5", NULL},
    {"gpus\twall_s\r\n4\t1e3\r\n", "gpus:i wall_s:n\n4|1000", NULL},
    {"gpus|name\n4|a,b,c\n", "gpus:i name:t\n4|a,b,c", NULL},
    {"a\n1\n2\n", "a:i\n1\n2", NULL},
    {"# of May, gpus; and more\n# again\n\ngpus,name\n4,x\n", "gpus:i name:t\n4|x", NULL},
    {"\xef\xbb\xbfgpus,name\n4,x\n", "gpus:i name:t\n4|x", NULL},
    {",model\n0,llama\n", "#1:i model:t\n0|llama", NULL},
    {"a,a,a_2,a\n1,2,3,4\n", "a:i a_2:i a_2_2:i a_3:i\n1|2|3|4", "duplicate-column"},
    {"a,b\n1,[N/A]\n,2.5\n", "a:i b:n\n1|?\n?|2.5", NULL},
    {"a,b\n,\n1,\n", "a:i b:n\n1|?", NULL},
    {"codec,x\nnone,1\nzstd,None\nn/a,2\n", "codec:t x:i\nnone|1\nzstd|?\n?|2", NULL},
    {"job,id\n007,12345678901234567890\n8,1\n", "job:t id:t\n007|12345678901234567890\n8|1", NULL},
    {"x\n0\n-0.5\n0.25\n", "x:n\n0\n-0.5\n0.25", NULL},
    {"name,x\n\"a, \"\"b\"\"\",1\n\"two\nlines\",2\n", "name:t x:i\na, \"b\"|1\ntwo\nlines|2", NULL},
    {"\"Step\",\"run - val/acc\",\"run - val/acc__MIN\"\n\"0\",\"0.5\",\"0.25\"\n\"10\",\"\",\"\"\n",
     "Step:i run - val/acc:n run - val/acc__MIN:n\n0|0.5|0.25\n10|?|?", NULL}, /* a chart of Weights & Biases */
    {"epoch,step,val_loss\n0,49,\n,99,0.5\n", "epoch:i step:i val_loss:n\n0|49|?\n?|99|0.5", NULL}, /* Lightning */
    {"\"a;b\",c\n1,2\n", "a;b:i c:i\n1|2", NULL},
    {"a,b\n1,2\n3\n4,5,6\n7,8\n", "a:i b:i\n1|2\n7|8", "ragged-row"},
    {"a,b\n1,2,\n3,4,\n", "a:i b:i\n1|2\n3|4", NULL},
    {"a,b\n1,2\n3", "a:i b:i\n1|2", "truncated-line"},
    {"a,b\n1,2\n3,4", "a:i b:i\n1|2\n3|4", "truncated-line"}, /* 4 may have been 45, or the line end left out */
    {"a,b\n1,2\n3,", "a:i b:i\n1|2\n3|?", NULL},
    {"a,b\n1,2,\n3,4,", "a:i b:i\n1|2\n3|4", NULL},
    {"|gpus|time[s]|\n|---:|------:|\n|4|100.5|\n|8|-|\n", "#1:n gpus:i time[s]:n #4:n\n?|4|100.5|?\n?|8|?|?", NULL},
    {"a;b\n1;2,5\n2;3,25\n", "a:i b:n\n1|2.5\n2|3.25", "decimal-comma"},
    {"a;b\n1;1.234,5\n2;1.234\n3;7\n4;12.345.678\n", "a:i b:n\n1|1234.5\n2|1234\n3|7\n4|12345678", "decimal-comma"},
    {"a;b\n1;\"1,234.5\"\n2;0.25\n3;\n", "a:i b:n\n1|1234.5\n2|0.25\n3|?", "decimal-comma"},
    {"a;b\n1;1,234\n2;1,234,567\n", "a:i b:t\n1|1,234\n2|1,234,567", NULL},
    {"a;b\n1;1,234.5\n2;12,34.5\n", "a:i b:t\n1|1,234.5\n2|12,34.5", NULL},
    {"a;b\n1;1,234.5\n2;1234,567.5\n", "a:i b:t\n1|1,234.5\n2|1234,567.5", NULL},
    /* numbers of 39 signs, and of 40 */
    {"a;b\n1;\"1,234,567,890,123,456,789,012,345.12345\"\n2;1\n", "a:i b:n\n1|1.2345678901234568e+24\n2|1",
     "decimal-comma"},
    {"a;b\n1;\"1,234,567,890,123,456,789,012,345.123456\"\n2;1\n",
     "a:i b:t\n1|1,234,567,890,123,456,789,012,345.123456\n2|1", NULL},
    {"a\tb\n1\t-0,5\n2\t[N/A]\n3\t4\n", "a:i b:n\n1|-0.5\n2|?\n3|4", "decimal-comma"},
    {"a;b\n1;2,5\n2;3.5\n", "a:i b:t\n1|2,5\n2|3.5", NULL},
    {"a;b\n1;2,5\n2;3,5,1\n", "a:i b:t\n1|2,5\n2|3,5,1", NULL},
    {"a,b\n", "a:n b:n", NULL},
    {"a,b\n1,2\nb,a\n4,3\na,b\n5,6\n", "a:i b:i\n1|2\n3|4\n5|6", "repeated-header"},
    {"a,b,c\n1,2,x\nb,a,b\n", "a:t b:t c:t\n1|2|x\nb|a|b", NULL}, /* not every name once */
    {"gpus,time,energy\n,s,(kWh)\n1,2,3\n", "gpus:i time [s]:i energy [kWh]:i\n1|2|3", NULL},
    {"a,b\n1,2\n,s\n", "a:i b:t\n1|2\n?|s", NULL}, /* units stand below the head alone */
    {"A study,,\n,,\na,b,c\n1,2,3\n", "a:i b:i c:i\n1|2|3", NULL},
    {"x,\n1,\n", "x:i #2:n\n1|?", NULL},
};

START_TEST(csv_tables)
{
    char got[600];
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        ws_table t;
        ws_error error = {0};
        ck_assert_msg(record_read_text(&t, csv, "t.csv", tables[i].text, &error) == WS_OK, "case %zu: %s", i,
                      error.message);
        dump(&t, got, sizeof got);
        ck_assert_msg(strcmp(got, tables[i].want) == 0, "case %zu gives\n%s\nnot\n%s", i, got, tables[i].want);
        ck_assert_msg((t.notes.n > 0) == (tables[i].code != NULL), "case %zu has %zu notes", i, t.notes.n);
        ck_assert_msg(!tables[i].code || note_named(&t.notes, tables[i].code), "case %zu", i);
        ws_table_free(&t);
    }
}
END_TEST

START_TEST(rows_know_their_lines)
{
    ws_table t;
    ws_error error = {0};
    char place[320];
    ck_assert_int_eq(record_read_text(&t, csv, "t.csv", "# c\na,b\n\"1\n1\",2\n\n3,4\n5\n", &error), WS_OK);
    ck_assert_str_eq(ws_table_place(&t, 0, place), "t.csv:3");
    ck_assert_str_eq(ws_table_place(&t, 1, place), "t.csv:6");
    ck_assert_int_eq(ws_notes_find(&t.notes, WS_FINDING_RAGGED_ROW)->line, 7);
    ws_table_free(&t);
}
END_TEST

START_TEST(csv_that_is_no_table)
{
    static const struct {
        const char *text;
        ws_status status;
        const char *message;
    } bad[] = {
        {"", WS_DATA, "t.csv: has no line of column names"},
        {"# only a comment\n", WS_DATA, "t.csv: has no line of column names"},
        {"1,2\n3,4\n", WS_FORMAT, "t.csv:1: the first line holds numbers where column names are needed"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_table t;
        ws_error error = {0};
        ck_assert_int_eq(record_read_text(&t, csv, "t.csv", bad[i].text, &error), bad[i].status);
        ck_assert_str_eq(error.message, bad[i].message);
        ws_table_free(&t);
    }
}
END_TEST

static const struct {
    const char *text, *want;
} objects[] = {
    {"{\"schema\":\"wattscale.runs/1\",\"rows\":[{\"gpus\":4,\"energy_kwh\":0.5},{\"gpus\":8,\"energy_kwh\":null}],"
     "\"notes\":[]}",
     "gpus:i energy_kwh:n\n4|0.5\n8|?"},
    {"[{\"gpus\": 4},\n {\"gpus\": 8, \"name\": \"x\"}]", "gpus:i name:t\n4|?\n8|x"},
    {"{\"gpus\":4,\"config\":{\"lbs\":256,\"opt\":{\"lr\":1e-05}}}\n{\"gpus\":8}\n",
     "gpus:i config.lbs:i config.opt.lr:n\n4|256|1e-05\n8|?|?"},
    {"{\n  \"acc\": NaN,\n  \"text\": \"NaN \\\" NaN\",\n  \"x\": [1, 2],\n  \"inf\": -Infinity,\n  \"ok\": true\n}\n",
     "text:t ok:t\nNaN \" NaN|true"},
    {"[{\"x\": 0.1}, {\"x\": 12345678901}]", "x:n\n0.1\n12345678901"},
    {"[]", ""},
};

START_TEST(json_tables)
{
    char got[600];
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        ws_table t;
        ws_error error = {0};
        ck_assert_msg(record_read_text(&t, json, "t.json", objects[i].text, &error) == WS_OK, "case %zu: %s", i,
                      error.message);
        dump(&t, got, sizeof got);
        ck_assert_msg(strcmp(got, objects[i].want) == 0, "case %zu gives\n%s\nnot\n%s", i, got, objects[i].want);
        ws_table_free(&t);
    }
}
END_TEST

START_TEST(json_keeps_name_notes_and_lines)
{
    ws_table t;
    ws_error error = {0};
    char place[320];
    ck_assert_int_eq(
        record_read_text(&t, json, "t.json",
                         "{\"schema\":\"wattscale.runs/1\",\"rows\":[{\"a\":1},{\"a\":2}],\"notes\":"
                         "[{\"code\":\"gap\",\"source\":\"g.csv\",\"subject\":\"gpu0\",\"line\":7,\"count\":"
                         "3,\"text\":\"a long gap\"}]}",
                         &error),
        WS_OK);
    ck_assert_str_eq(t.name, "runs");
    const ws_note *note = ws_notes_find(&t.notes, WS_FINDING_GAP);
    ck_assert(note && note->count == 3 && note->line == 7);
    ck_assert_str_eq(note->subject, "gpu0");
    /* where a row stands inside a list is not known, and not invented */
    ck_assert_str_eq(ws_table_place(&t, 1, place), "row 2");
    ws_table_free(&t);

    ck_assert_int_eq(record_read_text(&t, json, "t.jsonl", "{\"a\":1}\n\n{\"a\":\n2}\n{\"a\":3}\n{\"a\":", &error),
                     WS_OK);
    ck_assert_uint_eq(t.n_rows, 3);
    ck_assert_str_eq(ws_table_place(&t, 2, place), "t.jsonl:5");
    ck_assert_int_eq(ws_notes_find(&t.notes, WS_FINDING_TRUNCATED_LINE)->line, 6);
    ws_table_free(&t);
}
END_TEST

START_TEST(json_that_is_no_table)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"[{\"a\":1},\n 5]", "t.json:1: a row is not an object like {\"gpus\": 4}"},
        {"{\"schema\":\"wattscale.runs/2\",\"rows\":[]}",
         "t.json:1: schema 'wattscale.runs/2' is not known: version 1 can "
         "be read"},
        {"{\"a\":1}\n{\"a\":,}\n", "t.json:2: is no valid JSON: unexpected token near ','"},
        {"[{\"a\":1}", "t.json:1: is no valid JSON: ']' expected near end of file"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_table t;
        ws_error error = {0};
        ck_assert_int_eq(record_read_text(&t, json, "t.json", bad[i].text, &error), WS_FORMAT);
        ck_assert_str_eq(error.message, bad[i].message);
        ws_table_free(&t);
    }
}
END_TEST

START_TEST(recognition)
{
    ck_assert_int_gt(csv->score("t", ws_span_of("gpus,energy_kwh\n")), 50);
    ck_assert_int_gt(csv->score("t", ws_span_of("timestamp,watts\n")), 0);
    ck_assert_int_lt(csv->score("t", ws_span_of("timestamp,watts\n")), 20);
    ck_assert_int_eq(csv->score("t", ws_span_of("plain words\n")), 0);
    ck_assert_int_eq(csv->score("t", ws_span_of("Well, this is prose.\nIt goes on, and on, and on.\n")), 0);
    ck_assert_int_eq(csv->score("README.md", ws_span_of("Real files, of many kinds.\nSee there, or here.\n")), 0);
    ck_assert_int_eq(csv->score("t", ws_span_of("2.5,60\n2.6,61\n")), 0);
    ck_assert_int_eq(csv->score("t", ws_span_of("")), 0);
    ck_assert_int_gt(json->score("t", ws_span_of(objects[0].text)), 90);
    ck_assert_int_gt(json->score("t", ws_span_of(" [ {\"a\":1}]")), 0);
    ck_assert_int_eq(json->score("t", ws_span_of("[1, 2]")) + json->score("t", ws_span_of("gpus,x\n")), 0);
}
END_TEST

/* Real files; counts by an independent script (fixtures/truth_records.csv). */
START_TEST(real_files)
{
    const char *corpus = getenv("CORPUS");
    char path[1000];
    ws_table t;
    ws_error error = {0};
    if (!corpus)
        skip_because("CORPUS is not set");
    snprintf(path, sizeof path, "%s/fixtures/run-metadata/training_campaign_nodes_repeats.csv", corpus);
    ck_assert_int_eq(record_read_path(&t, csv, path, &error), WS_OK);
    ck_assert_uint_eq(t.n_rows, 41);
    ck_assert_str_eq(record_cell(&t, 40, "model"), "stable_diffusion");
    ck_assert_str_eq(record_cell(&t, 40, "slurmid"), "10743005");
    ck_assert_int_eq(ws_table_column(&t, "nodes")->kind, WS_INTEGER);
    ws_table_free(&t);

    snprintf(path, sizeof path, "%s/fixtures/run-metadata/wandb_export_wide.csv", corpus);
    ck_assert_int_eq(record_read_path(&t, csv, path, &error), WS_OK);
    ck_assert_uint_eq(t.n_rows, 119);
    ck_assert_uint_eq(t.n_columns, 25);
    size_t missing = 0;
    for (size_t c = 0; c < t.n_columns; c++)
        for (size_t row = 0; row < t.n_rows; row++)
            missing += ws_table_is_missing(&t, c, row);
    ck_assert_uint_eq(missing, 393);
    ck_assert_str_eq(record_cell(&t, 118, "gpt2 - train/loss"), "3.3648016452789307");
    ws_table_free(&t);
}
END_TEST

TEST_MAIN("tables read", csv_tables, rows_know_their_lines, csv_that_is_no_table, json_tables,
          json_keeps_name_notes_and_lines, json_that_is_no_table, recognition, real_files)
