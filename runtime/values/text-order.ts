/** The order of what has no position of its own: by code units, so that no locale has a say. */

export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export function compareNames(
  left: { readonly schema: string; readonly name: string },
  right: { readonly schema: string; readonly name: string },
): number {
  return compareText(left.schema, right.schema) || compareText(left.name, right.name);
}
