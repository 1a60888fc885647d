/**
 * `run_sql`: runs an administrator's SQL on a source. SQL that may change objects used by the metadata is checked inside
 * its transaction: the source is introspected before and after it, the resulting metadata is compiled against the
 * uncommitted shape, and SQL that would make metadata inconsistent is rolled back. For SQL that cannot be rolled back, the
 * metadata follows the database as far as possible, and new inconsistencies are listed.
 */
import { type FingerprintedShape, reintrospect } from "../../compiler/1-introspect/introspect.ts";
import { inconsistencyEntry } from "../../compiler/2-analyze/inconsistency.ts";
import type { Json, Source } from "../../compiler/catalog/model.ts";
import { ok } from "../../compiler/diagnostics/diagnostic.ts";
import type { Query } from "../../compiler/dialects/dialect.ts";
import { dialectOf } from "../../compiler/dialects/index.ts";
import { newlyInconsistent } from "../../compiler/metadata/consistency.ts";
import { findSource } from "../../compiler/metadata/lookups.ts";
import { mayEndTransaction } from "../../compiler/metadata/operations/run-sql.ts";
import { schemaChange } from "../../compiler/metadata/schema-change/schema-change.ts";
import { underNewName } from "../../compiler/metadata/settle.ts";
import type { Shape } from "../../compiler/shape/shape.ts";
import type { DatabaseSource, RunSqlResult, SourceTransaction } from "../databases/sources/source.ts";
import { isBlockedByRecorders, makeNamedTables } from "../jobs/events/install.ts";
import type { Log } from "../observe/logs/log.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { applyChange, type ChangeEnvironment } from "./apply-change.ts";
import { type CompilerSettings, type Registries, recompile, refreshIntrospections } from "./compile-state.ts";
import { valueOrThrow } from "./diagnostic-errors.ts";
import type { Recorded } from "./event-recorders.ts";
import type { IoCallOf, IoHandlers } from "./io-handlers.ts";
import type { RecordedMetadata } from "./recorded-source.ts";
import type { Introspections, OpenTransaction } from "./source-registry.ts";
import { type Draft, draftOf, type State } from "./state.ts";

type RunSqlCall = IoCallOf<"run_sql">;

export const runSqlHandlers: IoHandlers<"run_sql"> = {
  run_sql: (call, { draft, environment, session }) => runSql(call, draft, environment, session),
};

/**
 * Runs the SQL and returns its result. Changes the draft only if the SQL may change the schema.
 * @throws EngineError at the path of the call: the database error, or the reason why the metadata cannot follow. The draft
 * is unchanged, and so is the database unless the message states otherwise.
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
    if (call.changesSchema !== true) return asJson(await runUnchecked(database, call));
    const { after, answer } = await runChecked({ call, draft, session, source, database, environment });
    Object.assign(draft, after);
    environment.sources.noteExecutedSql(source.name, draft.introspections.get(source.name)?.introspection);
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

/** Outcome of checked SQL: the draft to serve after it, and the response. */
interface Followed {
  readonly after: Draft;
  readonly answer: Json;
  readonly shape: Shape;
}

/** State before the SQL. */
interface Base {
  readonly fingerprinted: FingerprintedShape;
  /** The metadata, compiled with that shape. */
  readonly draft: Draft;
}

/**
 * Runs SQL with the recorders of event triggers in place, so that they record its writes. If recorders block the SQL,
 * runs it a second time without them. The recorders of the changed metadata are installed before COMMIT, while the
 * SQL's locks keep other writers off the changed tables.
 */
async function runChecked(run: CheckedRun): Promise<Followed> {
  try {
    return await runOnce(run, false);
  } catch (error) {
    if (!mayRunWithoutRecorders(run, error)) throw error;
    return await runOnce(run, true);
  }
}

/** Returns false for SQL that contains COMMIT: it may have changed the database already, so it must not run twice. */
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
      progress.base = await readCommitted(run, (query) => baseOf(run, query));
      const result = await database.runSqlWithoutTransaction(sql);
      return await followCommitted(run, progress.base, result);
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
      await run.environment.reserve(); // a conflict found after COMMIT could not undo the SQL
      progress.committing = followed;
      return followed;
    });
    return "answer" in done ? done : await followCommitted(run, done.base, done.result);
  } catch (error) {
    return await settleFailure(run, progress, error);
  }
}

interface Progress {
  base?: Base;
  /** The outcome, set before COMMIT is sent. */
  committing?: Followed;
}

/**
 * Checks in the database whether failed SQL has taken effect: it may have run without a transaction or ended its
 * transaction itself, or the response to COMMIT may have been lost.
 * @returns the result of SQL that was committed after all
 * @throws EngineError the failure; the message states whether the SQL was nevertheless executed
 */
async function settleFailure(run: CheckedRun, { base, committing }: Progress, error: unknown): Promise<Followed> {
  const { call, source, environment } = run;
  const { sql, no_transaction } = call.input;
  const mayBeDone = no_transaction || committing !== undefined || mayEndTransaction(call.kind, sql);
  if (base === undefined || !mayBeDone || !(error instanceof EngineError)) throw error;
  const now = await readCommitted(run, (query) =>
    reintrospect(dialectOf(source.kind), query, [], base.fingerprinted),
  ).catch(() => undefined);
  if (now !== undefined && isSameShape(now.shape, base.fingerprinted.shape)) {
    // Statements before the failed one may have changed rows of enum tables, which this comparison ignores.
    if (source.tables.some((table) => table.is_enum)) environment.sources.noteExecutedSql(source.name, undefined);
    throw error;
  }
  if (now !== undefined && committing !== undefined && isSameShape(now.shape, committing.shape)) return committing;
  environment.sources.noteExecutedSql(source.name, undefined);
  const outcome =
    now === undefined
      ? "the database cannot be read, so it is unknown whether the SQL took effect"
      : "the SQL was not rolled back; run get_inconsistent_metadata to list objects that no longer match the database";
  const { code, path, message, status, internal, hint } = error;
  throw new EngineError(code, path, `${message} (${outcome})`, { status, internal, hint: () => hint, cause: error });
}

/** Compares two shapes of a source, except for the rows of enum tables. */
function isSameShape(one: Shape, other: Shape): boolean {
  const text = (shape: Shape) => JSON.stringify(shape, (key, value) => (key === "enumValues" ? undefined : value));
  return one === other || text(one) === text(other);
}

/** Time limit of a check in milliseconds. The check holds the locks of the SQL. */
const checkTimeout = 60_000;

/** Returns a query function for the check, inside the transaction of the SQL. */
function readsWithin(transaction: SourceTransaction): Query {
  const end = performance.now() + checkTimeout;
  return async (text) => {
    if (performance.now() > end) {
      const seconds = checkTimeout / 1000;
      throw new EngineError("time-limit-exceeded", "$", `the metadata check takes longer than ${seconds} seconds`);
    }
    return await transaction.probe({ text });
  };
}

/** Runs `work` in a new read-only transaction. */
function readCommitted<T>({ database }: CheckedRun, work: (query: Query) => Promise<T>): Promise<T> {
  return database.transaction({ readOnly: true }, (transaction) => work((text) => transaction.query({ text }, [])));
}

async function removeRecorders({ source, draft, environment }: CheckedRun, transaction: SourceTransaction) {
  const own = recordedSource(environment.recordedBy(draft), source.name);
  if (own !== undefined) await environment.recorders.removeWithin(transaction, own);
}

/** Installs the recorders of the changed metadata before the change is visible to other transactions. */
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
 * Introspects the source before the SQL runs. The last introspection may be outdated: with it, changes by other clients
 * would be attributed to the SQL, and recreated tables would be untracked.
 */
async function baseOf(run: CheckedRun, query: Query): Promise<Base> {
  const { source, draft, call, environment } = run;
  const { fingerprinted: known, introspection } = draft.introspections.get(source.name) ?? {};
  const fingerprinted = await reintrospect(dialectOf(source.kind), query, [], known);
  const copy = { ...draft, effects: [...draft.effects] };
  const shape = introspection !== undefined && "shape" in introspection ? introspection.shape : undefined;
  if (shape !== undefined && isSameShape(shape, fingerprinted.shape)) return { fingerprinted, draft: copy };
  const changed = { ...copy, introspections: withShape(draft.introspections, source.name, fingerprinted) };
  const within = { source: source.name, query };
  const { catalog } = draft;
  const effects = [{ kind: "introspect", sources: [source.name] }] as const;
  try {
    await applyChange({ check: "none", path: call.path, apply: () => ok({ catalog, effects }) }, changed, {
      ...environment,
      within,
    });
  } catch (error) {
    // The metadata cannot be served with the current database, and the SQL may be the repair.
    if (!(error instanceof EngineError)) throw error;
    return { fingerprinted, draft: copy };
  }
  return { fingerprinted, draft: changed };
}

/** Adapts the metadata to SQL that cannot be rolled back, even if objects become inconsistent. */
async function followCommitted(run: CheckedRun, base: Base, result: RunSqlResult): Promise<Followed> {
  const followed = await follow(run, base, result, undefined);
  await run.database.transaction({}, (transaction) => installRecorders(run, followed, transaction));
  return followed;
}

/**
 * Compiles the metadata that matches the database after the SQL.
 * @param within query function of the SQL's transaction. New inconsistencies then refuse the SQL. If `undefined`, the SQL
 * cannot be rolled back, and the response warns about them.
 */
async function follow(
  run: CheckedRun,
  { fingerprinted: before, draft }: Base,
  result: RunSqlResult,
  within: Query | undefined,
): Promise<Followed> {
  const { call, source, environment } = run;
  const { path, input } = call;
  const { name, kind, tables } = source;
  const read = (query: Query) => reintrospect(dialectOf(kind), query, [], before);
  const fingerprinted = within === undefined ? await readCommitted(run, read) : await read(within);
  const { catalog, renamed } = valueOrThrow(
    schemaChange({
      catalog: draft.catalog,
      analysis: draft.analysis,
      source: name,
      before: before.shape,
      after: fingerprinted.shape,
      cascade: input.cascade,
      path,
    }),
  );
  const after = { ...draft, introspections: withShape(draft.introspections, name, fingerprinted) };
  const known = draft.analysis.inconsistencies.map((entry) => underNewName(entry, renamed));
  // The SQL may have changed rows of enum tables, which comparisons of shapes ignore.
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
  return { after, answer, shape: fingerprinted.shape };
}

/** Access to the metadata that the control plane serves. */
export interface ExecutedSqlHost {
  readonly state: () => State;
  /** Serves metadata stored by another instance, if it is newer. */
  readonly catchUp: () => Promise<void>;
  readonly commit: (draft: Draft, expected: number) => Promise<unknown>;
  /** Serves a draft without storing it. */
  readonly serve: (draft: Draft) => void;
}

/**
 * Reintrospects sources that SQL has changed without a stored metadata change: the SQL could not be rolled back, a later
 * item of its bulk was refused, or the store failed. Inconsistencies are listed at once, on all instances. Rejects only
 * for errors that are not EngineErrors, since the caller gets the error of the change.
 */
export async function reintrospectExecuted(
  host: ExecutedSqlHost,
  { log, compiler, ...registries }: Registries & { readonly log: Log; readonly compiler: CompilerSettings },
): Promise<void> {
  const { introspections } = host.state();
  const sources = [...registries.sources.takeExecutedSql()].flatMap(([name, introspection]) =>
    introspections.has(name) && introspections.get(name)?.introspection !== introspection ? [name] : [],
  );
  if (sources.length === 0) return;
  try {
    await host.catchUp().catch(() => undefined); // metadata and databases have to match
    const state = host.state();
    const found = await refreshIntrospections(state.catalog, state, registries, { sources });
    // Fingerprints omit rows of enum tables. An unchanged shape remains the same object.
    const isUnchanged = (name: string) => {
      const now = found.introspections.get(name)?.fingerprinted;
      const before = state.introspections.get(name)?.fingerprinted;
      return now?.fingerprint !== undefined && now.fingerprint === before?.fingerprint && now.shape === before.shape;
    };
    if (sources.every(isUnchanged)) return;
    const draft = draftOf(recompile(state, found, compiler));
    draft.effects.push({ kind: "introspect", sources });
    await host.commit(draft, state.resourceVersion).catch((error: unknown) => {
      log.warn("metadata", {
        message: "Failed to notify other instances of changed databases",
        reason: String(error),
        sources,
      });
      host.serve(draft);
    });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    log.warn("metadata", { message: "Failed to introspect changed databases", reason: error.message, sources });
  }
}

/** Replaces the shape of a source. Drops checks of its native queries, which may no longer be valid. */
function withShape(known: Introspections, source: string, { shape, fingerprint }: FingerprintedShape): Introspections {
  const before = known.get(source);
  if (before === undefined) return known;
  const { key, connection } = before;
  const fresh = { key, connection, introspection: { shape } };
  return new Map([
    ...known,
    [source, fingerprint === undefined ? fresh : { ...fresh, fingerprinted: { shape, fingerprint } }],
  ]);
}
