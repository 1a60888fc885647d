/**
 * Installs and removes the recorders of a source according to its metadata, in one transaction. Lock waits on tables
 * are short, because writes of users queue behind them.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { DatabaseSource, SourceTransaction, TransactionOptions } from "../../databases/sources/source.ts";
import { EngineError } from "../../values/errors.ts";
import type { SourceCatalog } from "./catalog-statements.ts";
import {
  type Difference,
  difference,
  type InstalledRecorder,
  installedRecorder,
  type PlacedRecorder,
} from "./installed-recorder.ts";
import { type Claim, migrate, readCatalogVersion, sourceCatalogOf } from "./source-catalog.ts";

/** A source that has or had event triggers. */
export interface RecordedSource {
  readonly name: string;
  readonly kind: string;
  readonly database: DatabaseSource;
}

export interface Installation {
  readonly wanted: readonly PlacedRecorder[];
  /** Returns true for other recorders that must be dropped. */
  readonly isGone: (recorder: InstalledRecorder) => boolean;
  /** Reinstalls all recorders, including those that are up to date. */
  readonly everything?: boolean;
  /** True if the source has event triggers, even without recorders. */
  readonly needsTables: boolean;
  /**
   * Metadata version of this installation. A later version installed within the last minute takes precedence. Absent
   * without stored metadata.
   */
  readonly claim?: Claim;
  /** Writes the claim even if nothing else changes, because the version is about to be stored. */
  readonly claims?: boolean;
}

/**
 * The result of an installation, with names in the order of execution. `superseded`: another instance has installed
 * later metadata.
 */
export type Installed =
  | {
      readonly kind: "installed";
      readonly made: readonly string[];
      /** The subset of `made` that did not exist before in any form. */
      readonly added: readonly string[];
      readonly dropped: readonly string[];
      /** Migration of the product's tables; absent if there was none. */
      readonly tables?: TableSteps;
    }
  | { readonly kind: "superseded" };

/** The migration step before and after; 0 means that there were no tables. */
export interface TableSteps {
  readonly from: number;
  readonly to: number;
}

const nothing: Installed = { kind: "installed", made: [], added: [], dropped: [] };

/** Times in milliseconds. */
export interface InstallTimes {
  /** Maximum time for retries while tables are busy. */
  readonly retryMilliseconds: number;
  readonly pause: number;
}

const installTimes: InstallTimes = { retryMilliseconds: 10_000, pause: 200 };

/**
 * Installs recorders. Compares first, and opens no transaction if nothing has to change.
 * @throws EngineError that names the source, at path `$`
 */
export async function install(
  source: RecordedSource,
  installation: Installation,
  times: InstallTimes = installTimes,
): Promise<Installed> {
  const catalog = sourceCatalogOf(source.kind);
  return await retryWhileBusy(source, times, async () => {
    if (!(await isNeeded(source, catalog, installation))) return nothing;
    // Each statement must see the rows committed while it waited for the lock.
    return await source.database.transaction(isolated, (transaction) =>
      installIn(transaction, catalog, catalog.opening, installation),
    );
  });
}

/**
 * Retries while a lock is busy.
 * @throws EngineError that names the source
 */
async function retryWhileBusy<T>(
  source: RecordedSource,
  { retryMilliseconds, pause }: InstallTimes,
  work: () => Promise<T>,
  failure?: string,
): Promise<T> {
  const catalog = sourceCatalogOf(source.kind);
  const end = performance.now() + retryMilliseconds;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof EngineError && catalog.refusal(error.cause) === "busy";
      if (!isBusy || performance.now() > end) throw installationError(source, catalog, error, failure);
    }
    await delay(pause);
  }
}

/**
 * Runs `work` in a transaction that excludes installations, and retries it while a lock is busy.
 * @throws EngineError that begins with `failure`
 */
export async function inInstallation<T>(
  source: RecordedSource,
  { failure, times = installTimes }: { readonly failure: string; readonly times?: InstallTimes | undefined },
  work: (transaction: SourceTransaction) => Promise<T>,
): Promise<T> {
  const { opening } = sourceCatalogOf(source.kind);
  return await retryWhileBusy(
    source,
    times,
    () =>
      source.database.transaction(isolated, async (transaction) => {
        for (const text of opening) await transaction.query({ text }, []);
        return await work(transaction);
      }),
    failure,
  );
}

const isolated: TransactionOptions = { isolation: "read-committed" };

/**
 * Installs recorders inside a transaction that has changed the database and continues. Its changes are visible to the
 * installation.
 * @throws EngineError
 */
export function installWithin(
  transaction: SourceTransaction,
  kind: string,
  installation: Installation,
): Promise<Installed> {
  const catalog = sourceCatalogOf(kind);
  return installIn(transaction, catalog, catalog.joining, installation);
}

async function installIn(
  transaction: SourceTransaction,
  catalog: SourceCatalog,
  opening: readonly string[],
  installation: Installation,
): Promise<Installed> {
  const { needsTables, claim } = installation;
  for (const text of opening) await transaction.query({ text }, []);
  const version = needsTables ? await migrate(transaction, catalog) : await readCatalogVersion(transaction, catalog);
  if (isLater(version?.claim, claim)) return { kind: "superseded" };
  const found = await installedRecorders(transaction, catalog);
  const { made, dropped } = differenceOf(found, installation);
  const before = new Set(found.map(({ name }) => name));
  const names = made.map(({ recorder }) => recorder.name);
  const run = (text: string) => transaction.query({ text: catalog.bounded(text) }, []);
  for (const text of dropped.flatMap(dropStatements(catalog, made))) await run(text);
  for (const text of made.flatMap(({ recorder }) => recorder.statements)) await run(text);
  if (version !== undefined && claim !== undefined) {
    const values = [String(claim.version), claim.installation, claim.instance];
    await transaction.query({ text: catalog.writeClaim }, values);
  }
  return {
    kind: "installed",
    made: names,
    added: names.filter((name) => !before.has(name)),
    dropped: [...new Set(dropped.map(({ name }) => name))],
    ...(version?.migratedFrom !== undefined && { tables: { from: version.migratedFrom, to: version.step } }),
  };
}

/** Returns true if a user's SQL failed only because recorders exist. */
export function isBlockedByRecorders(kind: string, error: EngineError): boolean {
  return sourceCatalogOf(kind).isBlocked(error.cause);
}

/** Reads the recorders of a source. */
async function installedRecorders(
  on: Pick<SourceTransaction, "query">,
  catalog: SourceCatalog,
): Promise<readonly InstalledRecorder[]> {
  return (await on.query({ text: catalog.installed, onlyReads: true }, [])).map(installedRecorder);
}

/** Returns the changes that an installation would make. */
export async function compareRecorders(source: RecordedSource, installation: Installation): Promise<Difference> {
  const catalog = sourceCatalogOf(source.kind);
  try {
    return differenceOf(await installedRecorders(reader(source), catalog), installation);
  } catch (error) {
    throw installationError(source, catalog, error);
  }
}

/** Selects events to archive: all events of these triggers, or the pending events of all other triggers. */
export type Archived = { readonly of: readonly string[] } | { readonly notOf: readonly string[] };

/**
 * Archives events, unless another instance has installed later metadata, which may define the triggers again.
 * @throws EngineError that names the source
 */
export async function archiveEvents(
  source: RecordedSource,
  archived: Archived,
  claim?: Claim,
  times: InstallTimes = installTimes,
): Promise<void> {
  const catalog = sourceCatalogOf(source.kind);
  const [text, names] = "of" in archived ? [catalog.archive, archived.of] : [catalog.archiveOthers, archived.notOf];
  await retryWhileBusy(source, times, async () => {
    const before = await readCatalogVersion(reader(source), catalog);
    if (before === undefined || before.step === 0) return;
    await source.database.transaction(isolated, async (transaction) => {
      for (const opening of catalog.opening) await transaction.query({ text: opening }, []);
      const version = await readCatalogVersion(transaction, catalog);
      if (isLater(version?.claim, claim)) return;
      // Older tables have no packed events.
      if (catalog.unpackAll !== undefined && version?.step === catalog.migrations.length) {
        await transaction.query({ text: catalog.unpackAll }, []);
      }
      await transaction.query({ text }, [JSON.stringify(names)]);
    });
  });
}

/**
 * Removes the tables of an unused source, after its recorders.
 * @throws EngineError that names the source
 */
export async function removeTables(source: RecordedSource, times: InstallTimes = installTimes): Promise<void> {
  const catalog = sourceCatalogOf(source.kind);
  await retryWhileBusy(source, times, async () => {
    if ((await readCatalogVersion(reader(source), catalog)) === undefined) return;
    await source.database.transaction(isolated, async (transaction) => {
      for (const text of catalog.opening) await transaction.query({ text }, []);
      for (const text of catalog.removeTables) await transaction.query({ text: catalog.bounded(text) }, []);
    });
  });
}

/**
 * Returns true if the tables are at the migration step of this version of the product.
 * @throws EngineError
 */
export async function hasCurrentTables(source: RecordedSource): Promise<boolean> {
  const catalog = sourceCatalogOf(source.kind);
  const version = await readCatalogVersion(reader(source), catalog);
  return version?.step === catalog.migrations.length;
}

/** Returns the catalog id of a source, equal for two sources of one database; `undefined` without tables. */
export async function catalogIdOf(source: RecordedSource): Promise<string | undefined> {
  return (await readCatalogVersion(reader(source), sourceCatalogOf(source.kind)))?.id;
}

const reader = ({ database }: RecordedSource): Pick<SourceTransaction, "query"> => ({
  query: (statement, values) => database.query(statement, values),
});

async function isNeeded(source: RecordedSource, catalog: SourceCatalog, installation: Installation): Promise<boolean> {
  if (installation.claims || installation.everything) return true;
  const { made, dropped } = differenceOf(await installedRecorders(reader(source), catalog), installation);
  if (made.length > 0 || dropped.length > 0) return true;
  if (!installation.needsTables) return false;
  const version = await readCatalogVersion(reader(source), catalog);
  return version === undefined || version.step !== catalog.migrations.length;
}

function differenceOf(installed: readonly InstalledRecorder[], installation: Installation): Difference {
  return difference(installed, installation.wanted, installation.isGone, installation.everything);
}

/** Returns the statements that drop a recorder. The function of a recorder that moves to another table is kept. */
function dropStatements(catalog: SourceCatalog, made: readonly PlacedRecorder[]) {
  const kept = new Set(made.map(({ recorder }) => recorder.name));
  return (recorder: InstalledRecorder): readonly string[] => {
    const statements = catalog.drop(recorder);
    return kept.has(recorder.name) ? statements.slice(0, 1) : statements;
  };
}

/** Returns true if another instance has claimed a later version of the metadata. */
function isLater(found: Claim | undefined, own: Claim | undefined): boolean {
  if (found === undefined || own === undefined) return false;
  return found.installation === own.installation && found.instance !== own.instance && found.version > own.version;
}

function installationError(
  source: RecordedSource,
  catalog: SourceCatalog,
  error: unknown,
  failure = `event triggers of source "${source.name}" cannot be installed`,
): unknown {
  if (!(error instanceof EngineError)) return error;
  const { code, path, message, status, internal, cause } = error;
  const reason = cause instanceof Error && cause.message !== "" ? cause.message : message;
  const refusal = catalog.refusal(cause);
  const hint = refusal === undefined ? "" : hints[refusal];
  return new EngineError(
    refusal === "busy" ? "busy" : code === "unexpected" ? "postgres-error" : code,
    path,
    `${failure}: ${reason}${hint}`,
    { status: refusal === undefined ? status : 400, internal, cause },
  );
}

const hints = {
  busy: "; retry after long-running transactions on the table have ended",
  forbidden:
    "; the database user of the source must own the tables with event triggers, and must own the schema engine_catalog or be allowed to create it",
  "read-only": "; a source with event triggers must be writable",
} as const;

/** Matches SQL that names an event table. */
const eventTable =
  /\bengine_catalog"?\s*\.\s*"?(?:event_log|event_invocation_logs|engine_event_log_cleanups|gen_engine_uuid)\b/i;

/**
 * Installs the tables if the SQL names one of them, such as a view of undelivered events in a migration that runs before
 * the first event trigger is created.
 * @throws EngineError that names the source, if its user lacks the privileges
 */
export async function makeNamedTables(source: RecordedSource, sql: string): Promise<void> {
  if (eventTable.test(sql)) await install(source, { wanted: [], isGone: () => false, needsTables: true });
}
