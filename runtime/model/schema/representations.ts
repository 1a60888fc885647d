/**
 * What a gateway asks of a subgraph: objects of other subgraphs' answers, each with its type and its key
 * (`graphql-api.md` 11). Their types decide the form of a statement, their keys are parameters.
 */

import { EngineError, pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import type { Column } from "../definitions/column.ts";
import type { InputRows, RowGroup } from "../definitions/parameters.ts";
import { sourceValue, type ValueSource } from "../definitions/parameters.ts";

export interface Representation {
  readonly typename: string;
  readonly members: Readonly<Record<string, unknown>>;
  /** Its place in the list. */
  readonly position: number;
  readonly path: string;
}

function invalid(path: string, message: string): EngineError {
  return new EngineError("validation-failed", path, message);
}

/**
 * @param path of the list
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

/** What of representations decides the form of a statement: which types they are of. */
export function representationStructure(value: unknown): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const names = items.map((item) => (isObject(item) && Object.hasOwn(item, "__typename") ? item.__typename : item));
  return JSON.stringify([...new Set(names.map((name) => (typeof name === "string" ? name : null)))].sort());
}

/** The key under which a row of `keyRows` has its place in the list; no field is called so. */
export const positionKey = "#";

/**
 * The representations of one type as rows of values: their keys by field, and their places.
 * @throws EngineError where a part of a key is missing, when values are bound
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
