// Generated: change the metadata, not this file.
// From   table public.author (source default): permissions of role census
// Slice  sha256:ed03b7b5

import { tableView } from "engine/support";
import {
  author as table,
  columns,
  computedFields,
} from "../../../sources/default/public.author.js";

/** Select permission of role census on public.author, for every row. */
export const author = tableView(table, {
  columns: [columns.id],
  computedFields: { age: computedFields.age },
  aggregations: true,
});
