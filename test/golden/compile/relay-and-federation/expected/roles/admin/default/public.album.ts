// Generated: change the metadata, not this file.
// From   table public.album (source default): role admin
// Slice  sha256:ad37bd1a

import {
  allowDelete,
  allowInsert,
  allowUpdate,
  nestedRows,
  tableView,
  toMany,
} from "engine/support";
import { album as table, columns, joins } from "../../../sources/default/public.album.js";
import { track } from "./public.track.js";

/** Insert permission of role admin on public.album, without a check. */
const insert = allowInsert({
  columns: [columns.artist, columns.title, columns.released],
  nested: { tracks: nestedRows(joins.tracks, () => track) },
});

/** Update permission of role admin on public.album, for every row. */
const update = allowUpdate({ columns: [columns.artist, columns.title, columns.released] });

/** Delete permission of role admin on public.album, for every row. */
const remove = allowDelete();

/** Select permission of role admin on public.album, for every row. */
export const album = tableView(table, {
  columns: [columns.artist, columns.title, columns.released],
  relationships: { tracks: toMany(joins.tracks, () => track, { aggregations: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
