// Generated: change the metadata, not this file.
// From   table public.track (source default): role admin
// Slice  sha256:b3ee0c57

import { allowDelete, allowInsert, allowUpdate, nestedRow, tableView, toOne } from "engine/support";
import { columns, joins, track as table } from "../../../sources/default/public.track.js";
import { album } from "./public.album.js";

/** Insert permission of role admin on public.track, without a check. */
const insert = allowInsert({
  columns: [columns.id, columns.title, columns.hidden, columns.album_artist, columns.album_title],
  nested: { album: nestedRow(joins.album, () => album) },
});

/** Update permission of role admin on public.track, for every row. */
const update = allowUpdate({
  columns: [columns.id, columns.title, columns.hidden, columns.album_artist, columns.album_title],
});

/** Delete permission of role admin on public.track, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.track, for every row. */
export const track = tableView(table, {
  columns: [columns.id, columns.title, columns.hidden, columns.album_artist, columns.album_title],
  relationships: { album: toOne(joins.album, () => album) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
