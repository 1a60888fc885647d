// Generated: change the metadata, not this file.
// From   role reader
// Slice  sha256:d90eb627

import {
  defineRole,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  selectProcedure,
  streamRows,
} from "engine/support";
import { author } from "./default/dbo.author.js";
import { book } from "./default/dbo.book.js";
import { books_by } from "./default/native.books_by.procedure.js";
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
    books_by: selectProcedure(() => books_by),
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
  },
  tables: () => tables,
});
