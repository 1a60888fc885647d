/**
 * The product's own tables in a source with event triggers, created on first use and migrated by numbered steps
 * (`docs/how-to/event-triggers.md`).
 */
import type { SourceTransaction, SqlValue } from "../../databases/sources/source.ts";
import { EngineError } from "../../values/errors.ts";
import type { SourceCatalog } from "./catalog-statements.ts";
import { mssqlCatalog } from "./mssql/catalog.ts";
import { postgresCatalog } from "./postgres/catalog.ts";

const catalogs: Readonly<Record<string, SourceCatalog>> = { postgres: postgresCatalog, mssql: mssqlCatalog };

/**
 * Returns the SQL for a kind of source.
 * @throws EngineError if the kind does not support event triggers
 */
export function sourceCatalogOf(kind: string): SourceCatalog {
  const catalog = catalogs[kind];
  if (catalog) return catalog;
  throw new EngineError("not-supported", "$", `sources of kind ${kind} have no event triggers`);
}

/** The last installation of recorders in a source. */
export interface Claim {
  /** Id shared by all instances with the same metadata database. */
  readonly installation: string;
  readonly instance: string;
  /** Version of the metadata. */
  readonly version: number;
}

export interface CatalogVersion {
  readonly step: number;
  /** The step before a migration that has just run; 0 if the tables were created. Absent without a migration. */
  readonly migratedFrom?: number;
  /** A claim less than a minute old. Without one, no other instance is about to store metadata. */
  readonly claim: Claim | undefined;
  readonly id: string;
}

/** Reads the catalog version. Returns `undefined` if there are no tables. */
export async function readCatalogVersion(
  on: Pick<SourceTransaction, "query">,
  catalog: SourceCatalog,
): Promise<CatalogVersion | undefined> {
  const [presence] = await on.query({ text: catalog.presence }, []);
  if (presence?.[1] !== "t") return undefined;
  const [row = []] = await on.query({ text: catalog.readVersion }, []);
  return versionOf(row);
}

function versionOf([step, version, installation, instance, isRecent, id]: readonly SqlValue[]): CatalogVersion {
  const isClaimed = isRecent === "t" && version && installation && instance;
  return {
    step: Number(step ?? 0),
    claim: isClaimed ? { installation, instance, version: Number(version) } : undefined,
    id: id ?? "",
  };
}

/**
 * Creates or migrates the tables inside an open transaction.
 * @throws EngineError, also if the tables belong to a newer version of the product
 */
export async function migrate(transaction: SourceTransaction, catalog: SourceCatalog): Promise<CatalogVersion> {
  const run = (text: string, values: readonly SqlValue[] = []) =>
    transaction.query({ text: values.length === 0 ? catalog.bounded(text) : text }, values);
  const [presence = []] = await transaction.query({ text: catalog.presence }, []);
  if (presence[0] !== "t") await run(catalog.createSchema);
  if (presence[1] !== "t") await transaction.runSql(catalog.createVersion);
  const [row = []] = await transaction.query({ text: catalog.readVersion }, []);
  const version = versionOf(row);
  const newest = catalog.migrations.length;
  if (version.step > newest) {
    const message = `the tables for event triggers belong to a newer version of engine (step ${version.step}, this version supports ${newest})`;
    throw new EngineError("not-supported", "$", message);
  }
  if (version.step === newest) return version;
  for (const batch of catalog.migrations.slice(version.step).flat()) await transaction.runSql(batch);
  await run(catalog.writeStep, [String(newest)]);
  return { ...version, step: newest, migratedFrom: version.step };
}
