/* A thread of the leader does nothing but pass messages on (post). It writes to a rank only while that one waits for
 * work, and a rank writes only to the leader, so that no two of them ever wait for each other. */
#define _POSIX_C_SOURCE 200809L
#include "analyze/mpi_ranks.h"

#include "core/parallel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_HELLO = 1, MESSAGE_WORK, MESSAGE_ANSWERS, MESSAGE_END };
enum {
    BUNDLES_A_RANK = 4,     /* of what is left, for each rank to come */
    MOST_ITEMS = 256,       /* of a bundle */
    LARGE_SHARE = 16,       /* an item is large from this part of a rank's fair share on */
    FULL_MESSAGE = 1 << 20, /* bytes of answers that go together at most, but for a longer one */
    LONGEST_ANSWER = WS_RANK_LONGEST - FULL_MESSAGE, /* a longer one the leader reads itself */
    MOST_WAITING = 256 << 20,                        /* bytes of answers before nothing is handed out any more */
    NAP_LEAST_NS = 20000,                            /* between two looks for a message */
    NAP_MOST_NS = 1000000
};

static ws_ranks_setup here = {.n = 1};
static ws_rank_counts counts;
static double began_s;
static bool is_in_round;            /* the messages of a round do not say of which */
static char (*hosts)[WS_RANK_HOST]; /* of the leader: one a rank */

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

ws_rank_counts ws_ranks_count(void)
{
    counts.seconds = now_s() - began_s;
    return counts;
}

unsigned ws_ranks_n(void)
{
    return (unsigned)here.n;
}

/* Waits a little longer each time: messages come in crowds. */
static void nap(long *ns)
{
    struct timespec t = {0, *ns};
    nanosleep(&t, NULL);
    *ns = *ns * 2 > NAP_MOST_NS ? NAP_MOST_NS : *ns * 2;
}

static void wait_for_message(int *from, unsigned char **bytes, size_t *n)
{
    long ns = NAP_LEAST_NS;
    while (!here.transport->receive(from, bytes, n))
        nap(&ns);
}

/* --- messages: numbers of eight bytes, least first, and bytes --- */

typedef struct letter {
    unsigned char *bytes;
    size_t n, capacity;
    size_t at; /* reading */
    bool failed;
} letter;

static void put_bytes(letter *l, const void *bytes, size_t n)
{
    l->bytes = ws_grow(l->bytes, &l->capacity, l->n + n + 1, 1);
    memcpy(l->bytes + l->n, n ? bytes : "", n);
    l->n += n;
}

enum { NUMBER_BYTES = 8 };

static void put_number(letter *l, uint64_t number)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    put_bytes(l, bytes, sizeof bytes);
}

static uint64_t get_number(letter *l)
{
    uint64_t number = 0;
    l->failed |= l->n - l->at < 8;
    for (int i = 0; i < 8 && !l->failed; i++)
        number |= (uint64_t)l->bytes[l->at++] << (8 * i);
    return number;
}

/* --- the leader --- */

typedef enum item_state {
    FREE,
    GONE,   /* to a rank, or being read by a thread of the leader for another one */
    DONE,   /* the answer is there */
    AT_HOME /* for who awaits it */
} item_state;

typedef struct item {
    item_state state;
    uint64_t size;
    ws_rank_answer answer;
} item;

struct ws_rank_round {
    ws_rank_task task;
    item *items;
    size_t n, *order, next; /* order[next..]: those that nobody has, and some that somebody has */
    uint64_t left, waiting; /* bytes: of items that are free, and of answers that nobody took yet */
    size_t *owed;           /* answers of each rank that are still to come */
    bool ends;
    pthread_t post;
    bool has_post;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static bool is_equal(letter *message, const char *ours)
{
    size_t n = (size_t)get_number(message);
    bool same = !message->failed && n == strlen(ours) && message->n - message->at >= n &&
                memcmp(message->bytes + message->at, ours, n) == 0;
    message->at += message->failed || n > message->n - message->at ? message->n - message->at : n;
    return same;
}

bool ws_ranks_lead(const ws_ranks_setup *setup, ws_error *error)
{
    here = *setup;
    began_s = now_s();
    counts = (ws_rank_counts){0};
    bool fits = true;
    hosts = ws_alloc((size_t)here.n * sizeof *hosts);
    for (int i = 1; i < here.n; i++) {
        letter message = {0};
        int from = 0;
        wait_for_message(&from, &message.bytes, &message.n);
        bool is_hello = get_number(&message) == MESSAGE_HELLO;
        bool same_program = is_equal(&message, here.program), same_line = is_equal(&message, here.arguments);
        if (from > 0 && from < here.n)
            snprintf(hosts[from], sizeof hosts[from], "%.*s", (int)(message.n - message.at),
                     (const char *)message.bytes + message.at);
        if (fits && !(is_hello && same_program))
            ws_fail(error, WS_USAGE, "rank %d on %s is another wattscale: all nodes need the same", from, hosts[from]);
        else if (fits && !same_line)
            ws_fail(error, WS_USAGE,
                    "rank %d was started with other arguments: ranks work on one command together (WATTSCALE_MPI=no "
                    "makes each a program of its own)",
                    from);
        fits = fits && is_hello && same_program && same_line;
        free(message.bytes);
    }
    return fits;
}

void ws_ranks_dismiss(void)
{
    letter message = {0};
    put_number(&message, MESSAGE_END);
    for (int i = 1; i < here.n; i++)
        here.transport->send(i, message.bytes, message.n);
    free(message.bytes);
    free(hosts);
    hosts = NULL;
    here = (ws_ranks_setup){.n = 1};
}

void ws_ranks_abort(int status)
{
    if (here.n > 1)
        here.transport->abort(status);
}

/* With the lock held. SIZE_MAX: nobody's is left. */
static size_t take_free(ws_rank_round *r)
{
    while (r->next < r->n && r->items[r->order[r->next]].state != FREE)
        r->next++;
    if (r->next == r->n)
        return SIZE_MAX;
    size_t i = r->order[r->next++];
    r->items[i].state = GONE;
    r->left -= r->items[i].size;
    return i;
}

/* With the lock held. */
static void set_answer(ws_rank_round *r, size_t i, const ws_rank_answer *answer)
{
    bool is_answer = answer->packed.bytes && !*answer->refusal;
    r->items[i].answer = *answer;
    r->items[i].state = is_answer ? DONE : AT_HOME;
    r->waiting += is_answer ? answer->packed.n : 0;
    pthread_cond_broadcast(&r->changed);
}

/* One of the answers of a message. */
static void take_answer(ws_rank_round *r, int from, letter *message)
{
    uint64_t i = get_number(message);
    bool is_answer = get_number(message);
    ws_rank_answer answer = {.plain_lines = get_number(message), .other_lines = get_number(message)};
    uint64_t n = get_number(message);
    message->failed |= n > message->n - message->at || i >= r->n;
    if (message->failed)
        return;
    const char *text = (const char *)message->bytes + message->at;
    if (is_answer) {
        answer.packed = (ws_packed){ws_alloc(n + 1), n};
        memcpy(answer.packed.bytes, text, n);
    } else if (n) /* without a text it is no fault of the rank's */
        snprintf(answer.refusal, sizeof answer.refusal, "%s: %.*s", hosts[from], (int)n, text);
    message->at += n;
    bool is_folder = r->task.kind == WS_RANK_FOLDERS;
    counts.items_elsewhere += is_answer && !is_folder;
    counts.folders_elsewhere += is_answer && is_folder;
    counts.answer_bytes += is_folder ? 0 : answer.packed.n;
    if (r->items[i].state == GONE)
        set_answer(r, (size_t)i, &answer);
    else
        free(answer.packed.bytes);
    r->owed[from] -= r->owed[from] > 0;
}

static void take_answers(ws_rank_round *r, int from, letter *message)
{
    if (from < 1 || from >= here.n || get_number(message) != MESSAGE_ANSWERS)
        return;
    while (message->at < message->n && !message->failed)
        take_answer(r, from, message);
}

/* Adds an item to a bundle, or leaves it to this process. The lock is let go of while it is described. */
static bool add_item(ws_rank_round *r, size_t i, letter *bundle)
{
    ws_packed request = {0};
    pthread_mutex_unlock(&r->lock);
    bool goes = r->task.describe(r->task.state, i, &request);
    pthread_mutex_lock(&r->lock);
    if (goes) {
        put_number(bundle, i);
        put_number(bundle, request.n);
        put_bytes(bundle, request.bytes, request.n);
    } else {
        r->items[i].state = AT_HOME;
        pthread_cond_broadcast(&r->changed);
    }
    free(request.bytes);
    return goes;
}

/* With the lock held. */
static void hand_out(ws_rank_round *r, int to)
{
    uint64_t most = r->left / (uint64_t)(BUNDLES_A_RANK * here.n), bytes = 0;
    size_t n = 0, i;
    letter bundle = {0}, message = {0};
    while (n < MOST_ITEMS && (!n || bytes < most) && (i = take_free(r)) != SIZE_MAX) {
        bool goes = add_item(r, i, &bundle);
        n += goes;
        bytes += goes ? r->items[i].size + 1 : 0;
    }
    if (n) {
        r->owed[to] = n;
        put_number(&message, MESSAGE_WORK);
        put_number(&message, (uint64_t)r->task.kind);
        put_number(&message, r->task.threads == ws_cores_allowed() ? 0 : r->task.threads);
        put_number(&message, n);
        put_bytes(&message, bundle.bytes, bundle.n);
        here.transport->send(to, message.bytes, message.n);
    }
    free(bundle.bytes);
    free(message.bytes);
}

static bool all_is_back(const ws_rank_round *r)
{
    bool back = true;
    for (int i = 1; i < here.n; i++)
        back = back && !r->owed[i];
    return back;
}

static void *pass_on(void *state)
{
    ws_rank_round *r = state;
    long ns = NAP_LEAST_NS;
    pthread_mutex_lock(&r->lock);
    while (!r->ends || !all_is_back(r)) {
        for (int i = 1; i < here.n && !r->ends; i++)
            if (!r->owed[i] && r->waiting < MOST_WAITING)
                hand_out(r, i);
        letter message = {0};
        int from = 0;
        pthread_mutex_unlock(&r->lock);
        bool came = here.transport->receive(&from, &message.bytes, &message.n);
        if (came)
            ns = NAP_LEAST_NS;
        else
            nap(&ns);
        pthread_mutex_lock(&r->lock);
        if (came)
            take_answers(r, from, &message);
        free(message.bytes);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static const item *sorted; /* qsort has no room for it */

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    if (sorted[x].size != sorted[y].size)
        return sorted[x].size < sorted[y].size ? 1 : -1;
    return (x > y) - (x < y);
}

/* The large ones by size; then the others as they come, so that few answers have to wait for those before them. */
static void put_in_order(ws_rank_round *r)
{
    uint64_t large = r->left / (uint64_t)(LARGE_SHARE * here.n);
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i].size > large)
            r->order[n++] = i;
    sorted = r->items;
    qsort(r->order, n, sizeof *r->order, by_size);
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i].size <= large)
            r->order[n++] = i;
}

ws_rank_round *ws_ranks_begin(const ws_rank_task *task, size_t n)
{
    if (here.n < 2 || n < 2 || is_in_round)
        return NULL;
    is_in_round = true;
    ws_rank_round *r = ws_alloc(sizeof *r);
    *r = (ws_rank_round){.task = *task, .n = n};
    r->items = ws_alloc(n * sizeof *r->items);
    r->order = ws_alloc(n * sizeof *r->order);
    r->owed = ws_alloc((size_t)here.n * sizeof *r->owed);
    for (size_t i = 0; i < n; i++) {
        r->items[i] = (item){.size = task->size(task->state, i)};
        r->left += r->items[i].size;
    }
    put_in_order(r);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    pthread_mutex_lock(&r->lock);
    for (int i = 1; i < here.n; i++)
        hand_out(r, i);
    pthread_mutex_unlock(&r->lock);
    if (pthread_create(&r->post, NULL, pass_on, r) != 0) {
        r->ends = true; /* without a thread to spare the first bundles are all that others read */
        pass_on(r);
    } else
        r->has_post = true;
    return r;
}

/* With the lock held: reads an item for somebody else, on whose turn its answer is there. */
static void work_ahead(ws_rank_round *r, size_t i)
{
    ws_packed request = {0};
    ws_rank_answer answer = {0};
    pthread_mutex_unlock(&r->lock);
    if (r->task.describe(r->task.state, i, &request))
        r->task.work(request.bytes, request.n, 1, &answer);
    free(request.bytes);
    *answer.refusal = '\0';
    pthread_mutex_lock(&r->lock);
    counts.items_here += answer.packed.bytes != NULL && r->task.kind != WS_RANK_FOLDERS;
    set_answer(r, i, &answer);
}

bool ws_ranks_await(ws_rank_round *r, size_t i, ws_rank_answer *answer)
{
    pthread_mutex_lock(&r->lock);
    item *it = &r->items[i];
    while (it->state == GONE) {
        size_t other = r->waiting < MOST_WAITING ? take_free(r) : SIZE_MAX;
        if (other == SIZE_MAX)
            pthread_cond_wait(&r->changed, &r->lock);
        else
            work_ahead(r, other);
    }
    if (it->state == FREE)
        r->left -= it->size;
    bool has = it->state == DONE;
    *answer = it->answer;
    it->answer = (ws_rank_answer){0};
    it->state = AT_HOME;
    r->waiting -= has ? answer->packed.n : 0;
    counts.items_here += !has && r->task.kind != WS_RANK_FOLDERS;
    pthread_mutex_unlock(&r->lock);
    return has;
}

void ws_ranks_end(ws_rank_round *r)
{
    if (!r)
        return;
    pthread_mutex_lock(&r->lock);
    r->ends = true;
    pthread_mutex_unlock(&r->lock);
    if (r->has_post)
        pthread_join(r->post, NULL);
    for (size_t i = 0; i < r->n; i++)
        free(r->items[i].answer.packed.bytes);
    pthread_mutex_destroy(&r->lock);
    pthread_cond_destroy(&r->changed);
    free(r->items);
    free(r->order);
    free(r->owed);
    free(r);
    is_in_round = false;
}

/* --- who serves --- */

typedef struct request {
    uint64_t item;
    const unsigned char *bytes;
    size_t n;
} request;

typedef struct bundle {
    ws_rank_work *work;
    request *requests;
    size_t n;
    unsigned threads; /* inside an item */
    letter answers;   /* that were not sent yet */
} bundle;

static void work_item(void *state, size_t i, void *part)
{
    const bundle *b = state;
    b->work(b->requests[i].bytes, b->requests[i].n, b->threads, part);
}

static void send_answers(bundle *b)
{
    if (b->answers.n > NUMBER_BYTES)
        here.transport->send(0, b->answers.bytes, b->answers.n);
    b->answers.n = 0;
    put_number(&b->answers, MESSAGE_ANSWERS);
}

/* Answers go in crowds: a message costs more than its bytes. */
static void add_answer(void *state, size_t i, void *part)
{
    bundle *b = state;
    ws_rank_answer *a = part;
    bool is_answer = a->packed.bytes && !*a->refusal && a->packed.n <= LONGEST_ANSWER;
    size_t n = is_answer ? a->packed.n : strlen(a->refusal);
    if (b->answers.n + n > FULL_MESSAGE)
        send_answers(b);
    put_number(&b->answers, b->requests[i].item);
    put_number(&b->answers, is_answer);
    put_number(&b->answers, a->plain_lines);
    put_number(&b->answers, a->other_lines);
    put_number(&b->answers, n);
    put_bytes(&b->answers, is_answer ? (const void *)a->packed.bytes : a->refusal, n);
    free(a->packed.bytes);
}

/* False: the message is none of work. */
static bool serve_bundle(letter *message, ws_rank_work *const *works, size_t n_works)
{
    uint64_t type = get_number(message), kind = get_number(message);
    unsigned threads = (unsigned)get_number(message);
    uint64_t n = get_number(message);
    if (message->failed || type != MESSAGE_WORK || kind >= n_works || n > MOST_ITEMS)
        return false;
    request requests[MOST_ITEMS];
    bundle b = {.work = works[kind], .requests = requests, .n = (size_t)n};
    for (size_t i = 0; i < b.n; i++) {
        requests[i].item = get_number(message);
        requests[i].n = (size_t)get_number(message);
        if (message->failed || message->n - message->at < requests[i].n)
            return false;
        requests[i].bytes = message->bytes + message->at;
        message->at += requests[i].n;
    }
    threads = threads ? threads : ws_cores_allowed();
    b.threads = b.n && b.n < threads ? threads / (unsigned)b.n : 1;
    ws_parallel_task task = {.state = &b, .part_size = sizeof(ws_rank_answer), .work = work_item, .take = add_answer};
    send_answers(&b);
    ws_parallel_run(&task, b.n, threads);
    send_answers(&b);
    free(b.answers.bytes);
    return true;
}

static void say_hello(void)
{
    letter message = {0};
    char host[WS_RANK_HOST] = "";
    gethostname(host, sizeof host - 1);
    put_number(&message, MESSAGE_HELLO);
    put_number(&message, strlen(here.program));
    put_bytes(&message, here.program, strlen(here.program));
    put_number(&message, strlen(here.arguments));
    put_bytes(&message, here.arguments, strlen(here.arguments));
    put_bytes(&message, host, strlen(host));
    here.transport->send(0, message.bytes, message.n);
    free(message.bytes);
}

void ws_ranks_serve(const ws_ranks_setup *setup, ws_rank_work *const *works, size_t n_works)
{
    here = *setup;
    say_hello();
    for (bool goes_on = true; goes_on;) {
        letter message = {0};
        int from;
        wait_for_message(&from, &message.bytes, &message.n);
        goes_on = serve_bundle(&message, works, n_works);
        free(message.bytes);
    }
}
