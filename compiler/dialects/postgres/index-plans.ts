/** Reads from plans whether the database uses an index. `EXPLAIN` without `ANALYZE` runs no statement. */
import { invariant } from "../../../runtime/values/errors.ts";
import type { IndexPlans } from "../dialect.ts";
import { isUserSchema } from "./introspect/statement.ts";

export const indexPlans: IndexPlans = {
  // A sub-select is a parameter of the plan. The planner would compute the comparison with a constant.
  unknownValue: "(select null::pg_catalog.text)",
  async prepare(query) {
    await query("SELECT pg_catalog.set_config('enable_seqscan', 'off', true)");
  },
  async usesIndex(query, statement, { alias, columns, firstColumns }) {
    const [[text] = []] = await query(`EXPLAIN (FORMAT JSON, COSTS OFF) ${statement}`);
    invariant(typeof text === "string", "a plan is a text");
    const scans = scansOf(
      (JSON.parse(text) as readonly { readonly Plan: PlanNode }[]).map(({ Plan }) => Plan),
      alias,
    );
    if (scans.length === 0) return undefined;
    return scans.every((scan) =>
      lookupsOf(scan).some(({ index, condition }) => {
        const first = firstColumns(index);
        return namesOne(condition, columns) && (first.length === 0 || namesOne(condition, first));
      }),
    );
  },
  async readSmallTables(query, maxRows) {
    invariant(Number.isSafeInteger(maxRows), "the bound is a number of rows");
    // Before version 14, an estimate of 0 stands for a table without an estimate.
    const rows = await query(`SELECT n.nspname, c.relname, c.reltuples::pg_catalog.int8
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE ${isUserSchema} AND c.relkind IN ('r', 'p', 'm') AND c.reltuples > 0 AND c.reltuples < ${maxRows}`);
    return rows.map(([schema, name, estimate]) => ({
      schema: schema ?? "",
      name: name ?? "",
      rows: Number(estimate),
    }));
  },
};

interface PlanNode {
  readonly Alias?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Returns the scans of a table; those of its partitions have numbered aliases. */
function scansOf(nodes: readonly PlanNode[], alias: string): readonly PlanNode[] {
  return nodes.flatMap((node) => {
    const isScan = node.Alias === alias || (node.Alias?.startsWith(`${alias}_`) ?? false);
    return isScan ? [node] : scansOf(node.Plans ?? [], alias);
  });
}

interface Lookup {
  readonly index: string;
  readonly condition: string;
}

/** Returns the lookups of an index scan, or of the indexes of a bitmap scan. */
function lookupsOf({ "Index Name": index = "", "Index Cond": condition, Plans = [] }: PlanNode): readonly Lookup[] {
  return [...(condition === undefined ? [] : [{ index, condition }]), ...Plans.flatMap(lookupsOf)];
}

/** Returns true if a printed condition names one of the columns. */
function namesOne(condition: string, columns: readonly string[]): boolean {
  const withoutTexts = condition.replace(/'(?:[^']|'')*'/g, "''");
  const identifiers = withoutTexts.match(/"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*/gu) ?? [];
  const printed = new Set(columns.flatMap((column) => [column, `"${column.replaceAll('"', '""')}"`]));
  return identifiers.some((each) => printed.has(each));
}
