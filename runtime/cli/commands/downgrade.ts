/** `engine downgrade`: reverts the tables of sources and of the metadata database for an older version. */
import { randomUUID } from "node:crypto";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import { type Flags, flagName, parseOptions } from "../../config/options.ts";
import { withSecrets } from "../../config/secret-commands.ts";
import { valueOrThrow } from "../../control/diagnostic-errors.ts";
import { openMetadataStore } from "../../control/store.ts";
import { downgradeCatalog } from "../../databases/metadata/downgrade.ts";
import { releases, sourceStepsOf } from "../../databases/metadata/releases.ts";
import { redactUrl } from "../../databases/sources/connection-settings.ts";
import { openSource } from "../../databases/sources/open-source.ts";
import { downgradeTables, type SourceDowngrade } from "../../jobs/events/downgrade.ts";
import { EngineError } from "../../values/errors.ts";
import { printDone, printResult, recordResult } from "../project/output.ts";
import { metadataDatabase } from "./catalog.ts";

interface DowngradedSource extends SourceDowngrade {
  readonly source: string;
}

export async function downgradeCommand({ dryRun, force, skipSources, ...flags }: Flags): Promise<void> {
  const to = targetVersion(flags);
  const options = parseOptions(flags, await withSecrets(process.env));
  const { url, retries } = metadataDatabase(options);
  const run = { dryRun: dryRun === true, force: force === true };
  const sources: DowngradedSource[] = [];
  const { from, statements } = await downgradeCatalog(url, to, {
    retries,
    ...run,
    // Sources first: a failure leaves the catalog, and the next start of this version upgrades the others again.
    async beforeStatements() {
      if (skipSources === true) return;
      for (const source of await storedSources(url, retries)) {
        const downgraded = await downgradeSource(source, { to, options, ...run });
        if (downgraded !== undefined) sources.push(downgraded);
      }
    },
  });
  if (run.dryRun) {
    const bySource = sources.map((each) => `-- source ${JSON.stringify(each.source)}\n${each.statements.join("\n")}`);
    const catalog = sources.length === 0 ? [] : ["-- metadata database"];
    const listed = sources.map((each) => ({ source: each.source, statements: each.statements }));
    printResult([...bySource, ...catalog, ...statements].join("\n"), { statements, sources: listed });
    return;
  }
  recordResult({ from, to, sources: sources.map((each) => ({ source: each.source, from: each.from, to: each.to })) });
  printDone(
    ...sources.map(
      (each) =>
        `downgraded the tables for event triggers of source ${each.source} from step ${each.from} to ${each.to}`,
    ),
    `downgraded the catalog of ${redactUrl(url)} from version ${from} to ${to}`,
  );
}

async function storedSources(url: string, retries: number): Promise<readonly Source[]> {
  const store = await openMetadataStore(url, randomUUID(), { retries, migrate: false });
  try {
    const stored = await store.read();
    return stored === undefined ? [] : valueOrThrow(readMetadataDocument(stored.metadata, emptyCatalog)).sources;
  } finally {
    await store.close();
  }
}

interface SourceRun {
  readonly to: number;
  readonly options: Options;
  readonly dryRun: boolean;
  readonly force: boolean;
}

async function downgradeSource(
  { name, kind, configuration }: Source,
  { to, options, ...run }: SourceRun,
): Promise<DowngradedSource | undefined> {
  const steps: Readonly<Record<string, number>> = { ...sourceStepsOf(to) };
  const step = steps[kind];
  if (step === undefined) return undefined;
  const { databaseUrl, dynamicSecretsPathPrefix: dynamicSecretsPrefix } = options;
  const variables = {
    ...(await withSecrets(process.env)),
    ...(databaseUrl !== null && { ENGINE_GRAPHQL_DATABASE_URL: databaseUrl.reveal() }),
  };
  const environment = { variables, ...(dynamicSecretsPrefix !== null && { dynamicSecretsPrefix }) };
  try {
    const database = openSource({ name, kind, connectionInfo: configuration.connection_info }, environment);
    try {
      const downgraded = await downgradeTables({ name, kind, database }, step, run);
      return downgraded && { source: name, ...downgraded };
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, path, status, internal, message, cause } = error;
    const hint = `source "${name}": ${message}; --skip-sources leaves the tables of all sources as they are`;
    throw new EngineError(code, path, hint, { status, internal, cause });
  }
}

/** @throws ConfigurationError unless exactly one flag names a version */
function targetVersion({ toCatalogVersion, ...flags }: Flags): number {
  const named = [...releases].filter(([release]) => flags[flagName(`--to-v${release}`)] === true);
  const [first] = named;
  if (named.length + (toCatalogVersion === undefined ? 0 : 1) !== 1) {
    const choices = ["--to-catalog-version <number>", ...[...releases.keys()].map((release) => `--to-v${release}`)];
    throw new ConfigurationError([{ setting: null, message: `no target version; pass one of ${choices.join(", ")}` }]);
  }
  if (first !== undefined) return first[1];
  const to = Number(toCatalogVersion);
  if (Number.isInteger(to)) return to;
  throw new ConfigurationError([{ setting: "--to-catalog-version", message: "not a valid integer" }]);
}
