// Generated: change the metadata, not this file.
// From   table public.lodger (source default): permissions of role auditor
// Slice  sha256:f28bb029

import { type RowFilter, allowUpdate, sql, tableView } from "engine/support";
import { columns, lodger as table } from "../../../sources/default/public.lodger.js";

/** Check of rows after an update by role auditor: {"name":{"_ne":""}} */
const updateCheck: RowFilter = (lodger) => sql`${lodger}."name" <> ''::text`;

/** Update permission of role auditor on public.lodger, for every row. */
const update = allowUpdate({ columns: [columns.note], check: updateCheck });

/** Write permissions of role auditor on public.lodger. */
export const lodger = tableView(table, { readable: false, update });
