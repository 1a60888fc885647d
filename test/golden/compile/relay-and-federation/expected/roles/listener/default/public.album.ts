// Generated: change the metadata, not this file.
// From   table public.album (source default): permissions of role listener
// Slice  sha256:580b0116

import { tableView, toMany } from "engine/support";
import { album as table, columns, joins } from "../../../sources/default/public.album.js";
import { track } from "./public.track.js";

/** Select permission of role listener on public.album, for every row. */
export const album = tableView(table, {
  columns: [columns.artist, columns.title],
  relationships: { tracks: toMany(joins.tracks, () => track) },
});
