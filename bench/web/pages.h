/* The pages of the synthetic web, computed from (host, page): the same bytes for ever. */
#ifndef PAGES_H
#define PAGES_H

struct text {
    const char *start;
    int length;
};

extern int port, hosts, pages; /* the size of the web; set before prepare_pages() */
extern char (*hostname)[32];   /* of each host: "127.0.1.1:8810" */

void prepare_pages(void);
int build_page(char *body, int host, unsigned page); /* writes it to body, gives its length */
char *put(char *o, const char *s);                   /* writes s at o, gives where it ends */
char *put_text(char *o, struct text t);

#endif
