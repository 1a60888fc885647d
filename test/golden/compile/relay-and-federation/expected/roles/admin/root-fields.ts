// Generated: change the metadata, not this file.
// From   role admin
// Slice  sha256:98d3a8a9

import {
  defineRole,
  deleteByPk,
  deleteRows,
  insertRow,
  insertRows,
  selectAggregate,
  selectByPk,
  selectFunction,
  selectFunctionAggregate,
  selectGroups,
  selectMany,
  streamRows,
  updateByPk,
  updateMany,
  updateRows,
} from "engine/support";
import { tracked as tracks_like } from "../../sources/default/public.tracks_like.function.js";
import { album } from "./default/public.album.js";
import { chart } from "./default/public.chart.js";
import { track } from "./default/public.track.js";
import { tables } from "./tables.js";

/** Fields of queries and subscriptions. */
const query = {
  album: selectMany(() => album),
  album_aggregate: selectAggregate(() => album),
  album_by_pk: selectByPk(() => album),
  album_group: selectGroups(() => album),
  chart: selectMany(() => chart),
  chart_aggregate: selectAggregate(() => chart),
  chart_group: selectGroups(() => chart),
  track: selectMany(() => track),
  track_aggregate: selectAggregate(() => track),
  track_by_pk: selectByPk(() => track),
  track_group: selectGroups(() => track),
  tracks_like: selectFunction(() => track, tracks_like),
  tracks_like_aggregate: selectFunctionAggregate(() => track, tracks_like),
};

/** Root fields of role admin. */
export const role = defineRole({
  role: "admin",
  query,
  subscription: {
    ...query,
    album_stream: streamRows(() => album),
    chart_stream: streamRows(() => chart),
    track_stream: streamRows(() => track),
  },
  mutation: {
    delete_album: deleteRows(() => album),
    delete_album_by_pk: deleteByPk(() => album),
    delete_chart: deleteRows(() => chart),
    delete_track: deleteRows(() => track),
    delete_track_by_pk: deleteByPk(() => track),
    insert_album: insertRows(() => album),
    insert_album_one: insertRow(() => album),
    insert_chart: insertRows(() => chart),
    insert_chart_one: insertRow(() => chart),
    insert_track: insertRows(() => track),
    insert_track_one: insertRow(() => track),
    update_album: updateRows(() => album),
    update_album_by_pk: updateByPk(() => album),
    update_album_many: updateMany(() => album),
    update_chart: updateRows(() => chart),
    update_chart_many: updateMany(() => chart),
    update_track: updateRows(() => track),
    update_track_by_pk: updateByPk(() => track),
    update_track_many: updateMany(() => track),
  },
  tables: () => tables,
  entities: [() => album, () => track],
});
