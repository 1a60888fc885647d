/** Several migrations as one: its version comes right after theirs, so that it runs in their place. */
import { EngineError } from "../../values/errors.ts";
import type { NewMigration } from "./create-migration.ts";
import { compareVersions, type Direction, hasStatement, type Migration, type Replaced } from "./migration-files.ts";

export interface Squashed {
  readonly sources: readonly Migration[];
  readonly result: NewMigration;
}

/**
 * @param to the last one when absent
 * @throws EngineError when there are less than two, or the version is taken
 */
export function squash(
  migrations: readonly Migration[],
  { from, to, name }: { readonly from: string; readonly to: string | undefined; readonly name: string },
): Squashed {
  const last = to ?? migrations.at(-1)?.version ?? from;
  for (const version of [from, last]) {
    if (migrations.some((migration) => migration.version === version)) continue;
    throw new EngineError("not-found", "$", `there is no migration ${version} among the files`);
  }
  const sources = migrations.filter(
    ({ version }) => compareVersions(version, from) >= 0 && compareVersions(version, last) <= 0,
  );
  if (sources.length < 2)
    throw new EngineError("bad-request", "$", "there is nothing to squash: it takes two migrations");
  const version = String(BigInt(last) + 1n);
  if (migrations.some((migration) => migration.version === version)) {
    throw new EngineError("conflict", "$", `version ${version}, which the squashed migration would have, is taken`);
  }
  const result = { version, name, up: joined(sources, "up"), down: wayBack(sources), replaces: replacedBy(sources) };
  return { sources, result };
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

/** None when one of them has none: half a way back leaves a database that no version describes. */
function wayBack(sources: readonly Migration[]): string {
  const without = sources.filter(({ down }) => !hasStatement(down)).map(({ version }) => version);
  if (without.length > 0) return `-- There is no way back: ${without.join(", ")} had none.\n`;
  return joined([...sources].reverse(), "down");
}

/** Each text after a comment that says where it is from. */
function joined(migrations: readonly Migration[], direction: Direction): string {
  return migrations
    .flatMap((migration) => {
      const file = migration[direction];
      if (file === undefined || file.sql.trim() === "") return [];
      return [`-- ${migration.version}_${migration.name}\n${terminated(file.sql)}\n`];
    })
    .join("\n");
}

/** A statement that ends without a semicolon would go on in the next file; so would a comment without an end of line. */
function terminated(sql: string): string {
  const text = sql.trimEnd();
  return text.endsWith(";") ? text : `${text}\n;`;
}
