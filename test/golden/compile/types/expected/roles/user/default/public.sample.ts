// Generated: change the metadata, not this file.
// From   table public.sample (source default): permissions of role user
// Slice  sha256:1244beec

import { type RowFilter, constant, sql, tableView } from "engine/support";
import { columns, sample as table } from "../../../sources/default/public.sample.js";

/**
 * Rows that role user may read: {"_and":[{"mood":{"_in":["good","bad"]}},{"positive":{"_gt":3}},
 * {"period":{"_eq":"[2020-01-01,today)"}},{"code":{"_eq":"x"}},{"bits":{"_eq":"0101"}},
 * {"exact":{"_lte":1.5}},{"document":{"_has_keys_any":["a","b"]}}]}
 */
const visible: RowFilter = (sample) => sql`
  ${sample}."mood" = any('{good,bad}'::kinds.mood[])
  and ${sample}."positive" > '3'::kinds.positive
  and ${sample}."period" = ${constant("[2020-01-01,today)")}::kinds.period
  and ${sample}."code" = 'x'::"char"
  and ${sample}."bits" = '0101'::"bit"
  and ${sample}."exact" <= '1.5'::float8
  and ${sample}."document" ?| '{a,b}'::text[]`;

/** Select permission of role user on public.sample. */
export const sample = tableView(table, {
  columns: [columns.id, columns.mood, columns.moods, columns.scores, columns.period],
  visible,
});
