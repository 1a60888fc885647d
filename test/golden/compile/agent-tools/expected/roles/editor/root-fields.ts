// Generated: change the metadata, not this file.
// From   role editor
// Slice  sha256:fffd5be5

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectByPk,
  selectFunction,
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
  book: selectMany(() => book),
  book_by_pk: selectByPk(() => book),
  count_books: selectFunction(() => book, count_books),
  search_books: selectFunction(() => book, search_books),
};

/** Root fields of role editor. */
export const role = defineRole({
  role: "editor",
  query,
  subscription: { ...query, book_stream: streamRows(() => book) },
  mutation: {
    delete_book: deleteRows(() => book, { backendOnly: true }),
    delete_book_by_pk: deleteByPk(() => book, { backendOnly: true }),
    insert_author: insertRows(() => author),
    insert_book: insertRows(() => book),
    insert_book_one: insertRow(() => book),
    update_book: updateRows(() => book),
    update_book_by_pk: updateByPk(() => book),
    update_book_many: updateMany(() => book),
  },
  tables: () => tables,
});
