/** Names as SQL. */

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export interface NewColumn {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** SQL; empty: none. */
  readonly initial: string;
  readonly isKey: boolean;
}

/** The statement that makes a table. */
export function createTableSql(schema: string, name: string, columns: readonly NewColumn[]): string {
  const lines = columns.map(({ name: column, type, isNullable, initial, isKey }) => {
    const parts = [quoted(column), type];
    if (!isNullable && !isKey) parts.push("not null");
    if (initial !== "") parts.push(`default ${initial}`);
    return `  ${parts.join(" ")}`;
  });
  const keys = columns.filter(({ isKey }) => isKey).map((column) => quoted(column.name));
  if (keys.length > 0) lines.push(`  primary key (${keys.join(", ")})`);
  return `create table ${quoted(schema)}.${quoted(name)} (\n${lines.join(",\n")}\n);`;
}
