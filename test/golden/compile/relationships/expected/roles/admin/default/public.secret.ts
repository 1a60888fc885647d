// Generated: change the metadata, not this file.
// From   table public.secret (source default): role admin
// Slice  sha256:3f04e8b8

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, secret as table } from "../../../sources/default/public.secret.js";

/** What role admin may insert into public.secret, without a check. */
const insert = allowInsert({ columns: [columns.person_id, columns.text] });

/** What role admin may change in public.secret, in every row. */
const update = allowUpdate({ columns: [columns.person_id, columns.text] });

/** What role admin may delete from public.secret, every row. */
const remove = allowDelete();

/** What role admin may read of public.secret, in every row. */
export const secret = tableView(table, {
  columns: [columns.person_id, columns.text],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
