// Generated: change the metadata, not this file.
// From   table public.secret (source default): role admin
// Slice  sha256:3f04e8b8

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, secret as table } from "../../../sources/default/public.secret.js";

/** Insert permission of role admin on public.secret, without a check. */
const insert = allowInsert({ columns: [columns.person_id, columns.text] });

/** Update permission of role admin on public.secret, for every row. */
const update = allowUpdate({ columns: [columns.person_id, columns.text] });

/** Delete permission of role admin on public.secret, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.secret, for every row. */
export const secret = tableView(table, {
  columns: [columns.person_id, columns.text],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
