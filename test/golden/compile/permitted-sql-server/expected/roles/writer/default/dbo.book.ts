// Generated: change the metadata, not this file.
// From   table dbo.book (source default): permissions of role writer
// Slice  sha256:50e117d2

import {
  type RowFilter,
  allowInsert,
  allowUpdate,
  nestedRow,
  sql,
  tableView,
  toMany,
  toOne,
  whereReadable,
} from "engine/support";
import { book as table, columns, joins } from "../../../sources/default/dbo.book.js";
import { author } from "./dbo.author.js";
import { loan } from "./dbo.loan.js";

/**
 * Rows of dbo.book with a row in relationship author that role writer may read: select permission
 * on dbo.author.
 */
const readableAuthor = whereReadable(joins.author, () => author);

/**
 * Rows that role writer may read: {"_or":[{"_permitted":{"relationship":"author",
 * "operation":"select"}},{"sequel_of":{"_is_null":true}}]}
 */
const visible: RowFilter = (book, session) =>
  sql`${readableAuthor(book, session)} or ${book}.[sequel_of] is null`;

/**
 * Check of rows that role writer inserts: {"_permitted":{"relationship":"author",
 * "operation":"select"}}
 */
const insertCheck: RowFilter = (book, session) => sql`${readableAuthor(book, session)}`;

/** Insert permission of role writer on dbo.book. */
const insert = allowInsert({
  columns: [columns.id, columns.title, columns.author_id, columns.sequel_of],
  check: insertCheck,
  nested: { first: nestedRow(joins.first, () => book) },
});

/**
 * Rows that role writer may update: {"_permitted":{"relationship":"author","operation":"select"}}
 */
const updatable: RowFilter = (book, session) => sql`${readableAuthor(book, session)}`;

/**
 * Rows of dbo.book with a row in relationship first that role writer may read: select permission on
 * dbo.book.
 */
const readableFirst = whereReadable(joins.first, () => book);

/**
 * Check of rows after an update by role writer: {"_or":[{"sequel_of":{"_is_null":true}},
 * {"_permitted":{"relationship":"first","operation":"select"}}]}
 */
const updateCheck: RowFilter = (book, session) =>
  sql`${book}.[sequel_of] is null or ${readableFirst(book, session)}`;

/** Update permission of role writer on dbo.book. */
const update = allowUpdate({
  columns: [columns.title, columns.sequel_of],
  filter: updatable,
  check: updateCheck,
});

/** Select permission of role writer on dbo.book. */
export const book = tableView(table, {
  columns: [columns.id, columns.title],
  relationships: {
    author: toOne(joins.author, () => author),
    first: toOne(joins.first, () => book),
    loans: toMany(joins.loans, () => loan),
  },
  visible,
  insert,
  update,
});
