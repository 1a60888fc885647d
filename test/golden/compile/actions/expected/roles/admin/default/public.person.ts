// Generated: change the metadata, not this file.
// From   table public.person (source default): role admin
// Slice  sha256:de5c4e9e

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, person as table } from "../../../sources/default/public.person.js";

/** What role admin may insert into public.person, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.name, columns.friend, columns.code] });

/** What role admin may change in public.person, in every row. */
const update = allowUpdate({ columns: [columns.id, columns.name, columns.friend, columns.code] });

/** What role admin may delete from public.person, every row. */
const remove = allowDelete();

/** What role admin may read of public.person, in every row. */
export const person = tableView(table, {
  columns: [columns.id, columns.name, columns.friend, columns.code],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
