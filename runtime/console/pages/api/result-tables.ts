/** Results as tables: each list of objects with its columns. Nested objects become columns such as `author.name`. */

export interface ResultTable {
  /** Root field or its alias, or the path of a nested list. */
  readonly name: string;
  readonly rows: readonly unknown[];
}

type Member = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Member =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns true for a list that contains objects. */
export const isTable = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.some(isObject);

/** Returns a table for each root field with an object or a list of objects. An object is a table of one row. */
export function tablesOf(data: unknown): readonly ResultTable[] {
  if (!isObject(data)) return [];
  return Object.entries(data).flatMap(([name, value]): ResultTable[] => {
    if (isTable(value)) return [{ name, rows: value }];
    if (!isObject(value)) return [];
    return [{ name, rows: [value] }];
  });
}

/** Keys from a row to a value. */
export type ColumnPath = readonly string[];

/** Returns the columns of all rows in the order in which they first occur. */
export function columnsOf(rows: readonly unknown[]): readonly ColumnPath[] {
  const root: Node = new Map();
  for (const row of rows) collect(root, row);
  return pathsOf(root);
}

/** Members of objects; a value that no row has as an object has no members. */
interface Node extends Map<string, Node> {}

function collect(node: Node, value: unknown): void {
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    let child = node.get(name);
    if (!child) {
      child = new Map();
      node.set(name, child);
    }
    collect(child, member);
  }
}

const pathsOf = (node: Node): readonly ColumnPath[] =>
  [...node].flatMap(([name, child]) => (child.size === 0 ? [[name]] : pathsOf(child).map((rest) => [name, ...rest])));

/** Returns the value at a path; `undefined` if the row does not have it, `null` below a null. */
export function valueAt(row: unknown, path: ColumnPath): unknown {
  let value = row;
  for (const name of path) {
    if (value === null) return null;
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}
