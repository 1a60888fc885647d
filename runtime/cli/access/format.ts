/** Formats the effective permissions of roles as text for a terminal, and as Markdown. */
import type {
  RolePermissions,
  SelectPermissions,
  TablePermissions,
  WritePermissions,
} from "../../../compiler/access/permissions.ts";
import { codeCell, codeSpan } from "../diff/markdown.ts";
import { printable } from "../project/output.ts";

type Permissions = Readonly<Record<string, RolePermissions>>;

/** A property of a permission, with its value on one line, and the name of the column, role or relationship. */
type Line = readonly [property: string, value: string, name?: string];

/** A permission of an object. */
interface Entry {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** The permissions on an object of the metadata. */
interface Part {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Returns one block for each role: its tables with their permissions, then its functions, actions and so on. */
export function accessText(roles: Permissions): string {
  const blocks = Object.entries(roles).map(([role, permissions]) => {
    const parts = partsOf(permissions).flatMap(({ title, entries }) => [
      `  ${printable(title)}`,
      ...entries.flatMap(({ title: operation, lines }) => textLines(operation, lines)),
    ]);
    const heads = aboutRole(permissions).map(([name, value]) => `  ${printable(`${name}: ${value}`)}`);
    return [`role ${printable(role)}`, ...heads, ...parts].join("\n");
  });
  return blocks.length === 0 ? "no roles\n" : `${blocks.join("\n\n")}\n`;
}

function textLines(operation: string, lines: readonly Line[]): readonly string[] {
  if (lines.length === 0) return [`    ${operation}`];
  return lines.map((line, index) => `    ${(index === 0 ? operation : "").padEnd(8)} ${printable(lineText(line))}`);
}

const lineText = ([property, value, name]: Line): string =>
  name === undefined ? `${property}: ${value}` : `${property} ${name}: ${value}`;

/** Returns one section for each role, with a table for its permissions. */
export function accessMarkdown(roles: Permissions): string {
  const sections = Object.entries(roles).map(([role, permissions]) => {
    const heads = aboutRole(permissions).map(([name, value]) => `${name}: ${codeSpan(value)}`);
    const rows = partsOf(permissions).flatMap(({ title, entries }) =>
      entries.map(({ title: operation, lines }) => {
        const details = lines
          .map(([property, value, name]) =>
            lineText(name === undefined ? [property, codeCell(value)] : [property, codeCell(value), codeCell(name)]),
          )
          .join("<br>");
        return `| ${codeCell(title)} | ${operation} | ${details} |`;
      }),
    );
    const table =
      rows.length === 0 ? ["No permissions."] : ["| object | permission | details |", "| --- | --- | --- |", ...rows];
    return [`## Role ${codeSpan(role)}`, "", ...heads.flatMap((line) => [line, ""]), ...table].join("\n");
  });
  return `${sections.length === 0 ? "No roles." : sections.join("\n\n")}\n`;
}

function aboutRole({ parents, introspection, limits }: RolePermissions): readonly Line[] {
  return [
    ...(parents.length === 0 ? [] : [["inherits from", parents.join(", ")] as const]),
    ...(introspection ? [] : [["introspection", "disabled"] as const]),
    ...Object.entries(limits).map(([name, value]) => [name, JSON.stringify(value)] as const),
  ];
}

function partsOf(permissions: RolePermissions): readonly Part[] {
  const { tables, functions, actions, remote_schemas, saved_operations, agent_tools = {} } = permissions;
  const executed = (title: string): Part => ({ title, entries: [{ title: "execute", lines: [] }] });
  return [
    ...Object.entries(tables).map(([title, table]) => ({ title, entries: entriesOf(table) })),
    ...Object.entries(functions).map(([name, { exposed_as, rows, arguments: names }]) => ({
      title: `function ${name}`,
      entries: [{ title: exposed_as, lines: [["rows", rows] as const, ["arguments", listText(names)] as const] }],
    })),
    ...actions.map((name) => executed(`action ${name}`)),
    ...Object.keys(remote_schemas).map((name) => executed(`remote schema ${name}`)),
    ...saved_operations.map((name) => executed(`saved operation ${name}`)),
    ...Object.entries(agent_tools).map(([name, text]) => ({
      title: `tool ${name}`,
      entries: [{ title: "call", lines: [["effect", text] as const] }],
    })),
  ];
}

function entriesOf({ select, insert, update, delete: remove }: TablePermissions): readonly Entry[] {
  return [
    ...(select ? [{ title: "select", lines: selectLines(select) }] : []),
    ...(insert ? [{ title: "insert", lines: writeLines(insert) }] : []),
    ...(update ? [{ title: "update", lines: writeLines(update) }] : []),
    ...(remove ? [{ title: "delete", lines: writeLines(remove) }] : []),
  ];
}

function selectLines(select: SelectPermissions): readonly Line[] {
  const { columns, computed_fields: computed, rows, only_in_rows_of: partial = {}, limit, aggregations } = select;
  return [
    ["columns", listText(columns)],
    ...(computed.length === 0 ? [] : [["computed fields", listText(computed)] as const]),
    ...(typeof rows === "string"
      ? [["rows", rows] as const]
      : Object.entries(rows).map(([role, text]) => ["rows of role", text, role] as const)),
    ...Object.entries(partial).map(([name, roles]) => ["rows of column", `only of ${listText(roles)}`, name] as const),
    ...(limit === undefined ? [] : [["limit", String(limit)] as const]),
    ...(aggregations ? [["aggregates", "allowed"] as const] : []),
  ];
}

function writeLines(permission: WritePermissions): readonly Line[] {
  const { columns, rows, presets = {}, check, nested = {}, related = {}, backend_only, validation } = permission;
  return [
    ...(columns === undefined ? [] : [["columns", listText(columns)] as const]),
    ...(rows === undefined ? [] : [["rows", rows] as const]),
    ...Object.entries(presets).map(([column, value]) => ["preset", value, column] as const),
    ...(check === undefined ? [] : [["check", check] as const]),
    ...Object.entries(nested).map(([relationship, table]) => ["nested", table, relationship] as const),
    ...Object.entries(related).map(([relationship, { writes, sets_key: setsKey }]) => {
      const key = setsKey ? "; inserted rows get the key of their parent" : "";
      return ["related", `${listText(writes)}${key}`, relationship] as const;
    }),
    ...(validation === undefined ? [] : [["validated by", validation] as const]),
    ...(backend_only ? [["requests", "from backends only"] as const] : []),
  ];
}

const listText = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));
