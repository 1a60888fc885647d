// Generated: change the metadata, not this file.
// From   role editor
// Slice  sha256:0101ccce

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectByPk,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { book } from "./default/dbo.book.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = { book: selectMany(() => book), book_by_pk: selectByPk(() => book) };

/** Root fields of role editor. */
export const role = defineRole({
  role: "editor",
  query,
  subscription: { ...query, book_stream: streamRows(() => book) },
  mutation: {
    delete_book: deleteRows(() => book, { backendOnly: true }),
    delete_book_by_pk: deleteByPk(() => book, { backendOnly: true }),
    insert_book: insertRows(() => book),
    insert_book_one: insertRow(() => book),
    update_book: updateRows(() => book),
    update_book_by_pk: updateByPk(() => book),
    update_book_many: updateMany(() => book),
  },
  tables: () => tables,
});
