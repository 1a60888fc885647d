// Generated: change the metadata, not this file.
// From   table public.a `${b}` *\/ (source Main Shop): role admin
// Slice  sha256:6c11de17

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import {
  a__$_b_____ as table,
  columns,
} from "../../../sources/main-shop=21/public.a----b-----==-60-24-7b-7d-60--2a-2f.js";

/** What role admin may insert into public.a `${b}` *\/, without a check. */
const insert = allowInsert({ columns: [columns.id] });

/** What role admin may change in public.a `${b}` *\/, in every row. */
const update = allowUpdate({ columns: [columns.id] });

/** What role admin may delete from public.a `${b}` *\/, every row. */
const remove = allowDelete();

/** What role admin may read of public.a `${b}` *\/, in every row. */
export const a__$_b_____ = tableView(table, {
  columns: [columns.id],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
