/**
 * Runs an operation in transactions that are rolled back, and reports the rows that it changes. Queries write, too, if
 * they call volatile functions.
 */
import type { DatabaseSource, TableChanges } from "../../databases/sources/source.ts";
import type { RoleSchema } from "../../model/schema/role-schema.ts";
import type { WriteEffect } from "../../ports/agent-tools.ts";
import { type Generation, onSources } from "../generation.ts";
import type { PlannedRequest } from "../planned-request.ts";
import { type AdmittedRequest, executeWithoutMetrics, plan } from "../request.ts";
import { routedForWriting, routedOperation, routedSource, withRouting } from "../route.ts";

type Databases = ReadonlyMap<string, DatabaseSource>;

/** Changes by database. */
type Changes = readonly (readonly [database: string, changes: readonly TableChanges[]])[];

/**
 * @returns the changed rows by table; `null` if the operation calls actions or remote schemas, joins their values to its
 *   result, or uses a database that cannot roll back or does not count rows
 * @throws EngineError as the operation would
 */
export async function rehearseOperation(admitted: AdmittedRequest): Promise<readonly WriteEffect[] | null> {
  await admitted.options.continuity.settled();
  const planned = plan(admitted);
  if (callsOthers(planned)) return null;
  const { generation } = planned.pinned;
  const databases = usedDatabases(planned);
  if ([...databases.values()].some(({ rehearse }) => rehearse === undefined)) return null;
  const changes = await rehearsed([...databases], new Map(), (rehearsals) =>
    run(admitted, onSources(generation, new Map([...generation.sources, ...rehearsals]))),
  );
  await planned.pinned.assertCurrent();
  return changes && effectsOf(changes, planned.planned.schema);
}

/** Fields in namespaces count, too. */
function callsOthers({ planned }: PlannedRequest): boolean {
  const { remotes, actions, joins } = planned.plan.plan;
  return remotes !== undefined || actions !== undefined || joins !== undefined;
}

/** Returns the databases in which the operation runs statements, by the names of their sources. */
function usedDatabases({ pinned: { generation }, planned, session }: PlannedRequest): Databases {
  const routed = withRouting(generation, session, () => routedOperation(planned.operation().definition));
  const { plan, writes } = planned.plan;
  return new Map([
    ...plan.statements.map(({ source }) => [source, routedSource(generation, source, routed)] as const),
    ...writes.map(({ source }) => [source, routedForWriting(generation, source, routed)] as const),
  ]);
}

/** Opens a transaction in each database and counts what `work` changes. */
async function rehearsed(
  [first, ...rest]: readonly (readonly [string, DatabaseSource])[],
  opened: Databases,
  work: (rehearsals: Databases) => Promise<unknown>,
): Promise<Changes | null> {
  const [name, database] = first ?? [];
  if (name === undefined || database?.rehearse === undefined) {
    await work(opened);
    return [];
  }
  return database.rehearse(async (rehearsal) => {
    const inner = () => rehearsed(rest, new Map([...opened, [name, rehearsal]]), work);
    const [others, changes] = await rehearsal.counted(inner);
    return others && changes && [...others, [name, changes] as const];
  });
}

function run({ request, by, options }: AdmittedRequest, generation: Generation): Promise<unknown> {
  // Nothing is written, so the log of operations has no entry, and no response with undone changes may be cached.
  const alone = { ...options, queryLog: undefined, responses: undefined };
  return executeWithoutMetrics({ current: () => generation, request, by, options: alone });
}

/** Adds up the tables that the role cannot see, whose names must not be disclosed. */
function effectsOf(changes: Changes, { tables }: RoleSchema): readonly WriteEffect[] {
  const all = changes.flatMap(([database, ofTables]) =>
    ofTables.map(({ schema, table, ...counts }) => {
      const view = tables[database]?.[schema]?.[table]?.();
      return { table: view ? view.table.source.naming.type(view.table.type) : null, ...counts };
    }),
  );
  const hidden = all.filter(({ table }) => table === null);
  const visible = all.filter(({ table }) => table !== null);
  const sorted = visible.sort((a, b) => ((a.table ?? "") < (b.table ?? "") ? -1 : 1));
  return hidden.length === 0 ? sorted : [...sorted, hidden.reduce(sum)];
}

const sum = (a: WriteEffect, b: WriteEffect): WriteEffect => ({
  table: null,
  inserted: a.inserted + b.inserted,
  updated: a.updated + b.updated,
  deleted: a.deleted + b.deleted,
});
