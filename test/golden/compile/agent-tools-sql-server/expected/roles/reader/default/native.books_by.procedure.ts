// Generated: change the metadata, not this file.
// From   stored procedure books_by (source default): permissions of role reader
// Slice  sha256:d7bc3620

import { tableView } from "engine/support";
import { books_by as table, columns } from "../../../sources/default/native.books_by.procedure.js";

/** Select permission of role reader on stored procedure books_by, for every row. */
export const books_by = tableView(table, { columns: [columns.id, columns.title] });
