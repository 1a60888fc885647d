/** Cases with each isolation level of a source. */
import type { SourceKind } from "../../../../compiler/catalog/model.ts";
import { type CheckContext, dataOf, expectEqual, type Program } from "../context.ts";

const levels: Readonly<Record<SourceKind, readonly string[]>> = {
  postgres: ["read-committed", "repeatable-read", "serializable"],
  mssql: ["read-uncommitted", "read-committed", "repeatable-read", "snapshot", "serializable"],
};

async function writesAt(context: CheckContext, level: string): Promise<void> {
  const { post, target } = context;
  if (level === "snapshot") await target.sql("alter database current set allow_snapshot_isolation on");
  await context.track({ isolation_level: level });
  try {
    const update = 'mutation { update_shelf(where: {floor: {_eq: 1}}, _set: {label: "x"}) { returning { label } } }';
    const expected = { returning: [{ label: "x" }, { label: "x" }] };
    expectEqual((await dataOf(post, update)).update_shelf, expected, "updated rows");
    const query = '{ shelf_aggregate(where: {label: {_eq: "x"}}) { aggregate { count } } }';
    expectEqual((await dataOf(post, query)).shelf_aggregate, { aggregate: { count: 2 } }, "rows afterwards");
  } finally {
    await context.track();
  }
}

export const isolation: Program = (context) =>
  levels[context.kind].map((level) => ({ name: level, run: () => writesAt(context, level) }));
