// Generated: change the metadata, not this file.
// From   role reader
// Slice  sha256:f3bf20df

import {
  defineRole,
  selectAggregate,
  selectByPk,
  selectFunction,
  selectFunctionAggregate,
  selectGroups,
  selectMany,
  selectProcedure,
  streamRows,
} from "engine/support";
import { tracked as books_about } from "../../sources/default/dbo.books_about.function.js";
import { author } from "./default/dbo.author.js";
import { book } from "./default/dbo.book.js";
import { books_by_author } from "./default/native.books_by_author.procedure.js";
import { tables } from "./tables.js";

/** Root fields of role reader. */
export const role = defineRole({
  role: "reader",
  query: {
    author: selectMany(() => author),
    author_by_pk: selectByPk(() => author),
    book: selectMany(() => book),
    book_aggregate: selectAggregate(() => book),
    book_by_pk: selectByPk(() => book),
    book_group: selectGroups(() => book),
    books_about: selectFunction(() => book, books_about),
    books_about_aggregate: selectFunctionAggregate(() => book, books_about),
    books_by_author: selectProcedure(() => books_by_author),
  },
  subscription: {
    author: selectMany(() => author),
    author_by_pk: selectByPk(() => author),
    author_stream: streamRows(() => author),
    book: selectMany(() => book),
    book_aggregate: selectAggregate(() => book),
    book_by_pk: selectByPk(() => book),
    book_group: selectGroups(() => book),
    book_stream: streamRows(() => book),
    books_about: selectFunction(() => book, books_about),
    books_about_aggregate: selectFunctionAggregate(() => book, books_about),
  },
  tables: () => tables,
});
