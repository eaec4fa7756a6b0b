/* The least that any generator must do, for comparison.

   floor copy CONTENT MANIFEST OUT   read every file below CONTENT, then write every file of MANIFEST below OUT
   floor stat CONTENT                walk CONTENT and stat every file: the least of a build that finds nothing changed

   MANIFEST has a line "SIZE PATH" for each file, sorted by path.  The bytes written are filler.  Nothing is parsed and
   nothing is computed.  Reading the manifest is not timed.  Prints: seconds, files and bytes read (for stat: seen),
   files and bytes written. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CHUNK 65536

struct entry { long size; char *path; };

static char buffer[CHUNK];
static long files_read, bytes_read, files_written, bytes_written;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/* Visits every file below the open folder and closes the folder. */
static void walk(int folder, int only_stat) {
    DIR *dir = fdopendir(folder);
    struct dirent *item;
    if (!dir)
        fail("folder");
    while ((item = readdir(dir))) {
        if (!strcmp(item->d_name, ".") || !strcmp(item->d_name, ".."))
            continue;
        if (item->d_type == DT_DIR) {
            int next = openat(folder, item->d_name, O_RDONLY | O_DIRECTORY);
            if (next < 0)
                fail(item->d_name);
            walk(next, only_stat);
            continue;
        }
        files_read++;
        if (only_stat) {
            struct stat about;
            if (fstatat(folder, item->d_name, &about, 0))
                fail(item->d_name);
            bytes_read += about.st_size;
            continue;
        }
        int file = openat(folder, item->d_name, O_RDONLY);
        ssize_t got;
        if (file < 0)
            fail(item->d_name);
        while ((got = read(file, buffer, CHUNK)) > 0)
            bytes_read += got;
        if (got < 0)
            fail(item->d_name);
        close(file);
    }
    closedir(dir);
}

static void make_folders(char *path) {
    for (char *c = path + 1;; c++)
        if (*c == '/' || !*c) {
            char kept = *c;
            *c = 0;
            if (mkdir(path, 0755) && errno != EEXIST)
                fail(path);
            *c = kept;
            if (!kept)
                return;
        }
}

static struct entry *read_manifest(const char *path, long *count) {
    FILE *file = fopen(path, "r");
    struct entry *entries = NULL;
    char *line = NULL;
    size_t room = 0, space = 0;
    ssize_t length;
    if (!file)
        fail(path);
    for (*count = 0; (length = getline(&line, &room, file)) > 0; (*count)++) {
        if ((size_t)*count == space)
            entries = realloc(entries, (space = space ? space * 2 : 1024) * sizeof *entries);
        char *rest;
        line[length - 1] = 0;
        entries[*count].size = strtol(line, &rest, 10);
        entries[*count].path = strdup(rest + 1);
    }
    free(line);
    fclose(file);
    return entries;
}

static void write_all(const struct entry *entries, long count, const char *out) {
    char folder[4096] = "", full[8192];
    size_t known = 0;
    int at = -1;
    for (long i = 0; i < count; i++) {
        const char *path = entries[i].path, *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
        size_t length = name - path;
        if (at < 0 || length != known || memcmp(folder, path, length)) {
            memcpy(folder, path, length);
            folder[known = length] = 0;
            snprintf(full, sizeof full, "%s/%.*s", out, (int)(length ? length - 1 : 0), path);
            if (!length)
                full[strlen(full) - 1] = 0;
            make_folders(full);
            if (at >= 0)
                close(at);
            if ((at = open(full, O_RDONLY | O_DIRECTORY)) < 0)
                fail(full);
        }
        int file = openat(at, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (file < 0)
            fail(path);
        for (long left = entries[i].size; left > 0;) {
            ssize_t done = write(file, buffer, left < CHUNK ? left : CHUNK);
            if (done < 0)
                fail(path);
            left -= done;
            bytes_written += done;
        }
        close(file);
        files_written++;
    }
    if (at >= 0)
        close(at);
}

int main(int argc, char **argv) {
    int copy = argc == 5 && !strcmp(argv[1], "copy");
    struct entry *entries = NULL;
    long count = 0;
    if (!copy && !(argc == 3 && !strcmp(argv[1], "stat"))) {
        fprintf(stderr, "usage: floor copy CONTENT MANIFEST OUT | floor stat CONTENT\n");
        return 2;
    }
    if (copy)
        entries = read_manifest(argv[3], &count);
    double start = now();
    int content = open(argv[2], O_RDONLY | O_DIRECTORY);
    if (content < 0)
        fail(argv[2]);
    walk(content, !copy);
    if (copy) {
        memset(buffer, 'x', CHUNK);
        write_all(entries, count, argv[4]);
    }
    printf("%.6f %ld %ld %ld %ld\n", now() - start, files_read, bytes_read, files_written, bytes_written);
    return 0;
}
