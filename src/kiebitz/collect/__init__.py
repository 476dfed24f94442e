"""What on a page is a gazette: links in context, groups, evidence, and where to look next."""
