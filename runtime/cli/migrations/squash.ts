/** Combines several migrations into one, whose version directly follows the last combined version. */
import { EngineError } from "../../values/errors.ts";
import type { NewMigration } from "./create-migration.ts";
import { compareVersions, type Direction, hasStatement, type Migration, type Replaced } from "./migration-files.ts";
import { needsTransaction } from "./sql-failure.ts";

export interface Squashed {
  readonly sources: readonly Migration[];
  readonly result: NewMigration;
}

/**
 * @param to default the last migration
 * @throws EngineError for fewer than two migrations, one outside a transaction, or if the resulting version exists
 */
export function squash(
  migrations: readonly Migration[],
  { from, to, name }: { readonly from: string; readonly to: string | undefined; readonly name: string },
): Squashed {
  const last = to ?? migrations.at(-1)?.version ?? from;
  for (const version of [from, last]) {
    if (migrations.some((migration) => migration.version === version)) continue;
    throw new EngineError("not-found", "$", `no file has migration ${version}`);
  }
  const sources = migrations.filter(
    ({ version }) => compareVersions(version, from) >= 0 && compareVersions(version, last) <= 0,
  );
  if (sources.length < 2) throw new EngineError("bad-request", "$", "cannot squash fewer than two migrations");
  refuseWithoutTransaction(sources);
  const version = String(BigInt(last) + 1n);
  if (migrations.some((migration) => migration.version === version)) {
    throw new EngineError(
      "conflict",
      "$",
      `the squashed migration would have version ${version}, which already exists`,
    );
  }
  const result = { version, name, up: joined(sources, "up"), down: downSql(sources), replaces: replacedBy(sources) };
  return { sources, result };
}

/** @throws EngineError if one of the migrations runs outside a transaction, which the combined one cannot do for a part */
function refuseWithoutTransaction(sources: readonly Migration[]): void {
  const file = sources.flatMap(({ up, down }) => [up, down]).find((each) => each && !needsTransaction(each));
  if (file === undefined) return;
  const message = `${file.path} runs outside a transaction (engine:no-transaction): cannot squash it with others`;
  throw new EngineError("bad-request", "$", message);
}

function replacedBy(sources: readonly Migration[]): Replaced {
  return new Map(
    sources.flatMap(({ version, replaces }): (readonly [string, readonly string[]])[] =>
      replaces.size === 0
        ? [[version, [version]]]
        : [...replaces, [version, [...new Set([...replaces.values()].flat())]]],
    ),
  );
}

/** Returns only a comment if a source cannot be reverted: a partial revert leaves a state that no version describes. */
function downSql(sources: readonly Migration[]): string {
  const without = sources.filter(({ down }) => !hasStatement(down)).map(({ version }) => version);
  if (without.length > 0) return `-- Cannot be reverted: no down SQL for ${without.join(", ")}.\n`;
  return joined([...sources].reverse(), "down");
}

/** Joins the texts, each below a comment that names its migration. */
function joined(migrations: readonly Migration[], direction: Direction): string {
  return migrations
    .flatMap((migration) => {
      const file = migration[direction];
      if (file === undefined || file.sql.trim() === "") return [];
      return [`-- ${migration.version}_${migration.name}\n${terminated(file.sql)}\n`];
    })
    .join("\n");
}

/** Ends the text with a semicolon, and a final comment with a line break, so that neither continues in the next text. */
function terminated(sql: string): string {
  const text = sql.trimEnd();
  return text.endsWith(";") ? text : `${text}\n;`;
}
