/** Quotes identifiers and string literals for T-SQL. */

export function quoteIdentifier(name: string): string {
  return `[${name.replaceAll("]", "]]")}]`;
}

/** Returns a Unicode string literal. */
export function textLiteral(text: string): string {
  return `N'${text.replaceAll("'", "''")}'`;
}
