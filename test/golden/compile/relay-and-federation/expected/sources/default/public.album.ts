// Generated: change the metadata, not this file.
// From   table public.album (source default)
// Slice  sha256:8a144b21

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertAfter,
  joinOn,
  pg,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.album. */
export const columns = {
  artist: column("artist", `"artist"`, pg("text")),
  title: column("title", `"title"`, pg("text")),
  released: column("released", `"released"`, pg("date"), { nullable: true }),
};

/** Table public.album. */
export const album = defineTable({
  source: defaultSource,
  sql: `"public"."album"`,
  type: "album",
  displayName: "album",
  primaryKey: [columns.artist, columns.title],
  constraints: [constraint("album_pkey", `"album_pkey"`, ["artist", "title"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** album_artist, album_title of public.track are a foreign key to public.album. */
  tracks: joinOn(
    (album, track) => sql`${track}."album_artist" = ${album}."artist" and ${track}."album_title" = ${album}."title"`,
    {
      unique: false,
      insert: insertAfter([
        copyColumn(`"artist"`, `"album_artist"`, pg("text")),
        copyColumn(`"title"`, `"album_title"`, pg("text")),
      ]),
    },
  ),
};
