/** Names and constant texts of T-SQL. */

export function quoteIdentifier(name: string): string {
  return `[${name.replaceAll("]", "]]")}]`;
}

/** A constant string, in Unicode. */
export function textLiteral(text: string): string {
  return `N'${text.replaceAll("'", "''")}'`;
}
