/* Deterministic pages: about 34 KB and 61 links each, of the kinds that real pages have. */
#include "pages.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 4000 /* the vocabulary */
#define CARDS 1024 /* ready-made teasers that pages are assembled from */
#define CARDS_PER_PAGE 32

int port = 8810, hosts = 100, pages = 20;
char (*hostname)[32];

/* ---------------------------------------------------------------- deterministic text */

static uint64_t random_state;

static inline uint64_t random64(void) { /* splitmix64 */
    uint64_t z = (random_state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static inline uint32_t below(uint32_t n) {
    return (uint32_t)(((random64() >> 32) * (uint64_t)n) >> 32);
}

static char words[WORDS][14];

static struct text cards[CARDS], page_head, page_foot;

static const char *pick_word(void) { /* few words are frequent, as in language */
    double u = (random64() >> 11) * (1.0 / 9007199254740992.0);
    int i = (int)(WORDS * u * u * u);
    return words[i < WORDS ? i : WORDS - 1];
}

char *put(char *o, const char *s) {
    size_t length = strlen(s);
    memcpy(o, s, length);
    return o + length;
}

char *put_text(char *o, struct text t) {
    memcpy(o, t.start, t.length);
    return o + t.length;
}

static inline char *put_number(char *o, unsigned value) {
    char digits[12];
    int n = 0;
    do digits[n++] = '0' + value % 10;
    while (value /= 10);
    while (n) *o++ = digits[--n];
    return o;
}

static char *put_sentence(char *o, int length) {
    for (int i = 0; i < length; i++) {
        char *first = o;
        o = put(o, pick_word());
        if (i == 0) *first -= 'a' - 'A';
        if (i == length - 1) *o++ = '.';
        else if (below(14) == 0) o = put(o, ", ");
        else *o++ = ' ';
    }
    *o++ = ' ';
    return o;
}

static void build_words(void) {
    static const char *syllables[] = {
        "ta", "re", "mo", "li", "ken", "dor", "sa", "vi", "per", "an", "ul", "is", "ro", "ne", "qua",
        "be", "si", "tor", "el", "mar", "in", "o", "ga", "fe", "lum", "ci", "na", "hu", "pra", "de"};
    for (int i = 0; i < WORDS; i++) {
        char *o = words[i];
        int n = 1 + below(4);
        for (int k = 0; k < n; k++) o = put(o, syllables[below(30)]);
        *o = 0;
    }
}

static struct text build_card(int number) {
    char *start = malloc(4096), *o = start;
    int columns = 1 + below(12);
    uint32_t id = (uint32_t)random64(), track = (uint32_t)random64();
    o += sprintf(o, "<div class=\"row col-md-%d js-block\" data-id=\"%u\" data-track=\"block:%u\">\n", columns, id, track);
    o += sprintf(o, "  <article class=\"card card--teaser\" id=\"c%d\"><figure class=\"media\">", number);
    o += sprintf(o, "<img loading=\"lazy\" width=\"320\" height=\"180\" src=\"/static/img%u.jpg\" alt=\"", below(9999));
    o = put_sentence(o, 5);
    o = put(o, "\"></figure>\n    <h3 class=\"card__title\">");
    o = put_sentence(o, 6);
    o = put(o, "</h3>\n    <p>");
    o = put_sentence(o, 14 + below(10));
    o = put(o, "<em>");
    o = put_sentence(o, 4);
    o = put(o, "</em> &mdash; ");
    o = put_sentence(o, 12 + below(10));
    int month = 1 + below(12), day = 1 + below(28);
    o += sprintf(o, "</p>\n    <p class=\"meta\"><span class=\"date\">2025-%02d-%02d</span> <span class=\"author\">", month, day);
    o = put_sentence(o, 2);
    o = put(o, "</span></p>\n");
    if (below(3) == 0) {
        o = put(o, "<ul class=\"tags\">");
        for (int k = 0; k < 4; k++) o += sprintf(o, "<li class=\"tag\">%s</li>", pick_word());
        o = put(o, "</ul>\n");
    }
    return (struct text){start, o - start};
}

static struct text build_head(void) {
    char *start = malloc(16384), *o = start;
    o = put(o, "<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<link rel=\"stylesheet\" href=\"/static/site.css\"><link rel=\"icon\" href=\"/static/favicon.ico\">\n<style>");
    for (int i = 0; i < 20; i++) {
        const char *block = pick_word(), *element = pick_word();
        unsigned top = below(30), side = below(30), colour = below(1 << 24);
        o += sprintf(o, ".%s-%s{margin:%upx %upx;color:#%06x;display:flex}\n", block, element, top, side, colour);
    }
    o = put(o, "</style>\n<script>window.__cfg={");
    for (int i = 0; i < 40; i++) {
        const char *key = pick_word();
        o += sprintf(o, "\"%s%d\":\"%08x\",", key, i, (uint32_t)random64());
    }
    o = put(o, "\"end\":1};</script>\n");
    return (struct text){start, o - start};
}

static struct text build_foot(void) { /* with a link that only a script would write: not to be followed */
    char *start = malloc(16384), *o = start;
    o = put(o, "<script>(function(){var a=[");
    for (int i = 0; i < 150; i++) o += sprintf(o, "%u,", (uint32_t)random64());
    o = put(o, "0];if(a.length<1){document.write('<a href=\"/never\">x</a>')}})();</script>\n");
    o += sprintf(o, "<!-- build %08x --></body></html>\n", (uint32_t)random64());
    return (struct text){start, o - start};
}

void prepare_pages(void) {
    hostname = calloc(hosts, sizeof *hostname);
    for (int h = 0; h < hosts; h++) sprintf(hostname[h], "127.0.%d.%d:%d", 1 + h / 250, 1 + h % 250, port);
    random_state = 42;
    build_words();
    for (int i = 0; i < CARDS; i++) cards[i] = build_card(i);
    page_head = build_head();
    page_foot = build_foot();
}

/* ---------------------------------------------------------------- pages */

static char *put_path(char *o, unsigned page) { /* begins with '/'; parse_path reads it back */
    if (page == 0) return put(o, "/");
    if (page % 10 == 9) {
        o = put(o, "/list?id=");
        o = put_number(o, page);
        return put(o, "&amp;sort=new");
    }
    o = put(o, "/s");
    o = put_number(o, page % 10);
    o = put(o, "/p");
    o = put_number(o, page);
    return put(o, ".html");
}

static char *put_absolute(char *o, int host, unsigned page) {
    o = put(o, "http://");
    o = put(o, hostname[host]);
    return put_path(o, page);
}

static char *put_link_text(char *o, unsigned k) { /* closes the attribute and the element */
    o = put(o, "\">");
    o = put(o, words[k % WORDS]);
    *o++ = ' ';
    o = put(o, words[(k * 7 + 3) % WORDS]);
    return put(o, "</a>\n");
}

static char *put_list_link(char *o, unsigned page, unsigned k) {
    o = put(o, "<li><a href=\"");
    o = put_path(o, page);
    o = put_link_text(o, k);
    return put(o, "</li>");
}

/* The link of one card. Cards 0 and 1 span a binary tree over the pages of a host, cards 2 and 3 of
 * the front page one over the hosts: so everything is reachable. The others are what a page has:
 * relative and absolute links, within the site and across, repeated, with a fragment, forbidden. */
static char *put_card_link(char *o, int card, int host, unsigned page, unsigned any_page, int any_host, unsigned *repeated) {
    switch (card) {
    case 0: case 1: {
        unsigned child = 2 * page + 1 + card;
        o = put(o, "..");
        return put_path(o, child < (unsigned)pages ? child : any_page);
    }
    case 2: case 3: {
        int child = 2 * host + card - 1;
        return put_absolute(o, page == 0 && child < hosts ? child : any_host, 0);
    }
    case 4: case 5: case 6: case 7: case 8: case 9:
        *repeated = any_page;
        return put_path(o, any_page);
    case 10: case 11: case 12:
        o = put(o, "..");
        return put_path(o, any_page);
    case 13:
        return put_absolute(o, host, any_page);
    case 14: case 15:
        return put_path(o, *repeated);
    case 17: case 18: case 19: case 21: case 22: case 23: case 25: case 26:
        return put_absolute(o, any_host, any_page);
    case 27:
        o = put(o, "//");
        o = put(o, hostname[any_host]);
        return put_path(o, any_page);
    case 28:
        o = put_path(o, any_page);
        return put(o, "#c2");
    case 29:
        o = put(o, "/private/x");
        o = put_number(o, any_page);
        return put(o, ".html");
    case 30:
        o = put(o, "/search?q=");
        return put_number(o, any_page);
    default:
        return put_path(o, any_page);
    }
}

static char *put_cards(char *o, int host, unsigned page) {
    unsigned repeated = 0;
    for (int i = 0; i < CARDS_PER_PAGE; i++) {
        o = put_text(o, cards[below(CARDS)]);
        unsigned any_page = below(pages);
        int any_host = below(hosts);
        bool nofollow = i == 16 || i == 20 || i == 24;
        o = put(o, nofollow ? "<a rel=\"nofollow\" class=\"more\" href=\"" : "<a class=\"more link--arrow\" href=\"");
        o = put_card_link(o, i, host, page, any_page, any_host, &repeated);
        o = put_link_text(o, any_page + i);
        o = put(o, "</article>\n</div>\n");
    }
    return o;
}

int build_page(char *body, int host, unsigned page) {
    char *o = body;
    random_state = ((uint64_t)host << 32) ^ (page * 0x51ed27ULL) ^ 0xabcdef;
    o = put(o, "<!DOCTYPE html>\n<html lang=\"en\"><head><title>Page ");
    o = put_number(o, page);
    o = put(o, " of host ");
    o = put_number(o, host);
    *o++ = ' ';
    o = put(o, words[below(WORDS)]);
    o = put(o, "</title>\n");
    o = put_text(o, page_head);
    o = put(o, "</head>\n<body class=\"page\" id=\"top\"><header><nav><ul class=\"menu\">\n");
    for (int i = 1; i <= 16; i++) {
        o = put(o, "<li class=\"menu__item\"><a class=\"menu__link\" href=\"");
        o = put_path(o, i % pages);
        o = put_link_text(o, i * 31);
        o = put(o, "</li>");
    }
    o = put(o, "</ul></nav></header>\n<p class=\"crumbs\"><a href=\"/\">Home</a> <a href=\"../\">Up</a> "
               "<a href=\"#top\">Top</a> <a href=\"#c1\">c1</a> <a href=\"mailto:x@example.test\">Mail</a> "
               "<a href=\"javascript:void(0)\">JS</a></p>\n<main>\n");
    o = put_cards(o, host, page);
    o = put(o, "</main><footer><ul>");
    static const char *file_start[] = {"/static/doc", "/static/img", "/dl/f"}, *file_end[] = {".pdf", ".jpg", ".zip"};
    for (int i = 0; i < 3; i++) {
        o = put(o, "<li><a href=\"");
        o = put(o, file_start[i]);
        o = put_number(o, below(pages));
        o = put(o, file_end[i]);
        o = put_link_text(o, i);
        o = put(o, "</li>");
    }
    for (int i = 0; i < 4; i++) o = put_list_link(o, (i + 1) % pages, i + 50);
    o = put(o, "</ul></footer>\n");
    o = put_text(o, page_foot);
    return o - body;
}
