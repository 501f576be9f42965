#include "analyze/ingest/path_endings.h"

#include "core/text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

size_t ws_path_unpacked(const char *name, size_t n)
{
    static const char *const endings[] = {".gz", ".zst", ".xz", ".bz2"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(endings[i]);
        if (n > length && strncmp(name + n - length, endings[i], length) == 0)
            return n - length;
    }
    return n;
}

size_t ws_path_stem(const char *path, size_t n)
{
    size_t end = ws_path_unpacked(path, n), dot = end;
    while (dot > 0 && path[dot - 1] != '.' && path[dot - 1] != '/')
        dot--;
    bool has_ending = dot > 1 && path[dot - 1] == '.' && path[dot - 2] != '/';
    return has_ending ? dot - 1 : end;
}

/* "power.log.1", "power.log-20260418". */
size_t ws_path_before_rotation(const char *path)
{
    enum { MOST_COUNTED = 3, DATE = 8 };
    static const char *const endings[] = {".log", ".csv", ".txt", ".out", ".tsv", ".dat", ".json", ".jsonl"};
    size_t n = ws_path_unpacked(path, strlen(path)), digits = 0;
    while (digits < n && isdigit((unsigned char)path[n - 1 - digits]))
        digits++;
    char sign = digits && digits < n ? path[n - 1 - digits] : '\0';
    bool fits = (sign == '.' && digits <= MOST_COUNTED) || ((sign == '.' || sign == '-') && digits >= DATE);
    ws_span front = {path, fits ? n - digits - 1 : 0};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (front.n > strlen(endings[i]) && ws_span_has_suffix(front, endings[i]))
            return front.n;
    return 0;
}

const char *ws_path_without_raw(ws_arena *arena, const char *text)
{
    static const char signs[] = "_-. ";
    const char *raw = strstr(text, "raw");
    while (raw && !((raw == text || strchr(signs, raw[-1])) && strchr(signs, raw[3])))
        raw = strstr(raw + 1, "raw");
    if (!raw)
        return text;
    bool is_middle = raw[3] && (raw == text || strchr("_- ", raw[3]));
    return ws_arena_printf(arena, "%.*s%s", (int)(raw - text - (!is_middle && raw > text)), text, raw + 3 + is_middle);
}

/* "README", "NOTES.txt": what its name says whatever the ending. */
static bool is_named_document(const char *name)
{
    static const char *const names[] = {"readme", "notes", "todo", "changelog", "changes", "contributing", "license"};
    size_t stem = strcspn(name, ".");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (stem == strlen(names[i]) && strncasecmp(name, names[i], stem) == 0)
            return !name[stem] || strcasecmp(name + stem, ".txt") == 0;
    return false;
}

bool ws_is_document(const char *path)
{
    static const char *const endings[] = {
        ".md", ".markdown", ".rst", ".adoc", ".org",  ".tex", ".html", ".htm",   ".ipynb", ".py",     ".sh",
        ".R",  ".jl",       ".ps1", ".bat",  ".bash", ".c",   ".h",    ".cc",    ".cpp",   ".cu",     ".java",
        ".go", ".rs",       ".js",  ".ts",   ".m",    ".f90", ".diff", ".patch", ".slurm", ".sbatch", ".pbs"};
    const char *folder = strrchr(path, '/'), *name = folder ? folder + 1 : path, *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (ws_eq_nocase(dot, endings[i]))
            return true;
    return is_named_document(name);
}

/* --- names of copies --- */

static size_t without_archive(const char *name, size_t n)
{
    static const char *const endings[] = {".tgz", ".txz", ".tbz2", ".zip", ".tar"};
    n = ws_path_unpacked(name, n);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(endings[i]);
        if (n > length && strncmp(name + n - length, endings[i], length) == 0)
            return n - length;
    }
    return n;
}

/* "backup", "old", and the number in "power (1)", which browsers and file managers put behind. */
static bool is_copy_mark(const char *name, size_t at, size_t n)
{
    static const char *const marks[] = {"backup", "bak", "copy", "copie", "kopie", "copia", "old", "orig", "original"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (n == strlen(marks[i]) && strncasecmp(name + at, marks[i], n) == 0)
            return true;
    return at && name[at - 1] == '(' && name[at + n] == ')' && strspn(name + at, "0123456789") == n;
}

/* "of " behind "Copy ", which file managers put in front. */
static size_t word_of(const char *name, size_t n)
{
    static const char *const words[] = {"of", "von", "de", "di"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (n > length && strncasecmp(name, words[i], length) == 0 && strchr("_- ", name[length]))
            return length + 1;
    }
    return 0;
}

/* The name without the words that mark copies and the signs in front of these: "power - copy (2).csv" is "power.csv".
 */
static const char *without_copy_marks(ws_arena *arena, const char *name, size_t n)
{
    static const char signs[] = "_-. ()[]~";
    const char *text = "";
    size_t done = 0; /* bytes that were copied or left out */
    for (size_t at = 0; at < n;) {
        size_t length = 0;
        while (at + length < n && !strchr(signs, name[at + length]))
            length++;
        if (length && is_copy_mark(name, at, length)) {
            size_t kept = at;
            while (kept > done && strchr("_-. ([", name[kept - 1]))
                kept--;
            text = ws_arena_printf(arena, "%s%.*s", text, (int)(kept - done), name + done);
            done = at + length;
            done += done < n && strchr(")]", name[done]);
            if (!*text && done < n && strchr("_- ", name[done])) { /* "old_power.csv" */
                done++;
                done += word_of(name + done, n - done);
            }
        }
        at += length + !length;
    }
    text = ws_arena_printf(arena, "%s%.*s", text, (int)(n - done), name + done);
    size_t end = strlen(text);
    return end && text[end - 1] == '~' ? ws_arena_strndup(arena, text, end - 1) : text;
}

const char *ws_path_original(ws_arena *arena, const char *path, size_t archive, bool named)
{
    const char *text = "", *last = "";
    for (const char *c = path; *c;) {
        size_t n = strcspn(c, "/");
        bool is_archive = archive && (size_t)(c - path) + n == archive;
        const char *name = without_copy_marks(arena, c, is_archive ? without_archive(c, n) : ws_path_unpacked(c, n));
        if (*name && strcmp(name, last) != 0 && (!is_archive || named)) {
            text = ws_arena_printf(arena, "%s%s%s", text, *text ? "/" : "", name);
            last = name;
        }
        c += n + (c[n] == '/');
    }
    return text;
}
