// Generated: change the metadata, not this file.
// From   role listener
// Slice  sha256:537fa975

import {
  defineRole,
  insertRow,
  insertRows,
  selectByPk,
  selectFunction,
  selectMany,
  streamRows,
} from "engine/support";
import { tracked as tracks_like } from "../../sources/default/public.tracks_like.function.js";
import { album } from "./default/public.album.js";
import { chart } from "./default/public.chart.js";
import { track } from "./default/public.track.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  album: selectMany(() => album),
  album_by_pk: selectByPk(() => album),
  chart: selectMany(() => chart),
  track: selectMany(() => track),
  tracks_like: selectFunction(() => track, tracks_like),
};

/** Root fields of role listener. */
export const role = defineRole({
  role: "listener",
  query,
  subscription: {
    ...query,
    album_stream: streamRows(() => album),
    chart_stream: streamRows(() => chart),
    track_stream: streamRows(() => track),
  },
  mutation: { insert_track: insertRows(() => track), insert_track_one: insertRow(() => track) },
  tables: () => tables,
  entities: [() => album],
});
