// Generated: change the metadata, not this file.
// From   table public.sample (source default): role admin
// Slice  sha256:31008bfa

import { allowDelete, allowInsert, allowUpdate, tableView } from "engine/support";
import { columns, sample as table } from "../../../sources/default/public.sample.js";

/** Insert permission of role admin on public.sample, without a check. */
const insert = allowInsert({
  columns: [
    columns.id,
    columns.small,
    columns.number,
    columns.amount,
    columns.real_number,
    columns.exact,
    columns.price,
    columns.flag,
    columns.code,
    columns.padded,
    columns.name,
    columns.body,
    columns.bits,
    columns.data,
    columns.document,
    columns.token,
    columns.day,
    columns.at,
    columns.since,
    columns.hour,
    columns.gap,
    columns.address,
    columns.raw,
    columns.mood,
    columns.moods,
    columns.home,
    columns.positive,
    columns.scores,
    columns.period,
    columns.numbers,
    columns.span,
  ],
});

/** Update permission of role admin on public.sample, for every row. */
const update = allowUpdate({
  columns: [
    columns.id,
    columns.small,
    columns.number,
    columns.amount,
    columns.real_number,
    columns.exact,
    columns.price,
    columns.flag,
    columns.code,
    columns.padded,
    columns.name,
    columns.body,
    columns.bits,
    columns.data,
    columns.document,
    columns.token,
    columns.day,
    columns.at,
    columns.since,
    columns.hour,
    columns.gap,
    columns.address,
    columns.raw,
    columns.mood,
    columns.moods,
    columns.home,
    columns.positive,
    columns.scores,
    columns.period,
    columns.numbers,
    columns.span,
  ],
});

/** Delete permission of role admin on public.sample, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.sample, for every row. */
export const sample = tableView(table, {
  columns: [
    columns.id,
    columns.small,
    columns.number,
    columns.amount,
    columns.real_number,
    columns.exact,
    columns.price,
    columns.flag,
    columns.code,
    columns.padded,
    columns.name,
    columns.body,
    columns.bits,
    columns.data,
    columns.document,
    columns.token,
    columns.day,
    columns.at,
    columns.since,
    columns.hour,
    columns.gap,
    columns.address,
    columns.raw,
    columns.mood,
    columns.moods,
    columns.home,
    columns.positive,
    columns.scores,
    columns.period,
    columns.numbers,
    columns.span,
  ],
  aggregations: true,
  insert,
  update,
  delete: remove,
});
