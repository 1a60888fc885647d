// Generated: change the metadata, not this file.
// From   table public.copy (source default): permissions of role visitor
// Slice  sha256:48fd65d3

import { tableView, toOne } from "engine/support";
import { columns, copy as table, joins } from "../../../sources/default/public.copy.js";
import { book } from "./public.book.js";
import { branch } from "./public.branch.js";

/** Select permission of role visitor on public.copy, for every row. */
export const copy = tableView(table, {
  columns: [columns.id],
  relationships: {
    /** Row filter {"copies":{}} of public.book: implied by that of this table. */
    book: toOne(joins.book, () => book, { visibleWithRow: true }),
    branch: toOne(joins.branch, () => branch, { required: true }),
  },
});
