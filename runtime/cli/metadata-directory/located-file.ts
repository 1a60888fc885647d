/** Reads a YAML or JSON file of a project with the locations of its values, for messages. */
import { dirname } from "node:path";
import type { Json } from "../../../compiler/catalog/model.ts";
import { type Location, Locations } from "../../metadata-text/locations.ts";
import { EngineError, pathTo } from "../../values/errors.ts";
import { FileLoader } from "./load-files.ts";

/** A path to a value in a file. */
export type Keys = readonly (string | number)[];

/** Returns the keys of an issue of a schema. */
export function keysOf(path: readonly PropertyKey[]): Keys {
  return path.map((key) => (typeof key === "number" ? key : String(key)));
}

export interface LocatedFile {
  readonly value: Json;
  locate(...keys: Keys): Location | undefined;
  /** Returns `file:line:column`. */
  at(...keys: Keys): string;
  /** @throws EngineError with file, line and column */
  fail(message: string, ...keys: Keys): never;
}

/**
 * Returns `undefined` for a missing file.
 * @param rootName name of the file's folder in messages about includes
 * @throws EngineError with file, line and column for invalid syntax
 */
export async function readLocatedFile(path: string, rootName: string): Promise<LocatedFile | undefined> {
  const locations = new Locations();
  const read = await new FileLoader(dirname(path), locations, undefined, rootName).read(path);
  if (read === undefined) return undefined;
  const { value } = read;
  const locate = (...keys: Keys) => locations.find(value, pathTo("$", ...keys));
  const at = (...keys: Keys): string => {
    const found = locate(...keys);
    return found === undefined ? path : `${found.file}:${found.line}:${found.column}`;
  };
  const fail = (message: string, ...keys: Keys): never => {
    const shown = keys.length === 0 ? "" : `${pathTo("$", ...keys).slice(2)}: `;
    throw new EngineError("parse-failed", "$", `${at(...keys)}: ${shown}${message}`);
  };
  return { value, locate, at, fail };
}
