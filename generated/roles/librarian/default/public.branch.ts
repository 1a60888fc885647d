// Generated: change the metadata, not this file.
// From   table public.branch (source default): permissions of role librarian
// Slice  sha256:308a3c06

import { tableView } from "engine/support";
import { branch as table, columns } from "../../../sources/default/public.branch.js";

/** Select permission of role librarian on public.branch, for every row. */
export const branch = tableView(table, {
  columns: [columns.id, columns.name, columns.address, columns.opening_hours],
});
