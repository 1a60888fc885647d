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

/** What role admin may insert into public.album, without a check. */
const insert = allowInsert({
  columns: [columns.artist, columns.title, columns.released],
  nested: { tracks: nestedRows(joins.tracks, () => track) },
});

/** What role admin may change in public.album, in every row. */
const update = allowUpdate({ columns: [columns.artist, columns.title, columns.released] });

/** What role admin may delete from public.album, every row. */
const remove = allowDelete();

/** What role admin may read of public.album, in every row. */
export const album = tableView(table, {
  columns: [columns.artist, columns.title, columns.released],
  relationships: { tracks: toMany(joins.tracks, () => track, { aggregations: true }) },
  aggregations: true,
  insert,
  update,
  delete: remove,
});
