/** Selects the databases of a command by its flags, the project's folders and the server's sources. */
import type { Json } from "../../../compiler/catalog/model.ts";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import type { CallMetadata } from "../project/client.ts";

export interface TargetDatabase {
  /** Name of the source. */
  readonly name: string;
  readonly kind: string;
}

export interface DatabaseFlags {
  readonly databaseName?: string;
  readonly allDatabases?: boolean;
}

/** Returns the sources of the server's metadata. */
export async function databasesOfServer(call: CallMetadata): Promise<readonly TargetDatabase[]> {
  const document = await call({ type: "export_metadata", args: {} });
  const sources = isObject<Json>(document) && Array.isArray(document.sources) ? document.sources : [];
  return sources.filter(isObject<Json>).map(({ name, kind }) => ({ name: String(name), kind: String(kind) }));
}

/**
 * @param withFiles databases that have a folder, which `--all-databases` selects
 * @throws ConfigurationError, EngineError if the flags are ambiguous, or the server lacks the database
 */
export function targetDatabases(
  databases: readonly TargetDatabase[],
  withFiles: readonly string[],
  { databaseName, allDatabases = false }: DatabaseFlags,
): readonly TargetDatabase[] {
  if (databaseName !== undefined && allDatabases) {
    const message = "--database-name and --all-databases are mutually exclusive";
    throw new ConfigurationError([{ setting: null, message }]);
  }
  if (allDatabases) return withFiles.map((name) => find(databases, name));
  if (databaseName !== undefined) return [find(databases, databaseName)];
  const [only, ...others] = databases;
  if (only !== undefined && others.length === 0) return [only];
  const names = databases.map(({ name }) => name).join(", ");
  const found = only === undefined ? "the server has none; apply the metadata first" : `the server has ${names}`;
  throw new ConfigurationError([
    { setting: "--database-name", message: `required to select a database, or pass --all-databases: ${found}` },
  ]);
}

function find(databases: readonly TargetDatabase[], name: string): TargetDatabase {
  const found = databases.find((database) => database.name === name);
  if (found !== undefined) return found;
  const names = databases.map((database) => database.name);
  const hint = didYouMean(name, names) ?? (names.length === 0 ? "it has none" : `it has ${names.join(", ")}`);
  throw new EngineError("not-found", "$", `the server has no database ${name}: ${hint}`);
}
