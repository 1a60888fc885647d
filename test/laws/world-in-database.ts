/** A world in a real database: its tables and rows as SQL, and the permissions of a role as metadata. */
import type { Json } from "../../compiler/catalog/model.ts";
import { moodType, type Value } from "./column-types.ts";
import { filterInput, inputJson } from "./input.ts";
import {
  everything,
  type Filter,
  type Place,
  permissionsOf,
  type Relationship,
  type Row,
  relationshipsWithin,
  type SelectPermission,
  type Table,
  type World,
} from "./model.ts";
import type { Reader } from "./random-permissions.ts";
import type { Preset, Writer } from "./write.ts";

const quoted = (name: string): string => `"${name}"`;
const list = (names: readonly string[]): string => names.map(quoted).join(", ");

/** Returns SQL that replaces the contents of the schema `public` of a place. */
export function createWorld({ tables, rows }: World, of: Place = "default"): string {
  const all = [...tables.values()].filter(({ place }) => place === of);
  return [
    "drop schema public cascade; create schema public",
    moodType,
    ...all.map(createTable),
    ...all.map((table) => insertRows(table, rows.get(table.name) ?? [])),
    ...all.flatMap(addForeignKeys),
  ].join(";\n");
}

function createTable({ name, columns, key, hasPrimaryKey }: Table): string {
  const lines = columns.map(({ name: column, type, nullable }) => {
    return `${quoted(column)} ${type.sql}${nullable ? "" : " not null"}`;
  });
  if (hasPrimaryKey) lines.push(`primary key (${list(key.map((column) => column.name))})`);
  return `create table ${quoted(name)} (${lines.join(", ")})`;
}

function addForeignKeys({ name, foreignKeys }: Table): string[] {
  return foreignKeys.map(({ columns, target, targetColumns }) => {
    return `alter table ${quoted(name)} add foreign key (${list(columns)}) references ${quoted(target)} (${list(targetColumns)})`;
  });
}

/** Returns an insert statement; empty without rows. */
function insertRows({ name, columns }: Table, rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const literal = (value: Value, text: (value: Value) => string): string =>
    value === null ? "null" : `E'${text(value).replaceAll(/[\\']/g, "\\$&")}'`;
  const values = rows.map((row) => `(${columns.map((c) => literal(row[c.name] ?? null, c.type.text)).join(", ")})`);
  return `insert into ${quoted(name)} (${list(columns.map((column) => column.name))}) values ${values.join(", ")}`;
}

/** Returns the metadata of a table, without permissions. */
function trackTable(
  table: Table,
): { readonly table: { readonly [key: string]: Json } } & { readonly [key: string]: Json } {
  const of = (kind: Relationship["kind"]) =>
    relationshipsWithin(table).filter((relationship) => relationship.kind === kind);
  return {
    table: { schema: "public", name: table.name },
    object_relationships: of("object").map(relationshipMetadata),
    array_relationships: of("array").map(relationshipMetadata),
  };
}

function relationshipMetadata({ name, target, mapping, foreignKeyOf }: Relationship): { readonly [key: string]: Json } {
  const table = { schema: "public", name: target };
  const manual = { remote_table: table, column_mapping: Object.fromEntries(mapping) };
  if (foreignKeyOf === undefined) return { name, using: { manual_configuration: manual } };
  const columns = mapping.map(([local, remote]) => (foreignKeyOf === "this" ? local : remote));
  return { name, using: { foreign_key_constraint_on: foreignKeyOf === "this" ? columns : { table, columns } } };
}

function selectPermission(role: string, permission: SelectPermission): { readonly [key: string]: Json } {
  const { columns, filter, limit, aggregations } = permission;
  return {
    role,
    permission: {
      columns: columns.map(({ name }) => name),
      filter: inputJson(filterInput(filter)),
      allow_aggregations: aggregations,
      ...(limit === undefined ? {} : { limit }),
    },
  };
}

/** Returns the tables of a place as metadata, with the select permissions of each role. */
export function readerTables(
  { viewpoint: { world }, permissions }: Pick<Reader, "viewpoint" | "permissions">,
  of: Place = "default",
): ({ readonly table: object } & Readonly<Record<string, unknown>>)[] {
  const tables = [...world.tables.values()].filter(({ place }) => place === of);
  return tables.map((table) => {
    const select = [...permissions].flatMap(([role, granted]) => {
      const permission = granted.get(table.name);
      return permission ? [selectPermission(role, permission)] : [];
    });
    return { ...trackTable(table), select_permissions: select };
  });
}

/** Returns the tables of a writer as metadata, with its permissions. */
export function writerTables({ world, select, rules, role }: Writer): unknown[] {
  const filter = (given: Filter) => inputJson(filterInput(given));
  const set = (presets: readonly Preset[]) =>
    Object.fromEntries(
      presets.map(({ column, operand }) => [
        column.name,
        operand.kind === "session" ? operand.variable : operand.value,
      ]),
    );
  return [...world.tables.values()].map((table) => {
    const permission = select?.get(table.name);
    const { insert, update, delete: remove } = rules?.get(table.name) ?? {};
    return {
      ...trackTable(table),
      select_permissions: permission ? permissionsOf(permission).flatMap((each) => selectOf(role, each)) : [],
      insert_permissions: rolesWith(insert).map(([owner, part]) => ({
        role: owner ?? role,
        permission: {
          columns: part.columns.map(({ name }) => name),
          check: filter(part.check),
          set: set(part.presets),
        },
      })),
      update_permissions: rolesWith(update).map(([owner, part]) => ({
        role: owner ?? role,
        permission: {
          columns: part.columns.map(({ name }) => name),
          filter: filter(part.filter),
          check: part.check ? filter(part.check) : null,
          set: set(part.presets),
        },
      })),
      delete_permissions: rolesWith(remove).map(([owner, part]) => ({
        role: owner ?? role,
        permission: { filter: filter(part.filter) },
      })),
    };
  });
}

const parents = ["part_1", "part_2", "part_3"] as const;

/**
 * Returns the select permission of a writer. The parents of a writer with merged permissions may read every row: their
 * references lead to the permission of the writer.
 */
function selectOf(role: string, permission: SelectPermission) {
  const ofParents = parents.map((parent) => selectPermission(parent, { ...permission, filter: everything }));
  return [selectPermission(role, permission), ...ofParents];
}

/** Returns the permissions of a rule with their roles; `undefined` is the writer itself. */
function rolesWith<T extends { readonly parts?: readonly T[] }>(
  rule: T | undefined,
): (readonly [string | undefined, T])[] {
  if (rule === undefined) return [];
  return rule.parts ? rule.parts.map((part, i) => [parents[i], part] as const) : [[undefined, rule]];
}

/** Returns the inherited role of a writer with merged permissions as metadata. */
export function writerRoles({ rules, role }: Writer): { readonly inherited_roles: readonly object[] } {
  const all = [...(rules?.values() ?? [])].flatMap((each) => [each.insert, each.update, each.delete]);
  const count = Math.max(0, ...all.map((rule) => rule?.parts?.length ?? 0));
  const merged = { role_name: role, role_set: parents.slice(0, count), merge: true };
  return { inherited_roles: count === 0 ? [] : [merged] };
}
