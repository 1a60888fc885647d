// Generated: change the metadata, not this file.
// From   table public.a `${b}` *\/ (source Main Shop): role admin
// Slice  sha256:6c11de17

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import {
  a__$_b_____ as table,
  columns,
} from "../../../sources/main-shop+21/public.a----b-----++-60-24-7b-7d-60--2a-2f.js";

/** Insert permission of role admin on public.a `${b}` *\/, without a check. */
const insert = allowInsert({ columns: [columns.id] });

/** Update permission of role admin on public.a `${b}` *\/, for every row. */
const update = allowUpdate({ columns: [columns.id] });

/** Delete permission of role admin on public.a `${b}` *\/, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.a `${b}` *\/, for every row. */
export const a__$_b_____ = tableView(table, {
  columns: [columns.id],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
