/**
 * `run_sql`: runs an administrator's SQL on a source (`metadata-api.md` 4). SQL that may change what metadata depends on is
 * checked inside its transaction: the database is read before and after it, the metadata that follows is compiled
 * with what the transaction sees, and a change that would make metadata inconsistent is rolled back. SQL that cannot be
 * rolled back is followed as far as possible, and what it made inconsistent is listed.
 */
import { introspectAgain, type SeenShape } from "../../compiler/1-introspect/introspect.ts";
import { inconsistencyEntry } from "../../compiler/2-analyze/inconsistency.ts";
import type { Json, Source } from "../../compiler/catalog/model.ts";
import { ok } from "../../compiler/diagnostics/diagnostic.ts";
import type { Query } from "../../compiler/dialects/dialect.ts";
import { dialectOf } from "../../compiler/dialects/index.ts";
import { newlyInconsistent } from "../../compiler/metadata/consistency.ts";
import type { RunSqlCall } from "../../compiler/metadata/io.ts";
import { findSource } from "../../compiler/metadata/lookups.ts";
import { mayEndTransaction, needsMetadataCheck } from "../../compiler/metadata/operations/run-sql.ts";
import { schemaChange } from "../../compiler/metadata/schema-change/schema-change.ts";
import { underNewName } from "../../compiler/metadata/settle.ts";
import type { Shape } from "../../compiler/shape/shape.ts";
import type { DatabaseSource, RunSqlResult, SourceTransaction } from "../databases/sources/source.ts";
import { isBlockedByRecorders } from "../jobs/events/install.ts";
import { makeNamedTables } from "../jobs/events/named-tables.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { applyChange, type ChangeEnvironment } from "./apply-change.ts";
import type { Recorded } from "./event-recorders.ts";
import type { RecordedMetadata } from "./recorded-source.ts";
import type { Introspections, OpenTransaction } from "./source-registry.ts";
import type { Draft } from "./state.ts";
import { valueOrThrow } from "./thrown.ts";

/**
 * Runs the SQL and returns its result. A draft that the SQL does not concern stays as it is.
 * @throws EngineError at the path of the call: the database's refusal, or why the metadata cannot follow. The draft is as
 * before, and so is the database; the message says so where it is not.
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
    const { after, answer } = await runChecked({ call, draft, session, source, database, environment });
    Object.assign(draft, after);
    environment.sources.executed(source.name, draft.introspections.get(source.name)?.introspection);
    return answer;
  } catch (error) {
    throw error instanceof EngineError ? error.at(path) : error;
  }
}

function asJson({ result_type, result }: RunSqlResult): { readonly [member: string]: Json } {
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

/** What is to be served after the SQL, and the answer to it. */
interface Followed {
  readonly after: Draft;
  readonly answer: Json;
  readonly shape: Shape;
}

/** The source before the SQL. */
interface Base {
  readonly seen: SeenShape;
  /** The metadata as it is with that. */
  readonly draft: Draft;
}

/**
 * The event triggers of the source are in place while the SQL runs, so that its writes are recorded too. Where they are
 * in its way, it runs once more without them. Before COMMIT they are those of the changed metadata: nobody writes to a
 * table meanwhile that the SQL has changed.
 */
async function runChecked(run: CheckedRun): Promise<Followed> {
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

async function runOnce(run: CheckedRun, isWithoutRecorders: boolean): Promise<Followed> {
  const { call, session, database } = run;
  const { sql, no_transaction } = call.input;
  const progress: Progress = {};
  try {
    if (no_transaction) {
      progress.base = await outside(run, (query) => baseOf(run, query));
      const result = await database.runSqlWithoutTransaction(sql);
      return await followOutside(run, progress.base, result);
    }
    const user = JSON.stringify(Object.fromEntries(session.variables));
    const done = await database.transaction({ user, errors: "dml" }, async (transaction) => {
      if (isWithoutRecorders) await removeRecorders(run, transaction);
      const base = await baseOf(run, readsWithin(transaction));
      progress.base = base;
      const result = await transaction.runSql(sql);
      if (transaction.isEnded) return { base, result };
      const followed = await follow(run, base, result, readsWithin(transaction));
      await installRecorders(run, followed, transaction);
      await run.environment.reserve(); // a conflict after COMMIT would leave the change of the database alone
      progress.committing = followed;
      return followed;
    });
    return "answer" in done ? done : await followOutside(run, done.base, done.result);
  } catch (error) {
    return await settleFailure(run, progress, error);
  }
}

/** How far a run has come. */
interface Progress {
  base?: Base;
  /** What its COMMIT was sent for. */
  committing?: Followed;
}

/**
 * After a failure of SQL that may have taken effect, because it ran outside a transaction, ended its transaction itself, or
 * because the answer to COMMIT was lost: reads from the database what happened.
 * @returns the result of SQL that was committed after all
 * @throws EngineError the failure; the message says whether the SQL was executed in spite of it
 */
async function settleFailure(run: CheckedRun, { base, committing }: Progress, error: unknown): Promise<Followed> {
  const { call, source, environment } = run;
  const { sql, no_transaction } = call.input;
  const mayBeDone = no_transaction || committing !== undefined || mayEndTransaction(call.kind, sql);
  if (base === undefined || !mayBeDone || !(error instanceof EngineError)) throw error;
  const now = await outside(run, (query) => introspectAgain(dialectOf(source.kind), query, [], base.seen)).catch(
    () => undefined,
  );
  if (now !== undefined && isSameShape(now.shape, base.seen.shape)) throw error;
  if (now !== undefined && committing !== undefined && isSameShape(now.shape, committing.shape)) return committing;
  environment.sources.executed(source.name, undefined);
  const outcome =
    now === undefined
      ? "the database cannot be read, so that it is unknown whether the SQL took effect"
      : "the SQL was not rolled back; get_inconsistent_metadata lists what is inconsistent with the database now";
  const { code, path, message, status, internal, hint } = error;
  throw new EngineError(code, path, `${message} (${outcome})`, { status, internal, hint: () => hint, cause: error });
}

/** Whether two readings of a source agree, but for the rows of enum tables. */
function isSameShape(one: Shape, other: Shape): boolean {
  const text = (shape: Shape) => JSON.stringify(shape, (key, value) => (key === "enumValues" ? undefined : value));
  return one === other || text(one) === text(other);
}

/** In milliseconds: how long a check may hold the locks of the SQL, from one of its reads to the next. */
const checkPatience = 60_000;

/** Reads of the check, inside the transaction of the SQL. */
function readsWithin(transaction: SourceTransaction): Query {
  const end = performance.now() + checkPatience;
  return async (text) => {
    if (performance.now() > end) {
      const seconds = checkPatience / 1000;
      throw new EngineError("time-limit-exceeded", "$", `the metadata check takes longer than ${seconds} seconds`);
    }
    return await transaction.probe({ text });
  };
}

function outside<T>({ database }: CheckedRun, work: (query: Query) => Promise<T>): Promise<T> {
  return database.transaction({ readOnly: true }, (transaction) => work((text) => transaction.query({ text }, [])));
}

async function removeRecorders({ source, draft, environment }: CheckedRun, transaction: SourceTransaction) {
  const own = recordedSource(environment.recordedBy(draft), source.name);
  if (own !== undefined) await environment.recorders.removeWithin(transaction, own);
}

/** Makes the recorders those of the changed metadata before anybody else sees the change. */
async function installRecorders(
  { source, environment }: CheckedRun,
  { after }: Followed,
  transaction: SourceTransaction,
): Promise<void> {
  const { recorders, recordedBy } = environment;
  const now = after.catalog.sources.find(({ name }) => name === source.name);
  const hasTriggers = [...source.tables, ...(now?.tables ?? [])].some(
    ({ event_triggers }) => event_triggers.length > 0,
  );
  if (!hasTriggers || !recorders.isEnabled) return;
  const recorded = recordedBy(after);
  const own = recordedSource(recorded, source.name);
  if (own !== undefined) await recorders.installWithin(transaction, recorded, own);
}

function recordedSource({ sources }: Recorded, name: string): RecordedMetadata | undefined {
  return sources.find(({ source }) => source.name === name);
}

/**
 * Reads the source before the SQL. What is known of it may be old: taking it for the state before the SQL would blame the SQL
 * for a change that somebody else has made, and untrack tables that were only made anew.
 */
async function baseOf(run: CheckedRun, query: Query): Promise<Base> {
  const { source, draft, call, environment } = run;
  const { seen: known, introspection } = draft.introspections.get(source.name) ?? {};
  const seen = await introspectAgain(dialectOf(source.kind), query, [], known);
  const copy = { ...draft, effects: [...draft.effects] };
  const shape = introspection !== undefined && "shape" in introspection ? introspection.shape : undefined;
  if (shape !== undefined && isSameShape(shape, seen.shape)) return { seen, draft: copy };
  const changed = { ...copy, introspections: withShape(draft.introspections, source.name, seen) };
  const within = { source: source.name, query };
  const { catalog } = draft;
  const effects = [{ kind: "introspect", sources: [source.name] }] as const;
  try {
    await applyChange({ check: "none", path: call.path, apply: () => ok({ catalog, effects }) }, changed, {
      ...environment,
      within,
    });
  } catch (error) {
    // Metadata that cannot be served at all with the database as it is: the SQL may be what mends it.
    if (!(error instanceof EngineError)) throw error;
    return { seen, draft: copy };
  }
  return { seen, draft: changed };
}

/** For SQL that cannot be rolled back: the database is what it is, so the metadata follows it in any case. */
async function followOutside(run: CheckedRun, base: Base, result: RunSqlResult): Promise<Followed> {
  const followed = await follow(run, base, result, undefined);
  await run.database.transaction({}, (transaction) => installRecorders(run, followed, transaction));
  return followed;
}

/**
 * Compiles the metadata that goes with the database after the SQL.
 * @param within reads inside the transaction of the SQL, which is refused where it makes metadata inconsistent; `undefined`:
 * the SQL cannot be rolled back, and the answer warns of what has become inconsistent
 */
async function follow(
  run: CheckedRun,
  { seen: before, draft }: Base,
  result: RunSqlResult,
  within: Query | undefined,
): Promise<Followed> {
  const { call, source, environment } = run;
  const { path, input } = call;
  const { name, kind, tables } = source;
  const look = (query: Query) => introspectAgain(dialectOf(kind), query, [], before);
  const seen = within === undefined ? await outside(run, look) : await look(within);
  const { catalog, renamed } = valueOrThrow(
    schemaChange({
      catalog: draft.catalog,
      analysis: draft.analysis,
      source: name,
      before: before.shape,
      after: seen.shape,
      cascade: input.cascade,
      path,
    }),
  );
  const after = { ...draft, introspections: withShape(draft.introspections, name, seen) };
  const known = draft.analysis.inconsistencies.map((entry) => underNewName(entry, renamed));
  // The rows of enum tables are not part of the comparison, but may be what the SQL wrote.
  const effects = [{ kind: "introspect", sources: tables.some((table) => table.is_enum) ? [name] : [] }] as const;
  const answer = await applyChange(
    {
      check: within === undefined ? "none" : "new-entries",
      path,
      apply: () =>
        ok({
          catalog,
          renamed,
          effects,
          answer: ({ inconsistencies }) => {
            const warnings = newlyInconsistent(known, inconsistencies).map((entry) => {
              const { type = null, name: object = null, reason = null } = inconsistencyEntry(entry);
              return { code: "inconsistent-metadata", type, name: object, message: reason };
            });
            return warnings.length === 0 ? asJson(result) : { ...asJson(result), warnings };
          },
        }),
    },
    after,
    { ...environment, ...(within && { within: { source: name, query: within } satisfies OpenTransaction }) },
  );
  return { after, answer, shape: seen.shape };
}

/** What the database said of native queries may no longer hold. */
function withShape(known: Introspections, source: string, { shape, fingerprint }: SeenShape): Introspections {
  const before = known.get(source);
  if (before === undefined) return known;
  const { key, connection } = before;
  const fresh = { key, connection, introspection: { shape } };
  return new Map([...known, [source, fingerprint === undefined ? fresh : { ...fresh, seen: { shape, fingerprint } }]]);
}
