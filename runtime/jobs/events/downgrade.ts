/** Downgrades the product's tables in a source with event triggers while no instance uses them. */
import type { SourceTransaction } from "../../databases/sources/source.ts";
import { EngineError } from "../../values/errors.ts";
import { leaseTimes } from "../delivery/lease.ts";
import type { SourceCatalog } from "./catalog-statements.ts";
import { type InstallTimes, inInstallation, type RecordedSource } from "./install.ts";
import { readCatalogVersion, sourceCatalogOf } from "./source-catalog.ts";

export interface SourceDowngrade {
  readonly from: number;
  readonly to: number;
  /** The statements that were run or, in a dry run, would be, in order. */
  readonly statements: readonly string[];
}

export interface SourceDowngradeOptions {
  /** Only lists the statements. */
  readonly dryRun: boolean;
  /** Continues even if an instance uses the tables. */
  readonly force: boolean;
  readonly times?: InstallTimes;
}

/**
 * Restores the tables of an earlier step. Events keep their state, and recorders continue to record.
 * @returns undefined if the source has no tables, or tables of this step or an earlier one
 * @throws EngineError that names the source: `conflict` while an instance uses the tables, `not-supported` for an
 *   unreachable step
 */
export async function downgradeTables(
  source: RecordedSource,
  to: number,
  { dryRun, force, times }: SourceDowngradeOptions,
): Promise<SourceDowngrade | undefined> {
  const catalog = sourceCatalogOf(source.kind);
  const failure = `the tables for event triggers of source "${source.name}" cannot be downgraded`;
  return await inInstallation(source, { failure, times }, async (transaction) => {
    const from = (await readCatalogVersion(transaction, catalog))?.step ?? 0;
    if (from <= to) return undefined;
    const statements = statementsBetween(catalog, from, to);
    if (dryRun) return { from, to, statements };
    if (!force) await refuseWhileAlive(transaction, catalog);
    for (const statement of statements) await transaction.runSql(statement);
    await transaction.query({ text: catalog.writeStep }, [String(to)]);
    return { from, to, statements };
  });
}

/** @param to 0, if the older version has no event triggers, is taken for the first step */
function statementsBetween(catalog: SourceCatalog, from: number, to: number): readonly string[] {
  const { reversals, unpackAll } = catalog;
  if (from > reversals.length) {
    const message = `they are at step ${from}, this engine supports up to ${reversals.length}: use the engine version that they belong to`;
    throw new EngineError("not-supported", "$", message);
  }
  const steps = reversals
    .slice(to, from)
    .reverse()
    .map((step) => {
      if (step !== undefined) return step.trim();
      throw new EngineError("not-supported", "$", `no release had tables before step ${from} here`);
    });
  return [...(unpackAll === undefined ? [] : [`${unpackAll};`]), ...steps];
}

async function refuseWhileAlive(transaction: SourceTransaction, catalog: SourceCatalog): Promise<void> {
  const seconds = leaseTimes.lease / 1000;
  const [row] = await transaction.query({ text: catalog.liveInstances }, [String(seconds)]);
  const count = Number(row?.[0] ?? 0);
  if (count === 0) return;
  const message =
    `${count === 1 ? "an instance uses them" : `${count} instances use them`}: stop all instances and artifacts ` +
    `first (a killed instance counts for ${seconds} seconds), or pass --force`;
  throw new EngineError("conflict", "$", message);
}
