// Generated: change the metadata, not this file.
// From   table public.secret (source default): role admin
// Slice  sha256:3f04e8b8

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, secret as table } from "../../../sources/default/public.secret.js";

/** What role admin may insert into public.secret. */
const insert = allowInsert({ columns: [columns.person_id, columns.text] });

/** What role admin may change in public.secret. */
const update = allowUpdate({ columns: [columns.person_id, columns.text] });

/** What role admin may delete from public.secret. */
const remove = allowDelete();

/** What role admin may read of public.secret. */
export const secret = tableView(table, {
  columns: [columns.person_id, columns.text],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
