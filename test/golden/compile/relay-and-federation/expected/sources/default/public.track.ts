// Generated: change the metadata, not this file.
// From   table public.track (source default)
// Slice  sha256:0d01650d

import {
  column,
  constraint,
  copyColumn,
  defineTable,
  insertBefore,
  joinOn,
  pg,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.track. */
export const columns = {
  id: column("id", `"id"`, pg("int8")),
  title: column("title", `"title"`, pg("text")),
  hidden: column("hidden", `"hidden"`, pg("bool")),
  album_artist: column("album_artist", `"album_artist"`, pg("text"), { nullable: true }),
  album_title: column("album_title", `"album_title"`, pg("text"), { nullable: true }),
};

/** Table public.track. */
export const track = defineTable({
  source: defaultSource,
  sql: `"public"."track"`,
  type: "track",
  displayName: "track",
  primaryKey: [columns.id],
  constraints: [constraint("track_pkey", `"track_pkey"`, ["id"])],
});

/** Join conditions of relationships. */
export const joins = {
  /** album_artist, album_title are a foreign key to public.album. */
  album: joinOn(
    (track, album) => sql`${album}."artist" = ${track}."album_artist" and ${album}."title" = ${track}."album_title"`,
    {
      unique: true,
      insert: insertBefore([
        copyColumn(`"artist"`, `"album_artist"`, pg("text")),
        copyColumn(`"title"`, `"album_title"`, pg("text")),
      ]),
    },
  ),
};
