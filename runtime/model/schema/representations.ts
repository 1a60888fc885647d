/**
 * Representations in `_entities` queries of a gateway: objects of other subgraphs, each with its type and its key.
 * Their types determine the statement, and their keys are parameters.
 */

import { EngineError, pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import type { Column } from "../definitions/column.ts";
import type { InputRows, RowGroup } from "../definitions/parameters.ts";
import { sourceValue, type ValueSource } from "../definitions/parameters.ts";

export interface Representation {
  readonly typename: string;
  readonly members: Readonly<Record<string, unknown>>;
  /** Index in the list. */
  readonly position: number;
  readonly path: string;
}

function invalid(path: string, message: string): EngineError {
  return new EngineError("validation-failed", path, message);
}

/**
 * Parses a list of representations.
 * @param path path of the list
 * @throws EngineError `validation-failed`
 */
export function readRepresentations(value: unknown, path: string): readonly Representation[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((members, position) => {
    const itemPath = pathTo(path, position);
    if (!isObject(members)) throw invalid(itemPath, "representations is expecting a list of objects only");
    const typename = Object.hasOwn(members, "__typename") ? members.__typename : undefined;
    if (typename === undefined) throw invalid(itemPath, "__typename key not found");
    if (typeof typename !== "string") throw invalid(itemPath, "__typename can only be a string value");
    return { typename, members, position, path: itemPath };
  });
}

/** Returns the part of representations that determines the statement: their type names. */
export function representationStructure(value: unknown): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const names = items.map((item) => (isObject(item) && Object.hasOwn(item, "__typename") ? item.__typename : item));
  return JSON.stringify([...new Set(names.map((name) => (typeof name === "string" ? name : null)))].sort());
}

/** Key of the list index in rows of `keyRows`; no field can have this name. */
export const positionKey = "#";

/**
 * Returns the representations of one type as rows: their keys by field, and their list indexes.
 * @throws EngineError when values are bound, if a part of a key is missing
 */
export function keyRows(source: ValueSource, path: string, typename: string, key: readonly Column[]): InputRows {
  return {
    key: `representations ${JSON.stringify([source, typename])}`,
    of: (variables) =>
      readRepresentations(sourceValue(source, variables), path)
        .filter((each) => each.typename === typename)
        .map(({ members, position, path: rowPath }): RowGroup => {
          const values: Record<string, unknown> = Object.create(null);
          for (const { field } of key) {
            if (!Object.hasOwn(members, field)) throw invalid(rowPath, `cannot find ${field} in _Any type`);
            values[field] = members[field];
          }
          values[positionKey] = position;
          return { values: [values], pathOf: () => rowPath, literal: source.kind !== "variable" };
        }),
  };
}
