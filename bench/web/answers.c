/* Requests are read as leniently as a server does; everything that is answered is counted. */
#define _GNU_SOURCE
#include "answers.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "pages.h"

struct counters count;

static const char robots[] =
    "# robots of the synthetic web\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n"
    "Disallow: /search\nDisallow: /tmp/\nDisallow: /cgi-bin/\nDisallow: /*/print$\nAllow: /tmp/public/\n";

/* ---------------------------------------------------------------- requests */

struct slice {
    const char *start;
    int length;
};

static bool is(struct slice s, const char *text) {
    return s.length == (int)strlen(text) && !memcmp(s.start, text, s.length);
}

static bool begins(struct slice s, const char *text) {
    return s.length >= (int)strlen(text) && !memcmp(s.start, text, strlen(text));
}

static struct slice after(struct slice s, int n) {
    return (struct slice){s.start + n, s.length - n};
}

static struct slice read_number(struct slice s, long *value) {
    *value = 0;
    while (s.length && *s.start >= '0' && *s.start <= '9') {
        *value = *value * 10 + *s.start - '0';
        s = after(s, 1);
    }
    return s;
}

static long parse_path(struct slice path) { /* the page's number, or -1 */
    long page;
    if (is(path, "/")) return 0;
    if (begins(path, "/list?id=")) {
        struct slice rest = read_number(after(path, 9), &page);
        return is(rest, "&sort=new") && page < pages && page % 10 == 9 ? page : -1;
    }
    if (path.length < 6 || !begins(path, "/s") || path.start[3] != '/' || path.start[4] != 'p') return -1;
    struct slice rest = read_number(after(path, 5), &page);
    bool in_its_folder = page % 10 == path.start[2] - '0' && page % 10 != 9;
    return is(rest, ".html") && in_its_folder && page > 0 && page < pages ? page : -1;
}

static bool accepts_gzip(const char *headers) {
    const char *line = strcasestr(headers, "\naccept-encoding:");
    if (!line) return false;
    const char *end = strchr(line + 1, '\n'), *gzip = strcasestr(line, "gzip");
    return gzip && (!end || gzip < end);
}

static bool wants_close(const char *version) { /* the rest of the request, from " HTTP/1.x" on */
    if (strcasestr(version, "\nconnection: close")) return true;
    return !strncmp(version, " HTTP/1.0", 9) && !strcasestr(version, "keep-alive");
}

/* ---------------------------------------------------------------- answers */

struct answer {
    int code;
    const char *type, *extra;
    struct text body;
};

static int put_answer(char *out, struct answer a, bool head_only) {
    char *o = out;
    o += sprintf(o,
        "HTTP/1.1 %d %s\r\nServer: webrig\r\nDate: Sat, 01 Nov 2025 10:00:00 GMT\r\nContent-Type: %s\r\n"
        "Content-Length: %d\r\nConnection: keep-alive\r\nLast-Modified: Fri, 31 Oct 2025 09:00:00 GMT\r\n"
        "ETag: \"%x-%x\"\r\nCache-Control: max-age=600\r\nVary: Accept-Encoding\r\n"
        "X-Content-Type-Options: nosniff\r\n%s\r\n",
        a.code, a.code == 200 ? "OK" : "Not Found", a.type, a.body.length, a.code, a.body.length, a.extra);
    if (!head_only) o = put_text(o, a.body);
    return o - out;
}

static bool offer_gzip;
static uint8_t *seen; /* [host * pages + page]: was it answered before? */
static char scratch[ANSWER_LIMIT]; /* the body that is being answered */
static struct text *zipped;        /* [host * pages + page], filled on demand */

static struct text gzip_page(int host, unsigned page) {
    struct text *cached = &zipped[(size_t)host * pages + page];
    if (cached->start) return *cached;
    int length = build_page(scratch, host, page);
    char *compressed = malloc(length);
    z_stream z = {.next_in = (Bytef *)scratch, .avail_in = length, .next_out = (Bytef *)compressed, .avail_out = length};
    deflateInit2(&z, 5, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    deflate(&z, Z_FINISH);
    *cached = (struct text){realloc(compressed, z.total_out), z.total_out};
    deflateEnd(&z);
    return *cached;
}

static struct answer answer_page(int host, unsigned page, bool gzip) {
    struct answer a = {.code = 200, .type = "text/html; charset=utf-8", .extra = ""};
    if (gzip) {
        count.gz++;
        a.extra = "Content-Encoding: gzip\r\n";
        a.body = gzip_page(host, page);
    } else {
        a.body = (struct text){scratch, build_page(scratch, host, page)};
    }
    return a;
}

static struct answer answer_stats(void) {
    int length = sprintf(scratch,
        "{\"req\":%lu,\"distinct\":%lu,\"dup\":%lu,\"robots\":%lu,\"denied\":%lu,\"other\":%lu,\"conns\":%lu,\"bytes\":%lu,\"gz\":%lu}\n",
        count.req, count.distinct, count.dup, count.robots, count.denied, count.other, count.conns, count.bytes, count.gz);
    return (struct answer){200, "application/json", "", {scratch, length}};
}

static struct answer answer_constant(int code, const char *type, const char *body) {
    return (struct answer){code, type, "", {body, strlen(body)}};
}

static void count_page(int host, unsigned page) {
    uint8_t *before = &seen[(size_t)host * pages + page];
    if (*before) count.dup++;
    else count.distinct++;
    *before = 1;
}

int answer(int host, const char *request, char *out, bool *closing) {
    bool head_only = !strncmp(request, "HEAD", 4);
    const char *target = strchr(request, ' ');
    if (!target) return -1;
    const char *version = strchr(++target, ' ');
    if (!version) return -1;
    struct slice path = {target, version - target};
    if (begins(path, "http://")) { /* as a proxy would be asked */
        const char *slash = memchr(target + 7, '/', path.length - 7);
        if (slash) path = after(path, slash - target);
    }
    if (wants_close(version)) *closing = true;

    if (is(path, "/__stats")) return put_answer(out, answer_stats(), head_only);
    if (is(path, "/__reset")) {
        memset(&count, 0, sizeof count);
        memset(seen, 0, (size_t)hosts * pages);
        return put_answer(out, answer_constant(200, "text/plain", "ok\n"), head_only);
    }
    count.req++;
    long page = parse_path(path);
    if (page >= 0) {
        if (!head_only) count_page(host, page);
        int length = put_answer(out, answer_page(host, page, offer_gzip && accepts_gzip(version)), head_only);
        count.bytes += length;
        return length;
    }
    if (is(path, "/robots.txt")) {
        count.robots++;
        return put_answer(out, answer_constant(200, "text/plain", robots), head_only);
    }
    if (begins(path, "/private/") || begins(path, "/search")) count.denied++;
    else count.other++;
    return put_answer(out, answer_constant(404, "text/html", "<html><title>404</title>not found</html>"), head_only);
}

void prepare_answers(bool with_gzip) {
    size_t total = (size_t)hosts * pages;
    seen = calloc(total, 1);
    offer_gzip = with_gzip;
    if (offer_gzip) zipped = calloc(total, sizeof *zipped);
}
