/** Compares by code units, independently of the locale. */

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
