// Generated: change the metadata, not this file.
// From   table public.support_agent (source default): role admin
// Slice  sha256:ae049e44

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, support_agent as table } from "../../../sources/default/public.support_agent.js";

/** Insert permission of role admin on public.support_agent, without a check. */
const insert = allowInsert({ columns: [columns.id, columns.region, columns.valid_until] });

/** Update permission of role admin on public.support_agent, for every row. */
const update = allowUpdate({ columns: [columns.id, columns.region, columns.valid_until] });

/** Delete permission of role admin on public.support_agent, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.support_agent, for every row. */
export const support_agent = tableView(table, {
  columns: [columns.id, columns.region, columns.valid_until],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
