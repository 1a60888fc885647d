// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:1a2ff13e

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectFunction,
  selectFunctionAggregate,
  selectGroups,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { tracked as count_books } from "../../sources/default/public.count_books.function.js";
import { tracked as search_books } from "../../sources/default/public.search_books.function.js";
import { author } from "./default/public.author.js";
import { book } from "./default/public.book.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  author: selectMany(() => author),
  author_aggregate: selectAggregate(() => author),
  author_by_pk: selectByPk(() => author),
  author_group: selectGroups(() => author),
  book: selectMany(() => book),
  book_aggregate: selectAggregate(() => book),
  book_by_pk: selectByPk(() => book),
  book_group: selectGroups(() => book),
  count_books: selectFunction(() => book, count_books),
  count_books_aggregate: selectFunctionAggregate(() => book, count_books),
  search_books: selectFunction(() => book, search_books),
  search_books_aggregate: selectFunctionAggregate(() => book, search_books),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    author_stream: streamRows(() => author),
    book_stream: streamRows(() => book),
  },
  mutation: {
    delete_author: deleteRows(() => author),
    delete_author_by_pk: deleteByPk(() => author),
    delete_book: deleteRows(() => book),
    delete_book_by_pk: deleteByPk(() => book),
    insert_author: insertRows(() => author),
    insert_author_one: insertRow(() => author),
    insert_book: insertRows(() => book),
    insert_book_one: insertRow(() => book),
    update_author: updateRows(() => author),
    update_author_by_pk: updateByPk(() => author),
    update_author_many: updateMany(() => author),
    update_book: updateRows(() => book),
    update_book_by_pk: updateByPk(() => book),
    update_book_many: updateMany(() => book),
  },
  tables: () => tables,
});
