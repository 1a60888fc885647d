// Generated: change the metadata, not this file.
// From   role clerk
// Slice  sha256:b6ed2353

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRows,
  selectByPk,
  selectFunction,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { tracked as books_about } from "../../sources/default/dbo.books_about.function.js";
import { author } from "./default/dbo.author.js";
import { book } from "./default/dbo.book.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  book: selectMany(() => book),
  book_by_pk: selectByPk(() => book),
  books_about: selectFunction(() => book, books_about),
};

/** Root fields of role clerk. */
export const role = defineRole({
  role: "clerk",
  query,
  subscription: { ...query, book_stream: streamRows(() => book) },
  mutation: {
    delete_book: deleteRows(() => book),
    delete_book_by_pk: deleteByPk(() => book),
    insert_author: insertRows(() => author),
    update_book: updateRows(() => book),
    update_book_by_pk: updateByPk(() => book),
    update_book_many: updateMany(() => book),
  },
  tables: () => tables,
});
