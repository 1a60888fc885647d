// Generated: change the metadata, not this file.
// From   table public.track (source default): permissions of role listener
// Slice  sha256:3b118e82

import { type RowFilter, allowInsert, sql, tableView, toOne } from "engine/support";
import { columns, joins, track as table } from "../../../sources/default/public.track.js";
import { album } from "./public.album.js";

/** Rows that role listener may read: {"hidden":{"_eq":false}} */
const visible: RowFilter = (track) => sql`${track}."hidden" = 'false'::bool`;

/** Insert permission of role listener on public.track, without a check. */
const insert = allowInsert({ columns: [columns.title] });

/** Select permission of role listener on public.track. */
export const track = tableView(table, {
  columns: [columns.title],
  relationships: { album: toOne(joins.album, () => album) },
  visible,
  rowLimit: 20,
  queryRoots: ["select"],
  insert,
});
