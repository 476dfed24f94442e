/* From one request to its answer, and what is counted on the way. */
#ifndef ANSWERS_H
#define ANSWERS_H

#include <stdbool.h>

#define ANSWER_LIMIT (1 << 17) /* bytes that an answer may have */

struct counters {
    unsigned long req, distinct, dup, robots, denied, other, conns, bytes, gz;
};
extern struct counters count;

void prepare_answers(bool offer_gzip);

/* Writes the answer to one request, a terminated string, to out; gives its length, or -1 for
 * nonsense. Sets closing when the client wants the connection closed. */
int answer(int host, const char *request, char *out, bool *closing);

#endif
