// Generated: change the metadata, not this file.
// From   table public.reading (source default)
// Slice  sha256:99324b90

import { column, constraint, defineTable, pg } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.reading. */
export const columns = {
  sensor: column("sensor", `"sensor"`, pg("int4")),
  at: column("at", `"at"`, pg("timestamptz")),
  value: column("value", `"value"`, pg("float8"), { nullable: true }),
};

/** Table public.reading. */
export const reading = defineTable({
  source: defaultSource,
  sql: `"public"."reading"`,
  type: "reading",
  displayName: "reading",
  primaryKey: [columns.sensor, columns.at],
  constraints: [constraint("reading_pkey", `"reading_pkey"`, ["sensor", "at"])],
  partitioned: true,
  mayLeaveOutRows: true,
});
