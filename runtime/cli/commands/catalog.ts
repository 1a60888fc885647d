/** `engine export`, `clean` and `downgrade`: the metadata database, without a server. */
import { randomUUID } from "node:crypto";
import { withBackendDefaults } from "../../../compiler/catalog/backend-defaults.ts";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import { type Flags, flagName, parseOptions } from "../../config/options.ts";
import { backendDefaults } from "../../control/analysis-options.ts";
import { openMetadataStore } from "../../control/store.ts";
import { valueOrThrow } from "../../control/thrown.ts";
import { cleanCatalog, downgradeCatalog } from "../../databases/metadata/downgrade.ts";
import { releases } from "../../databases/metadata/releases.ts";
import { redactUrl } from "../../databases/sources/connection-settings.ts";
import { EngineError } from "../../values/errors.ts";
import { formatted, printDone, printResult } from "../project/output.ts";

/** Prints the metadata as JSON. */
export async function exportCommand(flags: Flags): Promise<void> {
  const options = parseOptions(flags, process.env);
  const { url, retries } = metadataDatabase(options);
  const store = await openMetadataStore(url, randomUUID(), { retries, migrate: false });
  try {
    const stored = await store.read().catch(notThere);
    if (stored === undefined) throw new EngineError("not-found", "$", `${redactUrl(url)} holds no metadata`);
    const catalog = valueOrThrow(readMetadataDocument(stored.metadata, emptyCatalog));
    printResult(formatted(exportMetadata(withBackendDefaults(catalog, backendDefaults(options))), "json"));
  } finally {
    await store.close();
  }
}

/** PostgreSQL's codes of a missing schema and a missing table: nothing was ever stored. */
const missing: ReadonlySet<unknown> = new Set(["3F000", "42P01"]);

function notThere(error: unknown): undefined {
  if (error instanceof Error && "code" in error && missing.has(error.code)) return undefined;
  throw error;
}

/** Deletes the metadata. */
export async function cleanCommand(flags: Flags): Promise<void> {
  const { url, retries } = metadataDatabase(parseOptions(flags, process.env));
  const found = await cleanCatalog(url, retries);
  printDone(found ? `deleted the metadata in ${redactUrl(url)}` : `${redactUrl(url)} holds no metadata`);
}

/** Takes the tables back to an earlier version. */
export async function downgradeCommand({ dryRun, force, ...flags }: Flags): Promise<void> {
  const to = wantedVersion(flags);
  const { url, retries } = metadataDatabase(parseOptions(flags, process.env));
  const { from, statements } = await downgradeCatalog(url, to, {
    retries,
    dryRun: dryRun === true,
    force: force === true,
  });
  if (dryRun === true) printResult(statements.join("\n"));
  else {
    printDone(
      `the catalog version of ${redactUrl(url)} was ${from} and is ${to}; ` +
        "the tables of event triggers in the databases of sources stay at their newer step",
    );
  }
}

/** @throws ConfigurationError unless exactly one flag names it */
function wantedVersion({ toCatalogVersion, ...flags }: Flags): number {
  const named = [...releases].filter(([release]) => flags[flagName(`--to-v${release}`)] === true);
  const [first] = named;
  if (named.length + (toCatalogVersion === undefined ? 0 : 1) !== 1) {
    const choices = ["--to-catalog-version <number>", ...[...releases.keys()].map((release) => `--to-v${release}`)];
    throw new ConfigurationError([{ setting: null, message: `to which version? give one of ${choices.join(", ")}` }]);
  }
  if (first !== undefined) return first[1];
  const to = Number(toCatalogVersion);
  if (Number.isInteger(to)) return to;
  throw new ConfigurationError([{ setting: "--to-catalog-version", message: "not a valid integer" }]);
}

/** @throws ConfigurationError unless an option names one */
function metadataDatabase(options: Options): { readonly url: string; readonly retries: number } {
  const { metadataDatabaseUrl, databaseUrl, retries } = options;
  const url = metadataDatabaseUrl ?? databaseUrl;
  if (url !== null) return { url: url.reveal(), retries };
  const message =
    "which database holds the metadata? give --metadata-database-url (ENGINE_GRAPHQL_METADATA_DATABASE_URL) " +
    "or --database-url (ENGINE_GRAPHQL_DATABASE_URL)";
  throw new ConfigurationError([{ setting: null, message }]);
}
