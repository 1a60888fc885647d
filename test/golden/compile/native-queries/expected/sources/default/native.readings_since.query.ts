// Generated: change the metadata, not this file.
// From   native query readings_since (source default)
// Slice  sha256:46f29e52

import {
  column,
  defineTable,
  documentJoin,
  joinOn,
  nativeArgument,
  nativeQuery,
  pg,
  sql,
} from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of native query readings_since. */
export const columns = {
  river_id: column("river_id", `"river_id"`, pg("int4")),
  highest: column("highest", `"highest"`, pg("numeric"), {
    nullable: true,
    description: "Of all gauges.",
  }),
};

/** Rows of native query readings_since. */
export const readings_since = defineTable({
  source: defaultSource,
  sql: `"readings_since"`,
  type: "reading",
  displayName: "reading",
  primaryKey: [],
  query: nativeQuery({
    name: "readings_since",
    objectType: "readings_since",
    arguments: [
      nativeArgument("at least", pg("numeric"), {
        nullable: true,
        description: "*/ Nothing below.",
      }),
      nativeArgument("since", pg("timestamptz")),
    ],
    rows: (at_least, since) => sql`select river_id, max(level) as highest, json_agg(json_build_object('gauge', id, 'level', level)) as gauges
from gauge -- \`\${not code}\`
where read_at >= ${since} and coalesce(level >= ${at_least}, true)
group by river_id`,
  }),
});

/** Join conditions of relationships. */
export const joins = {
  /** Each by itself. logical model gauge_reading as JSON in gauges. */
  gauges: documentJoin({
    column: `"gauges"`,
    list: true,
    members: [
      { key: "gauge", sql: `"gauge"`, type: "text" },
      { key: "level", sql: `"level"`, type: "numeric" },
    ],
  }),
  /** Joins river_id to id of public.river, by manual configuration. */
  river: joinOn((readings_since, river) => sql`${river}."id" = ${readings_since}."river_id"`, {
    unique: false,
  }),
};
