/** Rules of enum tables, and the columns that refer to them. */

import { graphqlDefault, isEnumValueName } from "../../../runtime/model/definitions/naming.ts";
import type { ColumnShape, TableShape } from "../../shape/shape.ts";
import { qualifiedKey } from "../analysis.ts";
import { clashes, type Naming } from "../naming.ts";
import { becauseOf, reject } from "../rejection.ts";

/** @throws Rejection with all reasons why the table cannot be an enum */
export function checkEnumTable({ convention }: Naming, table: TableShape, displayName: string): void {
  const problems = [...structureProblems(table)];
  if (problems.length === 0) problems.push(...valueProblems(table), ...sharedNames(convention, table));
  if (problems.length === 0) return;
  reject(becauseOf(`the table "${displayName}" cannot be used as an enum`, problems));
}

function* structureProblems({ primaryKey, columns }: TableShape): Generator<string> {
  if (primaryKey === null) {
    yield "the table must have a primary key";
    return;
  }
  if (primaryKey.columns.length !== 1) {
    yield `the table’s primary key must not span multiple columns (${[...primaryKey.columns].sort().join(", ")})`;
    return;
  }
  const [keyName] = primaryKey.columns;
  const key = columns.find(({ name }) => name === keyName);
  if (key !== undefined && !isText(key)) {
    yield `the table’s primary key ("${key.name}") must have type "text", not type "${key.type.sql}"`;
  }
  const [comment, ...more] = columns.filter((column) => column !== key);
  if (more.length > 0) {
    const names = columns.map(({ name }) => name).sort();
    yield `the table must have exactly one primary key and optionally one comment column, not ${names.length} columns (${names.join(", ")})`;
  } else if (comment !== undefined && !isText(comment)) {
    yield `the table’s comment column ("${comment.name}") must have type "text", not type "${comment.type.sql}"`;
  }
}

/** Checks the values, which the shape contains if the table was an enum when it was introspected. */
function* valueProblems({ enumValues = [] }: TableShape): Generator<string> {
  if (enumValues.length === 0) yield "the table must have at least one row";
  const bad = enumValues.filter(({ value }) => !isEnumValueName(value)).map(({ value }) => `"${value}"`);
  if (bad.length === 1) yield `the value ${bad[0]} is not a valid GraphQL enum value name`;
  if (bad.length > 1) yield `the values ${englishList(bad)} are not valid GraphQL enum value names`;
}

/** Reports values that the naming convention maps to the same name. */
function* sharedNames(convention: Naming["convention"], { enumValues = [] }: TableShape): Generator<string> {
  if (convention === "engine-default") return;
  const { enumValue } = graphqlDefault();
  yield* clashes(
    enumValues.map(({ value }) => value),
    enumValue,
    (values, name) => `the values ${values} map to the same name "${name}" in the naming convention ${convention}`,
  );
}

function isText({ type }: ColumnShape): boolean {
  return type.sql === "text";
}

function englishList(words: readonly string[]): string {
  return words.length < 3 ? words.join(" and ") : `${words.slice(0, -1).join(", ")}, and ${words.at(-1)}`;
}

/**
 * Returns the enum table that each column refers to by a single-column foreign key.
 * @param enums enum tables by key
 * @throws Rejection if a column refers to several
 */
export function enumReferences(
  table: TableShape,
  displayName: string,
  enums: ReadonlyMap<string, { readonly shape: TableShape; readonly displayName: string }>,
): ReadonlyMap<string, string> {
  const references = new Map<string, Set<string>>();
  if (enums.size === 0) return new Map();
  for (const { columns, foreignTable, foreignColumns } of table.foreignKeys) {
    const [column] = columns;
    const key = qualifiedKey(foreignTable);
    const target = enums.get(key);
    if (column === undefined || columns.length !== 1 || target?.shape.primaryKey?.columns[0] !== foreignColumns[0]) {
      continue;
    }
    references.set(column, (references.get(column) ?? new Set()).add(key));
  }
  const single = new Map<string, string>();
  for (const [column, keys] of references) {
    if (keys.size > 1) {
      const names = [...keys].map((key) => `"${enums.get(key)?.displayName}"`).sort();
      reject(`column "${column}" in table "${displayName}" references multiple enum tables (${names.join(", ")})`);
    }
    for (const key of keys) single.set(column, key);
  }
  return single;
}
