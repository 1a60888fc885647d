// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:4d840f20

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectGroups,
  selectMany,
  selectProcedure,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { author } from "./default/dbo.author.js";
import { book } from "./default/dbo.book.js";
import { books_by } from "./default/native.books_by.procedure.js";
import { tables } from "./tables.js";

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query: {
    author: selectMany(() => author),
    author_aggregate: selectAggregate(() => author),
    author_by_pk: selectByPk(() => author),
    author_group: selectGroups(() => author),
    book: selectMany(() => book),
    book_aggregate: selectAggregate(() => book),
    book_by_pk: selectByPk(() => book),
    book_group: selectGroups(() => book),
    books_by: selectProcedure(() => books_by),
  },
  subscription: {
    author: selectMany(() => author),
    author_aggregate: selectAggregate(() => author),
    author_by_pk: selectByPk(() => author),
    author_group: selectGroups(() => author),
    author_stream: streamRows(() => author),
    book: selectMany(() => book),
    book_aggregate: selectAggregate(() => book),
    book_by_pk: selectByPk(() => book),
    book_group: selectGroups(() => book),
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
