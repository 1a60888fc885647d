/** JSON Patch (RFC 6902) as far as golden cases use it: `add`, `remove` and `replace` of members and elements. */
type Operation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/**
 * Returns a copy of a document with the operations applied in order.
 * @throws Error naming the path whose parent, member or element does not exist
 */
export function patched(document: unknown, operations: readonly Operation[]): unknown {
  const copy = structuredClone(document);
  for (const operation of operations) apply(copy, operation);
  return copy;
}

function apply(document: unknown, operation: Operation): void {
  const keys = operation.path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = keys.pop();
  const parent = keys.reduce((value, key) => memberOf(value, key, operation.path), document);
  if (last === undefined || typeof parent !== "object" || parent === null) throw absent(operation.path);
  if (Array.isArray(parent)) applyToList(parent, last, operation);
  else applyToObject(parent as Record<string, unknown>, last, operation);
}

function applyToList(list: unknown[], key: string, operation: Operation): void {
  const index = key === "-" ? list.length : Number(key);
  const bound = operation.op === "add" ? list.length : list.length - 1;
  if (!Number.isInteger(index) || index < 0 || index > bound) throw absent(operation.path);
  const values = operation.op === "remove" ? [] : [operation.value];
  list.splice(index, operation.op === "add" ? 0 : 1, ...values);
}

function applyToObject(parent: Record<string, unknown>, key: string, operation: Operation): void {
  if (operation.op !== "add" && !Object.hasOwn(parent, key)) throw absent(operation.path);
  if (operation.op === "remove") delete parent[key];
  else parent[key] = operation.value;
}

function memberOf(value: unknown, key: string, path: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) throw absent(path);
  return (value as Record<string, unknown>)[key];
}

const absent = (path: string): Error => new Error(`the patch has no place at ${path}`);
