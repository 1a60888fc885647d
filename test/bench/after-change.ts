/**
 * `node --import tsx test/bench/after-change.ts [TABLES] [ROUNDS]` measures how a permission change of one role affects
 * the first requests of 19 other roles, within this process, without databases and HTTP. Each role runs six operations
 * on a chain of related tables. Output: the share of plans kept, and the total processor time in milliseconds of the
 * first requests of all 19 roles, with the previous generation (`takes over`) and without it (`anew`).
 */
import { decodeRequest } from "../../compiler/metadata/dispatch.ts";
import { type Compiled, compileAnalysis } from "../../runtime/control/compile-analysis.ts";
import { GenerationBuilder } from "../../runtime/control/generation-builder.ts";
import { CodeCache } from "../../runtime/control/load/code-cache.ts";
import type { LoadedGeneration } from "../../runtime/control/loaded-generation.ts";
import { openPostgres } from "../../runtime/databases/sources/postgres/open-postgres.ts";
import { resolvePostgresSettings } from "../../runtime/databases/sources/postgres/settings.ts";
import { planOperation } from "../../runtime/execute/plan-operation.ts";
import { execution } from "../support/compiled.ts";
import { analysisOf, library, parsed, table } from "../unit/analyze/sample.ts";

const [tables = 100, rounds = 20] = process.argv.slice(2, 4).map(Number);
const roles = Array.from({ length: 20 }, (_, index) => `role_${index}`);
const changed = "role_7";
const others = roles.filter((role) => role !== changed);
const nameOf = (index: number): string => `table_${index}`;
const permission = (columns: readonly string[]) => ({ columns, filter: { owner: { _eq: "X-Engine-User-Id" } } });
const allColumns = ["id", "parent_id", "name", "owner"];

const shapes = Array.from({ length: tables }, (_, index) => {
  const key = { foreignTable: { schema: "public", name: nameOf(index - 1) }, foreignColumns: ["id"] };
  return table(nameOf(index), {
    columns: { id: "int4!", parent_id: "int4", name: "text", owner: "text" },
    primaryKey: ["id"],
    foreignKeys: index === 0 ? [] : [{ columns: ["parent_id"], ...key }],
  });
});

const parent = { name: "parent", using: { foreign_key_constraint_on: "parent_id" } };
const source = {
  name: "default",
  configuration: { connection_info: { database_url: "postgres://x" } },
  tables: shapes.map(({ name }, index) => ({
    table: name,
    object_relationships: index === 0 ? [] : [parent],
    select_permissions: roles.map((role) => ({ role, permission: permission(allColumns) })),
  })),
};
const queries = Array.from({ length: 6 }, (_, i) => {
  const name = nameOf((i * 7 + 3) % tables);
  return `query ($name: String) { ${name}(where: {name: {_eq: $name}}, limit: 10) { id name parent { id name } } }`;
});

const planning = { stringifyNumbers: false, nullCollapse: false };
const options = { ...execution, ...planning, subscriptions: false };
// Never queried, so it opens no connection.
const settings = resolvePostgresSettings("default", { database_url: "postgres://x" }, { variables: {} });
const database = openPostgres(settings);
const builder = new GenerationBuilder({
  sources: { database: () => database },
  planCacheSize: 4000,
  relayCipher: null,
  guard: { allowList: null, unauthorized: null },
});

function ask(generation: LoadedGeneration, role: string, query: string): void {
  const session = { role, variables: new Map([["x-engine-user-id", "1"]]), backendOnly: false };
  planOperation(generation, { query, operationName: null, variables: { name: "x" } }, session, options);
}

function isPlanned(generation: LoadedGeneration, role: string, query: string): boolean {
  const { plans } = generation;
  const schema = generation.schemaOf({ role, backendOnly: false });
  return plans.plan(plans.find(schema, { query, operationName: null }, options), { name: "x" }) !== undefined;
}

/** Returns the processor time in milliseconds. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const median = (figures: readonly number[]): number => [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? 0;

function measure(takesOver: boolean): { readonly kept: number; readonly first: number; readonly all: number } {
  const code = new CodeCache();
  const introspections = new Map([["default", { shape: { ...library, tables: shapes } }]]);
  let analysis = analysisOf(parsed({ version: 3, sources: [source] }), { introspections });
  let compiled: Compiled = compileAnalysis({ analysis, planning, code });
  let generation = builder.build({ ...compiled, catalog: analysis.catalog, resourceVersion: 0 });
  for (const role of roles) for (const query of queries) ask(generation, role, query);
  const first: number[] = [];
  const all: number[] = [];
  let kept = 0;
  for (let round = 0; round < rounds; round++) {
    const args = { table: nameOf(3), role: changed };
    const change =
      round % 2 === 0
        ? { type: "pg_drop_select_permission", args }
        : { type: "pg_create_select_permission", args: { ...args, permission: permission(["id", "name"]) } };
    const decoded = decodeRequest("/v1/metadata", change);
    if (!decoded.ok || decoded.value.call.effect !== "change") throw new Error("the operation is a change");
    const context = { resourceVersion: round };
    const applied = decoded.value.call.apply({ catalog: analysis.catalog, analysis, context });
    if (!applied.ok) throw new Error(applied.error.message);
    analysis = analysisOf(applied.value.catalog, { previous: analysis, introspections });
    compiled = compileAnalysis({ analysis, planning, code, previous: compiled });
    const state = { ...compiled, catalog: analysis.catalog, resourceVersion: round };
    const next = builder.build(state, takesOver ? generation : undefined);
    const [one = ""] = queries;
    first.push(processorTime(() => others.map((role) => ask(next, role, one))));
    if (takesOver) kept += others.flatMap((role) => queries.filter((query) => isPlanned(next, role, query))).length;
    all.push(processorTime(() => others.map((role) => queries.map((query) => ask(next, role, query)))));
    generation = next;
  }
  return { kept: kept / rounds / others.length / queries.length, first: median(first), all: median(all) };
}

for (const [name, takesOver] of [
  ["anew", false],
  ["takes over", true],
  ["anew", false],
  ["takes over", true],
] as const) {
  const { kept, first, all } = measure(takesOver);
  const share = takesOver ? `, ${(kept * 100).toFixed(0)} % of their plans kept` : "";
  console.log(
    `${name}: ${first.toFixed(1)} ms for one operation of each other role, ${all.toFixed(1)} ms for the rest${share}`,
  );
}
await database.close();
