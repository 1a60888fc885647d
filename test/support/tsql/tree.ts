/**
 * Reads trees of the parser, which are JSON: an object with one member has its kind as that member's name; other
 * objects have a member for each part.
 */
export type Tree = Readonly<Record<string, unknown>>;

export const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the value at a path, or undefined. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((found, member) => (isTree(found) ? found[member] : undefined), value);
}

export const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};

/** Members that locate a part in the text. */
const places: ReadonlySet<string> = new Set(["span", "select_token", "case_token", "end_token", "start_token"]);

/**
 * Calls `see` for each member below a value.
 * @param see returns false to skip what is below the member
 */
export function visit(value: unknown, see: (kind: string, value: unknown, holder: Tree) => boolean): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see);
    return;
  }
  if (!isTree(value)) return;
  for (const [kind, below] of Object.entries(value)) {
    if (!places.has(kind) && see(kind, below, value)) visit(below, see);
  }
}

/** Returns what is below each member of a kind. @param options.stop kinds that are not searched */
export function findAll(
  value: unknown,
  kind: string,
  { stop = [] }: { readonly stop?: readonly string[] } = {},
): readonly unknown[] {
  const found: unknown[] = [];
  visit(value, (member, below) => {
    if (member === kind) found.push(below);
    return !stop.includes(member);
  });
  return found;
}

/** Returns the tree as text without places, so that equal parts have equal texts. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (member, below) => (places.has(member) ? undefined : below)) ?? "";

/** Removes parentheses around an expression. */
export function bareExpression(value: unknown): unknown {
  return isTree(value) && "Nested" in value ? bareExpression(value.Nested) : value;
}

/** Returns the name of a function in lower case; parts of a schema or a method are joined by dots. */
export const functionName = (call: unknown): string =>
  listAt(call, "name")
    .map((name) => String(at(name, "Identifier", "value")))
    .join(".")
    .toLowerCase();

/** Returns the arguments of a function call. */
export const argumentsOf = (call: unknown): readonly unknown[] =>
  listAt(call, "args", "List", "args").map((argument) => {
    const value = at(argument, "Unnamed");
    return at(value, "Expr") ?? value;
  });

/** Operators of comparisons. */
export const comparisons: ReadonlySet<unknown> = new Set(["Eq", "NotEq", "Lt", "LtEq", "Gt", "GtEq"]);

/** Kinds below which another SELECT begins. */
export const queryKinds: readonly string[] = ["Subquery", "Exists", "InSubquery", "Derived"];
