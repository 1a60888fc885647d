// Generated: change the metadata, not this file.
// From   table public.sample (source default)
// Slice  sha256:b0e3c659

import { column, constraint, defineTable, pg, pgArray } from "engine/support";
import { defaultSource } from "./source.js";

/** Columns of public.sample. */
export const columns = {
  id: column("id", `"id"`, pg("int8")),
  small: column("small", `"small"`, pg("int2"), { nullable: true }),
  number: column("number", `"number"`, pg("int4"), { nullable: true }),
  amount: column("amount", `"amount"`, pg("numeric"), { nullable: true }),
  real_number: column("real_number", `"real_number"`, pg("float4"), { nullable: true }),
  exact: column("exact", `"exact"`, pg("float8"), { nullable: true }),
  price: column("price", `"price"`, pg("money"), { nullable: true }),
  flag: column("flag", `"flag"`, pg("bool"), { nullable: true }),
  code: column("code", `"code"`, pg("char", { cast: "\"char\"" }), { nullable: true }),
  padded: column("padded", `"padded"`, pg("bpchar"), { nullable: true }),
  name: column("name", `"name"`, pg("varchar"), { nullable: true }),
  body: column("body", `"body"`, pg("text"), { nullable: true }),
  bits: column("bits", `"bits"`, pg("bit", { cast: "\"bit\"" }), { nullable: true }),
  data: column("data", `"data"`, pg("json"), { nullable: true }),
  document: column("document", `"document"`, pg("jsonb"), { nullable: true }),
  token: column("token", `"token"`, pg("uuid"), { nullable: true }),
  day: column("day", `"day"`, pg("date"), { nullable: true }),
  at: column("at", `"at"`, pg("timestamp"), { nullable: true }),
  since: column("since", `"since"`, pg("timestamptz"), { nullable: true }),
  hour: column("hour", `"hour"`, pg("time"), { nullable: true }),
  gap: column("gap", `"gap"`, pg("interval"), { nullable: true }),
  address: column("address", `"address"`, pg("inet"), { nullable: true }),
  raw: column("raw", `"raw"`, pg("bytea"), { nullable: true }),
  mood: column("mood", `"mood"`, pg("mood", { cast: "kinds.mood", category: "enum" }), {
    nullable: true,
  }),
  moods: column(
    "moods",
    `"moods"`,
    pgArray(pg("mood", { cast: "kinds.mood", category: "enum" })),
    { nullable: true },
  ),
  home: column("home", `"home"`, pg("address", { cast: "kinds.address", category: "composite" }), {
    nullable: true,
  }),
  positive: column("positive", `"positive"`, pg("int4", { cast: "kinds.positive" }), {
    nullable: true,
  }),
  scores: column("scores", `"scores"`, pgArray(pg("int4", { cast: "kinds.positive" })), {
    nullable: true,
  }),
  period: column("period", `"period"`, pg("period", { cast: "kinds.period", category: "range" }), {
    nullable: true,
  }),
  numbers: column("numbers", `"numbers"`, pgArray(pg("int4")), { nullable: true }),
  span: column("span", `"span"`, pg("int4range"), { nullable: true }),
};

/** Table public.sample. */
export const sample = defineTable({
  source: defaultSource,
  sql: `"public"."sample"`,
  type: "sample",
  displayName: "sample",
  primaryKey: [columns.id],
  constraints: [constraint("sample_pkey", `"sample_pkey"`, ["id"])],
});
