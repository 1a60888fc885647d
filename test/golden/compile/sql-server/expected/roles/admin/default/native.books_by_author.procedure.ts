// Generated: change the metadata, not this file.
// From   stored procedure books_by_author (source default): role admin
// Slice  sha256:de1ac000

import { tableView } from "engine/support";
import {
  books_by_author as table,
  columns,
} from "../../../sources/default/native.books_by_author.procedure.js";

/** Select permission of role admin on stored procedure books_by_author, for every row. */
export const books_by_author = tableView(table, {
  columns: [columns.id, columns.title, columns.price],
});
