/* webrig: a cheap synthetic web on loopback, for measuring crawlers.
 *
 * One epoll thread. Host number h listens on 127.0.(1 + h/250).(1 + h%250):PORT. Every page is
 * computed from (host, page), so nothing is read from disk and the truth is known: HOSTS x PAGES
 * pages, all reachable from the first host's front page, about 34 KB and 61 links each.
 *
 *   webrig -p PORT -H HOSTS -P PAGES_PER_HOST [-z]
 *
 * -z   answer with gzip when the client accepts it (compressed once, then cached)
 *
 * Control, on any host: GET /__stats gives the counters as JSON, GET /__reset sets them to zero.
 *   req       requests, without the control ones    conns   TCP connections accepted
 *   distinct  different pages answered              dup     pages answered again
 *   robots    robots.txt answered                   denied  requests that robots.txt forbids
 *   other     anything else, answered 404           bytes   bytes of the pages answered
 *   gz        pages answered compressed
 *
 * It ends with the process that started it.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "answers.h"
#include "pages.h"

#define REQUEST_LIMIT 8192 /* bytes of one request head */
#define EVENTS 512

struct connection {
    int fd, host;
    bool listening, closing;
    int received;
    char in[REQUEST_LIMIT];
    char *out; /* what the socket did not take yet */
    size_t out_length, out_sent;
};

static int poller;

static void poll_for(struct connection *c, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = c};
    epoll_ctl(poller, operation, c->fd, &event);
}

static void drop(struct connection *c) {
    close(c->fd);
    free(c->out);
    free(c);
}

static bool send_rest(struct connection *c) { /* false: the connection is gone */
    while (c->out_sent < c->out_length) {
        ssize_t sent = send(c->fd, c->out + c->out_sent, c->out_length - c->out_sent, MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN) return true;
        if (sent < 0) {
            drop(c);
            return false;
        }
        c->out_sent += sent;
    }
    free(c->out);
    c->out = NULL;
    if (c->closing) {
        drop(c);
        return false;
    }
    poll_for(c, EPOLL_CTL_MOD, EPOLLIN);
    return true;
}

static bool send_answer(struct connection *c, const char *out, int length) { /* false: the connection is gone */
    ssize_t sent = send(c->fd, out, length, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) {
        drop(c);
        return false;
    }
    if (sent < 0) sent = 0;
    if (sent < length) {
        c->out_length = length - sent;
        c->out_sent = 0;
        c->out = memcpy(malloc(c->out_length), out + sent, c->out_length);
        poll_for(c, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
    } else if (c->closing) {
        drop(c);
        return false;
    }
    return true;
}

static void answer_received(struct connection *c) {
    static char out[ANSWER_LIMIT];
    while (!c->out) {
        char *end = memmem(c->in, c->received, "\r\n\r\n", 4);
        if (!end) {
            if (c->received >= REQUEST_LIMIT - 1) drop(c);
            return;
        }
        int request = end + 4 - c->in;
        end[2] = 0;
        int length = answer(c->host, c->in, out, &c->closing);
        if (length < 0) {
            drop(c);
            return;
        }
        c->received -= request;
        memmove(c->in, c->in + request, c->received);
        if (!send_answer(c, out, length)) return;
    }
}

static void serve(struct connection *c, uint32_t events) {
    if (events & EPOLLOUT && c->out && !send_rest(c)) return;
    if (c->out) return;
    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
        ssize_t received = recv(c->fd, c->in + c->received, REQUEST_LIMIT - 1 - c->received, 0);
        if (received < 0 && errno == EAGAIN) return;
        if (received <= 0) {
            drop(c);
            return;
        }
        c->received += received;
    }
    answer_received(c);
}

static void add_connection(int fd, int host, bool listening) {
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct connection *c = calloc(1, sizeof *c);
    c->fd = fd;
    c->host = host;
    c->listening = listening;
    poll_for(c, EPOLL_CTL_ADD, EPOLLIN);
}

static void accept_all(struct connection *listener) {
    int fd;
    while ((fd = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        count.conns++;
        add_connection(fd, listener->host, false);
    }
}

static bool listen_as(int host) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1, buffer = 262144;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(port)};
    name.sin_addr.s_addr = htonl((127u << 24) + ((1 + host / 250) << 8) + 1 + host % 250);
    if (bind(fd, (struct sockaddr *)&name, sizeof name) || listen(fd, 4096)) {
        perror(hostname[host]);
        return false;
    }
    add_connection(fd, host, true);
    return true;
}

static bool read_options(int argc, char **argv, bool *gzip) {
    int option;
    while ((option = getopt(argc, argv, "p:H:P:z")) != -1) {
        switch (option) {
        case 'p': port = atoi(optarg); break;
        case 'H': hosts = atoi(optarg); break;
        case 'P': pages = atoi(optarg); break;
        case 'z': *gzip = true; break;
        default: return false;
        }
    }
    return hosts > 0 && hosts <= 250 * 250 && pages > 0;
}

static void raise_file_limit(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv) {
    bool gzip = false;
    if (!read_options(argc, argv, &gzip)) {
        fprintf(stderr, "usage: webrig -p PORT -H HOSTS -P PAGES_PER_HOST [-z]\n");
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    raise_file_limit();
    prepare_pages();
    prepare_answers(gzip);
    poller = epoll_create1(0);
    for (int host = 0; host < hosts; host++)
        if (!listen_as(host)) return 1;
    fprintf(stderr, "webrig: %d hosts x %d pages on port %d, first http://%s/\n", hosts, pages, port, hostname[0]);

    struct epoll_event events[EVENTS];
    for (;;) {
        int ready = epoll_wait(poller, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            struct connection *c = events[i].data.ptr;
            if (c->listening) accept_all(c);
            else serve(c, events[i].events);
        }
    }
}
