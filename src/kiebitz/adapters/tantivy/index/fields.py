"""The schema in Tantivy's terms."""

import tantivy

from kiebitz.model.query import FACETS
from kiebitz.search import schema


def tantivy_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(schema.LEVEL, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(schema.PAPER, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field(schema.KEY, fast=True)
    builder.add_unsigned_field(schema.CLUSTER, fast=True)
    builder.add_unsigned_field(schema.NEWEST, fast=True)
    for name in schema.STEMMED:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="position")
    builder.add_text_field(schema.EXACT, tokenizer_name="whitespace", index_option="basic")
    builder.add_text_field(schema.PARTS, tokenizer_name="whitespace", index_option="basic")
    builder.add_text_field(schema.URL, tokenizer_name="whitespace", index_option="basic")
    builder.add_text_field(schema.PAGE, tokenizer_name="whitespace", index_option="freq")
    for name in FACETS:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic", fast=True)
    builder.add_date_field(schema.PUBLISHED, indexed=True, fast=True)
    builder.add_date_field(schema.CRAWLED, fast=True)
    builder.add_bytes_field(schema.RECORD, stored=True)
    return builder.build()
