/**
 * `run_sql`: runs an administrator's SQL on a source (`metadata-api.md` 4). Where the SQL may have changed what metadata
 * depends on, the database is looked at before and after it, inside its transaction: what would leave metadata without
 * a table or column undoes the SQL, and what was renamed or dropped changes the draft.
 */
import { introspectAgain, type SeenShape } from "../../compiler/1-introspect/introspect.ts";
import type { SourceIntrospection } from "../../compiler/2-analyze/analysis.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { Json, Source } from "../../compiler/catalog/model.ts";
import { ok } from "../../compiler/diagnostics/diagnostic.ts";
import { dialectOf } from "../../compiler/dialects/index.ts";
import type { RunSqlCall } from "../../compiler/metadata/io.ts";
import { findSource } from "../../compiler/metadata/lookups.ts";
import { needsMetadataCheck } from "../../compiler/metadata/operations/run-sql.ts";
import { type SchemaChange, schemaChange } from "../../compiler/metadata/schema-change/schema-change.ts";
import type { Shape } from "../../compiler/shape/shape.ts";
import { isBlockedByRecorders } from "../events/install.ts";
import { makeNamedTables } from "../events/named-tables.ts";
import type { DatabaseSource, RunSqlResult, SourceTransaction } from "../sources/source.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { applyChange, type ChangeEnvironment } from "./apply-change.ts";
import { compileState } from "./compile-state.ts";
import type { Recorded } from "./event-recorders.ts";
import type { RecordedMetadata } from "./recorded-source.ts";
import type { Introspections } from "./source-registry.ts";
import type { Draft } from "./state.ts";
import { valueOrThrow } from "./thrown.ts";

/**
 * Runs the SQL and answers its result. A draft that the SQL does not concern stays as it is.
 * @throws EngineError at the path of the call: the database's refusal, or why the metadata cannot follow. In the first
 * case and where something depends on what is gone the SQL is rolled back; it stays when the changed metadata turns
 * out inconsistent only afterwards, and then the draft is as before.
 */
export async function runSql(
  call: RunSqlCall,
  draft: Draft,
  environment: ChangeEnvironment,
  session: Session,
): Promise<Json> {
  const { kind, input, path } = call;
  const source = valueOrThrow(findSource({ ...draft, context: environment.context, kind, path }, input.source));
  try {
    const database = environment.sources.database(source);
    if (!input.read_only && environment.recorders.isEnabled) {
      await makeNamedTables({ name: source.name, kind: source.kind, database }, input.sql);
    }
    if (!needsMetadataCheck(kind, input)) return asJson(await runUnchecked(database, call));
    const checked = await runChecked({ call, draft, session, source, database, environment });
    return await follow(call, checked, source, draft, environment);
  } catch (error) {
    throw error instanceof EngineError ? error.at(path) : error;
  }
}

function asJson({ result_type, result }: RunSqlResult): Json {
  return { result_type, result: result as Json };
}

function runUnchecked(database: DatabaseSource, { input }: RunSqlCall): Promise<RunSqlResult> {
  const { sql, read_only, no_transaction } = input;
  if (no_transaction && !read_only) return database.runSqlWithoutTransaction(sql);
  return database.runSql(sql, { readOnly: read_only });
}

interface CheckedRun {
  readonly call: RunSqlCall;
  readonly draft: Draft;
  readonly session: Session;
  readonly source: Source;
  readonly database: DatabaseSource;
  readonly environment: ChangeEnvironment;
}

interface CheckedResult {
  readonly result: RunSqlResult;
  readonly change: SchemaChange;
  /** What the SQL left behind, without the rows of enum tables. */
  readonly seen: SeenShape;
}

/**
 * The event triggers of the source are in place while the SQL runs, so that its writes are recorded too. Where they are
 * in its way, it runs once more without them. Before COMMIT they are those of the changed metadata: nobody writes to a
 * table meanwhile that the SQL has changed.
 */
async function runChecked(run: CheckedRun): Promise<CheckedResult> {
  try {
    return await runOnce(run, false);
  } catch (error) {
    if (!mayRunWithoutRecorders(run, error)) throw error;
    return await runOnce(run, true);
  }
}

/** SQL that commits by itself has left something behind that cannot run twice. */
function mayRunWithoutRecorders({ call, source, environment }: CheckedRun, error: unknown): boolean {
  const { sql, no_transaction } = call.input;
  if (no_transaction || !environment.recorders.isEnabled || !(error instanceof EngineError)) return false;
  return isBlockedByRecorders(source.kind, error) && !/\b(?:commit|rollback|abort|prepare\s+transaction)\b/i.test(sql);
}

async function runOnce(run: CheckedRun, isWithoutRecorders: boolean): Promise<CheckedResult> {
  const { call, session, source, database } = run;
  const { sql, no_transaction } = call.input;
  const dialect = dialectOf(source.kind);
  const lookIn = (transaction: SourceTransaction, known: SeenShape | undefined) =>
    introspectAgain(dialect, (text) => transaction.query({ text }, []), [], known);
  if (no_transaction) {
    const look: Look = (known) => database.transaction({ readOnly: true }, (transaction) => lookIn(transaction, known));
    const compared = await compare(run, look, () => database.runSqlWithoutTransaction(sql));
    await database.transaction({}, (transaction) => installRecorders(run, compared, transaction));
    return compared;
  }
  const user = JSON.stringify(Object.fromEntries(session.variables));
  return database.transaction({ user }, async (transaction) => {
    if (isWithoutRecorders) await removeRecorders(run, transaction);
    const compared = await compare(
      run,
      (known) => lookIn(transaction, known),
      () => transaction.runSql(sql),
    );
    await installRecorders(run, compared, transaction);
    return compared;
  });
}

async function removeRecorders({ source, draft, environment }: CheckedRun, transaction: SourceTransaction) {
  const own = recordedSource(environment.recordedBy(draft), source.name);
  if (own !== undefined) await environment.recorders.removeWithin(transaction, own);
}

/**
 * Compiles the changed metadata with what the transaction has made of the tables. No other connection is asked: it would
 * wait for the locks of this one.
 */
async function installRecorders(
  { call, draft, source, environment }: CheckedRun,
  { change, seen: { shape } }: CheckedResult,
  transaction: SourceTransaction,
): Promise<void> {
  const { recorders, compiler, recordedBy } = environment;
  const hasTriggers = [...source.tables, ...(findSourceIn(change.catalog, source.name)?.tables ?? [])].some(
    ({ event_triggers }) => event_triggers.length > 0,
  );
  if (!hasTriggers || !recorders.isEnabled) return;
  const { remoteIntrospections } = draft;
  const known = draft.introspections.get(source.name)?.introspection;
  const introspections = withShape(draft.introspections, source.name, { shape: withEnumValues(shape, known) });
  const surroundings = { introspections, remoteIntrospections };
  const compiled = compileState(change.catalog, surroundings, compiler, call.path, draft);
  const after = recordedBy({ ...draft, catalog: change.catalog, ...surroundings, ...compiled });
  const own = recordedSource(after, source.name);
  if (own !== undefined) await recorders.installWithin(transaction, after, own);
}

function findSourceIn({ sources }: Catalog, name: string): Source | undefined {
  return sources.find((source) => source.name === name);
}

function recordedSource({ sources }: Recorded, name: string): RecordedMetadata | undefined {
  return sources.find(({ source }) => source.name === name);
}

/** With the rows of enum tables that were last read: event triggers do not depend on them, but their tables may. */
function withEnumValues(shape: Shape, known: SourceIntrospection | undefined): Shape {
  if (known === undefined || !("shape" in known)) return shape;
  const enums = new Map(
    known.shape.tables.flatMap(({ schema, name, enumValues }) =>
      enumValues === undefined ? [] : [[JSON.stringify([schema, name]), enumValues] as const],
    ),
  );
  if (enums.size === 0) return shape;
  return {
    ...shape,
    tables: shape.tables.map((table) => {
      const enumValues = enums.get(JSON.stringify([table.schema, table.name]));
      return enumValues === undefined ? table : { ...table, enumValues };
    }),
  };
}

/** How the database is now. @param known how it was; what has not changed since is not read again */
type Look = (known: SeenShape | undefined) => Promise<SeenShape>;

/**
 * What is known of the source may be old: taking it for the state before the SQL would blame the SQL for what somebody
 * else did, and untrack tables that were only made anew. So the database is always asked whether it is what it was.
 */
async function compare(
  { call, draft, source }: CheckedRun,
  look: Look,
  execute: () => Promise<RunSqlResult>,
): Promise<CheckedResult> {
  const before = await look(draft.introspections.get(source.name)?.seen);
  const result = await execute();
  const seen = await look(before);
  const { catalog, analysis } = draft;
  const { cascade } = call.input;
  const change = schemaChange({
    catalog,
    analysis,
    source: source.name,
    before: before.shape,
    after: seen.shape,
    cascade,
    path: call.path,
  });
  return { result, change: valueOrThrow(change), seen };
}

/** Analyses the metadata that goes with the database as it is now, and answers the result of the SQL. */
async function follow(
  { path }: RunSqlCall,
  { result, change, seen }: CheckedResult,
  { name, tables }: Source,
  draft: Draft,
  environment: ChangeEnvironment,
): Promise<Json> {
  const { catalog, renamed } = change;
  const hasEnums = tables.some((table) => table.is_enum);
  const changed: Draft = { ...draft, introspections: withShape(draft.introspections, name, seen) };
  const answer = await applyChange(
    {
      check: "new-entries",
      path,
      apply: () =>
        ok({
          catalog,
          renamed,
          // The rows of enum tables are not part of the comparison, but may be what the SQL wrote.
          effects: [{ kind: "introspect", sources: hasEnums ? [name] : [] }],
          answer: () => asJson(result),
        }),
    },
    changed,
    environment,
  );
  Object.assign(draft, changed);
  return answer;
}

/** What the database said of native queries may no longer hold. */
function withShape(
  known: Introspections,
  source: string,
  { shape, ...seen }: Pick<SeenShape, "shape"> & Partial<SeenShape>,
): Introspections {
  const before = known.get(source);
  if (before === undefined) return known;
  const { key, connection } = before;
  const fresh = { key, connection, introspection: { shape } };
  const { fingerprint } = seen;
  return new Map([...known, [source, fingerprint === undefined ? fresh : { ...fresh, seen: { shape, fingerprint } }]]);
}
