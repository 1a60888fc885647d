// Generated: change the metadata, not this file.
// From   role reader
// Slice  sha256:304768fd

import {
  defineRole,
  selectAggregate,
  selectByPk,
  selectFunction,
  selectFunctionAggregate,
  selectGroups,
  selectMany,
  streamRows,
} from "engine/support";
import { tracked as count_books } from "../../sources/default/public.count_books.function.js";
import { tracked as search_books } from "../../sources/default/public.search_books.function.js";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  author: selectMany(() => author),
  author_by_pk: selectByPk(() => author),
  book: selectMany(() => book),
  book_aggregate: selectAggregate(() => book),
  book_by_pk: selectByPk(() => book),
  book_group: selectGroups(() => book),
  count_books: selectFunction(() => book, count_books),
  count_books_aggregate: selectFunctionAggregate(() => book, count_books),
  search_books: selectFunction(() => book, search_books),
  search_books_aggregate: selectFunctionAggregate(() => book, search_books),
};

/** Root fields of role reader. */
export const role = defineRole({
  role: "reader",
  query,
  subscription: {
    ...query,
    author_stream: streamRows(() => author),
    book_stream: streamRows(() => book),
  },
  tables: () => tables,
});
