// Generated: change the metadata, not this file.
// From   stored procedure books_by (source default): role admin
// Slice  sha256:d5a38e02

import { tableView } from "engine/support";
import { books_by as table, columns } from "../../../sources/default/native.books_by.procedure.js";

/** Select permission of role admin on stored procedure books_by, for every row. */
export const books_by = tableView(table, { columns: [columns.id, columns.title] });
