/**
 * `node --import tsx test/bench/change.ts [TABLES] [ROUNDS] [inherited|tracked|altered|handed]` measures the processor
 * time in milliseconds of one permission change with many tables, step by step, until the fields of the changed table
 * can be queried. Runs within this process, without HTTP, storage and the esbuild process. Each generated table has a
 * foreign key and a permission for 20 roles. `inherited`: a role that inherits from the changed role sends the queries.
 * `tracked`: the last table, to which no other refers, is alternately untracked and tracked. `altered`: a table in the
 * middle gains and loses a column in the database. `handed`: the time to read and analyse the whole metadata, compared
 * with receiving the result from another process, as a worker would.
 */
import { deserialize, serialize } from "node:v8";
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import type { AnalysisInput } from "../../compiler/2-analyze/analyze.ts";
import { changedParts } from "../../compiler/catalog/parts.ts";
import { decodeRequest } from "../../compiler/metadata/dispatch.ts";
import type { ColumnShape } from "../../compiler/shape/shape.ts";
import { type Compiled, compileAnalysis } from "../../runtime/control/compile-analysis.ts";
import { GenerationBuilder } from "../../runtime/control/generation-builder.ts";
import { CodeCache } from "../../runtime/control/load/code-cache.ts";
import { openPostgres } from "../../runtime/databases/sources/postgres/open-postgres.ts";
import { resolvePostgresSettings } from "../../runtime/databases/sources/postgres/settings.ts";
import { analysisOf, columns, library, parsed, sourceIn, table } from "../unit/analyze/sample.ts";

const [tables = 2000, rounds = 15] = process.argv.slice(2, 4).map(Number);
const inherited_roles = process.argv[4] === "inherited" ? [{ role_name: "heir", role_set: ["role_7", "role_8"] }] : [];
const measuredRole = inherited_roles[0]?.role_name ?? "role_7";
const warmUp = 3;
const nameOf = (index: number): string => `table_${index}`;
const permission = (columns: readonly string[]) => ({ columns, filter: { owner: { _eq: "X-Engine-User-Id" } } });

function world(): Analysis {
  const shapes = Array.from({ length: tables }, (_, index) =>
    table(nameOf(index), {
      columns: { id: "int4!", parent_id: "int4", name: "text", owner: "text" },
      primaryKey: ["id"],
      foreignKeys:
        index === 0
          ? []
          : [
              {
                columns: ["parent_id"],
                foreignTable: { schema: "public", name: nameOf(index - 1) },
                foreignColumns: ["id"],
              },
            ],
    }),
  );
  const select = Array.from({ length: 20 }, (_, role) => ({
    role: `role_${role}`,
    permission: permission(["id", "parent_id", "name", "owner"]),
  }));
  const parent = { name: "parent", using: { foreign_key_constraint_on: "parent_id" } };
  const source = {
    name: "default",
    configuration: { connection_info: { database_url: "postgres://x" } },
    tables: shapes.map(({ name }, index) => ({
      table: name,
      object_relationships: index === 0 ? [] : [parent],
      select_permissions: select,
    })),
  };
  return analysisOf(parsed({ version: 3, sources: [source], inherited_roles }), {
    shape: { ...library, tables: shapes },
  });
}

const spent = new Map<string, number>();

function timed<T>(step: string, work: () => T): T {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  spent.set(step, (spent.get(step) ?? 0) + (user + system) / 1000);
  return value;
}

const changedTable = nameOf(tables >> 1);
const lastTable = nameOf(tables - 1);

/** Returns the input of the next analysis, given the previous analysis. */
type Change = (before: Analysis, round: number) => Pick<AnalysisInput, "catalog" | "introspections">;

const introspectionsOf = ({ sources }: Analysis) =>
  new Map([...sources].map(([name, { introspection }]) => [name, introspection]));

function operation(type: string, args: object): Change {
  return (before, round) => {
    const decoded = timed("decode", () => decodeRequest("/v1/metadata", { type, args }));
    if (!decoded.ok || decoded.value.call.effect !== "change") throw new Error("the operation is a change");
    const { call } = decoded.value;
    const applied = timed("apply", () =>
      call.apply({ catalog: before.catalog, analysis: before, context: { resourceVersion: round } }),
    );
    if (!applied.ok) throw new Error(applied.error.message);
    return { catalog: applied.value.catalog, introspections: introspectionsOf(before) };
  };
}

/** Returns a change of one table's columns. All other tables remain the same objects, as in an introspection. */
function withColumns(change: (columns: readonly ColumnShape[]) => readonly ColumnShape[]): Change {
  return (before) => {
    const { shape } = sourceIn(before);
    const tables = shape.tables.map((each) =>
      each.name === changedTable ? { ...each, columns: change(each.columns) } : each,
    );
    return { catalog: before.catalog, introspections: new Map([["default", { shape: { ...shape, tables } }]]) };
  };
}

const kinds: Readonly<Record<string, readonly Change[]>> = {
  tracked: [
    operation("pg_untrack_table", { table: lastTable, cascade: true }),
    operation("pg_track_table", { table: lastTable }),
  ],
  altered: [
    withColumns((known) => [...known, ...columns({ extra: "int4" })]),
    withColumns((known) => known.filter(({ name }) => name !== "extra")),
  ],
};
const permissionChanges = [
  operation("pg_drop_select_permission", { table: changedTable, role: "role_7" }),
  operation("pg_create_select_permission", {
    table: changedTable,
    role: "role_7",
    permission: permission(["id", "name"]),
  }),
];
const changes = kinds[process.argv[4] ?? ""] ?? permissionChanges;

if (process.argv[4] === "handed") {
  for (let round = 0; round < rounds; round++) {
    const made = timed("analyse", world);
    const bytes = timed("write", () => serialize(made));
    timed("read", () => deserialize(bytes));
    if (round === 0) console.log(`${(bytes.length / 1e6).toFixed(0)} MB`);
  }
  const all = Array.from(spent, ([step, milliseconds]) => `${step} ${(milliseconds / rounds).toFixed(0)} ms`);
  console.log(`${tables} tables x 20 roles: ${all.join(", ")}`);
  process.exit();
}

let analysis = world();
// Never queried, so it opens no connection.
const settings = resolvePostgresSettings("default", { database_url: "postgres://x" }, { variables: {} });
const database = openPostgres(settings);
const builder = new GenerationBuilder({
  sources: { database: () => database },
  planCacheSize: 1000,
  relayCipher: null,
  guard: { allowList: null, unauthorized: null },
});

const planning = { stringifyNumbers: false, nullCollapse: false };
const code = new CodeCache();
let compiled: Compiled | undefined;

for (let round = 0; round < warmUp + rounds; round++) {
  if (round === warmUp) spent.clear();
  for (const change of changes) {
    const before = analysis;
    const next = change(before, round);
    analysis = timed("analyse", () =>
      analysisOf(next.catalog, { previous: before, introspections: next.introspections }),
    );
    timed("parts", () => changedParts(before.catalog, analysis.catalog));
    const { catalog } = analysis;
    const generation = timed("build", () => {
      compiled = compileAnalysis({ analysis, planning, code, previous: compiled });
      return builder.build({ ...compiled, catalog, resourceVersion: round });
    });
    const schema = timed("schema", () => generation.schemaOf({ role: measuredRole, backendOnly: false }));
    timed("field", () => {
      const type = schema.query.fields().get(changedTable)?.type();
      return type?.kind === "object" ? type.fields() : undefined;
    });
  }
}
const each = Array.from(spent, ([step, milliseconds]) => [step, milliseconds / rounds / changes.length] as const);
const whole = each.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
const steps = each.map(([step, milliseconds]) => `${step} ${milliseconds.toFixed(2)}`).join(", ");
console.log(`${tables} tables x 20 roles: ${whole.toFixed(1)} ms of processor time for a change (${steps})`);
