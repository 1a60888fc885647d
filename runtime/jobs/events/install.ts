/**
 * Brings the recorders of a source into line with what its metadata wants: all in one transaction, and without ever
 * waiting long for a table, because writes would wait behind it.
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
import { bringForward, type Claim, readCatalogVersion, sourceCatalogOf } from "./source-catalog.ts";

/** A source with event triggers, or one that had some. */
export interface RecordedSource {
  readonly name: string;
  readonly kind: string;
  readonly database: DatabaseSource;
}

export interface Installation {
  readonly wanted: readonly PlacedRecorder[];
  /** Which of the others are dropped. */
  readonly isGone: (recorder: InstalledRecorder) => boolean;
  /** Also makes those anew that are there as they should be. */
  readonly everything?: boolean;
  /** The tables are needed: there are event triggers, some perhaps without recorders. */
  readonly needsTables: boolean;
  /**
   * The version of the metadata that this is for: what was installed for a later one, a minute ago at most, stays.
   * Absent: for no stored metadata.
   */
  readonly claim?: Claim;
  /** Nobody may take away what is there already, because the claim's version is about to be stored. */
  readonly claims?: boolean;
}

/** Names, in the order of what was done; `superseded`: another instance installs later metadata. */
export type Installed =
  | {
      readonly kind: "installed";
      readonly made: readonly string[];
      /** Of those: what was not there before in any form. */
      readonly added: readonly string[];
      readonly dropped: readonly string[];
      /** What happened to the product's own tables; absent: nothing. */
      readonly tables?: TableSteps;
    }
  | { readonly kind: "superseded" };

/** The numbered steps that the tables were at before and after; 0: there were none. */
export interface TableSteps {
  readonly from: number;
  readonly to: number;
}

const nothing: Installed = { kind: "installed", made: [], added: [], dropped: [] };

/** In milliseconds. */
export interface InstallTimes {
  /** How long it is tried again while tables are busy. */
  readonly patience: number;
  readonly pause: number;
}

const installTimes: InstallTimes = { patience: 10_000, pause: 200 };

/**
 * Looks first, and changes nothing where there is nothing to change.
 * @throws EngineError that names the source, at path `$`
 */
export async function install(
  source: RecordedSource,
  installation: Installation,
  times: InstallTimes = installTimes,
): Promise<Installed> {
  const catalog = sourceCatalogOf(source.kind);
  return await whileBusy(source, times, async () => {
    if (!(await isNeeded(source, catalog, installation))) return nothing;
    // A statement has to see what was committed while it waited for the lock.
    return await source.database.transaction(isolated, (transaction) =>
      installIn(transaction, catalog, catalog.opening, installation),
    );
  });
}

/** Tries again until nothing that it needs is busy. @throws EngineError that names the source */
async function whileBusy<T>(
  source: RecordedSource,
  { patience, pause }: InstallTimes,
  work: () => Promise<T>,
): Promise<T> {
  const catalog = sourceCatalogOf(source.kind);
  const end = performance.now() + patience;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof EngineError && catalog.refusal(error.cause) === "busy";
      if (!isBusy || performance.now() > end) throw installationError(source, catalog, error);
    }
    await delay(pause);
  }
}

const isolated: TransactionOptions = { isolation: "read-committed" };

/**
 * As `install`, inside a transaction that has changed the database and goes on: what it has changed is taken as it is.
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
  const version = needsTables
    ? await bringForward(transaction, catalog)
    : await readCatalogVersion(transaction, catalog);
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
    ...(version?.broughtFrom !== undefined && { tables: { from: version.broughtFrom, to: version.step } }),
  };
}

/** Whether SQL of somebody else failed only because recorders are there. */
export function isBlockedByRecorders(kind: string, error: EngineError): boolean {
  return sourceCatalogOf(kind).isBlocked(error.cause);
}

/** The recorders of a source. */
async function installedRecorders(
  on: Pick<SourceTransaction, "query">,
  catalog: SourceCatalog,
): Promise<readonly InstalledRecorder[]> {
  return (await on.query({ text: catalog.installed, onlyReads: true }, [])).map(installedRecorder);
}

/** What an installation would do. */
export async function lookAtRecorders(source: RecordedSource, installation: Installation): Promise<Difference> {
  const catalog = sourceCatalogOf(source.kind);
  try {
    return differenceOf(await installedRecorders(reader(source), catalog), installation);
  } catch (error) {
    throw installationError(source, catalog, error);
  }
}

/** Whose events are archived: all of these triggers, or those that are to be delivered for none of these. */
export type Archived = { readonly of: readonly string[] } | { readonly notOf: readonly string[] };

/**
 * Archives events, unless another instance has installed later metadata, which may have such triggers again.
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
  await whileBusy(source, times, async () => {
    const before = await readCatalogVersion(reader(source), catalog);
    if (before === undefined || before.step === 0) return;
    await source.database.transaction(isolated, async (transaction) => {
      for (const opening of catalog.opening) await transaction.query({ text: opening }, []);
      const version = await readCatalogVersion(transaction, catalog);
      if (isLater(version?.claim, claim)) return;
      // Older tables have none.
      if (catalog.unpackAll !== undefined && version?.step === catalog.migrations.length) {
        await transaction.query({ text: catalog.unpackAll }, []);
      }
      await transaction.query({ text }, [JSON.stringify(names)]);
    });
  });
}

/**
 * Removes the tables of a source that nobody has any more, after its recorders.
 * @throws EngineError that names the source
 */
export async function removeTables(source: RecordedSource, times: InstallTimes = installTimes): Promise<void> {
  const catalog = sourceCatalogOf(source.kind);
  await whileBusy(source, times, async () => {
    if ((await readCatalogVersion(reader(source), catalog)) === undefined) return;
    await source.database.transaction(isolated, async (transaction) => {
      for (const text of catalog.opening) await transaction.query({ text }, []);
      for (const text of catalog.removeTables) await transaction.query({ text: catalog.bounded(text) }, []);
    });
  });
}

/** Whether the tables of a source are as this version of the product needs them. @throws EngineError */
export async function hasCurrentTables(source: RecordedSource): Promise<boolean> {
  const catalog = sourceCatalogOf(source.kind);
  const version = await readCatalogVersion(reader(source), catalog);
  return version?.step === catalog.migrations.length;
}

/** Of the tables of a source; equal for two sources of one database. `undefined`: there are none. */
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

/** The function of a recorder that moves to another table stays. */
function dropStatements(catalog: SourceCatalog, made: readonly PlacedRecorder[]) {
  const kept = new Set(made.map(({ recorder }) => recorder.name));
  return (recorder: InstalledRecorder): readonly string[] => {
    const statements = catalog.drop(recorder);
    return kept.has(recorder.name) ? statements.slice(0, 1) : statements;
  };
}

/** Whether somebody else is about to store, or has stored, metadata that is newer. */
function isLater(found: Claim | undefined, own: Claim | undefined): boolean {
  if (found === undefined || own === undefined) return false;
  return found.installation === own.installation && found.instance !== own.instance && found.version > own.version;
}

function installationError(source: RecordedSource, catalog: SourceCatalog, error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const { code, path, message, status, internal, cause } = error;
  const said = cause instanceof Error && cause.message !== "" ? cause.message : message;
  const refusal = catalog.refusal(cause);
  const hint = refusal === undefined ? "" : hints[refusal];
  return new EngineError(
    refusal === "busy" ? "busy" : code === "unexpected" ? "postgres-error" : code,
    path,
    `event triggers of source "${source.name}" cannot be installed: ${said}${hint}`,
    { status: refusal === undefined ? status : 400, internal, cause },
  );
}

const hints = {
  busy: "; transactions that have used the table for long have to end first, then try again",
  forbidden:
    "; the user of the source has to own the tables with event triggers, and may create the schema engine_catalog or owns it",
  "read-only": "; a source with event triggers has to be one that can be written",
} as const;
