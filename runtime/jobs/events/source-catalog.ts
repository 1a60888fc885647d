/**
 * The product's own tables in a source with event triggers, made when a source first needs them and brought forward by
 * numbered steps (`docs/event-triggers.md`).
 */
import type { SourceTransaction, SqlValue } from "../../databases/sources/source.ts";
import { EngineError } from "../../values/errors.ts";
import type { SourceCatalog } from "./catalog-statements.ts";
import { mssqlCatalog } from "./mssql/catalog.ts";
import { postgresCatalog } from "./postgres/catalog.ts";

const catalogs: Readonly<Record<string, SourceCatalog>> = { postgres: postgresCatalog, mssql: mssqlCatalog };

/** @throws EngineError where sources of the kind have no event triggers */
export function sourceCatalogOf(kind: string): SourceCatalog {
  const catalog = catalogs[kind];
  if (catalog) return catalog;
  throw new EngineError("not-supported", "$", `sources of kind ${kind} have no event triggers`);
}

/** Who last installed recorders in a source, and for which version of which metadata. */
export interface Claim {
  /** Of an installation, which instances with one metadata database share. */
  readonly installation: string;
  readonly instance: string;
  /** Of the metadata. */
  readonly version: number;
}

export interface CatalogVersion {
  readonly step: number;
  /** The step from which the tables were brought here just before; 0: they were made. */
  readonly broughtFrom?: number;
  /** A recent one; without it nobody is on the way to store other metadata. */
  readonly claim: Claim | undefined;
  readonly id: string;
}

/** `undefined`: there are no tables. */
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
 * Makes the tables, or brings them up to date, inside a transaction that has been opened for it.
 * @throws EngineError also where a newer version of the product made them
 */
export async function bringForward(transaction: SourceTransaction, catalog: SourceCatalog): Promise<CatalogVersion> {
  const run = (text: string, values: readonly SqlValue[] = []) =>
    transaction.query({ text: values.length === 0 ? catalog.bounded(text) : text }, values);
  const [presence = []] = await transaction.query({ text: catalog.presence }, []);
  if (presence[0] !== "t") await run(catalog.createSchema);
  if (presence[1] !== "t") await transaction.runSql(catalog.createVersion);
  const [row = []] = await transaction.query({ text: catalog.readVersion }, []);
  const version = versionOf(row);
  const newest = catalog.migrations.length;
  if (version.step > newest) {
    const message = `the tables for event triggers were made by a newer version of engine (step ${version.step}, this one knows ${newest})`;
    throw new EngineError("not-supported", "$", message);
  }
  if (version.step === newest) return version;
  for (const batch of catalog.migrations.slice(version.step).flat()) await transaction.runSql(batch);
  await run(catalog.writeStep, [String(newest)]);
  return { ...version, step: newest, broughtFrom: version.step };
}
