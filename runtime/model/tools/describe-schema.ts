/**
 * Describes the schema of a role as compact text for assistants: a list of tables and other root fields, and the
 * details of one of them.
 */
import type { Interruptible } from "../../values/interruptible.ts";
import type { TableView } from "../definitions/view.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import { type ObjectTypeDef, type OutputField, typeText } from "../schema/types.ts";

/** A table, or a root field that reads no table. */
export interface SchemaEntry {
  /** Name of the object type of the table, or of the root field. */
  readonly name: string;
  readonly description: string | undefined;
  readonly rootFields: readonly NamedRoot[];
  /** Names of columns and relationships; empty for root fields. */
  readonly members: readonly string[];
}

interface NamedRoot {
  readonly operation: Operation;
  readonly name: string;
}

type Operation = "query" | "mutation";

interface Draft {
  readonly name: string;
  readonly description: string | undefined;
  readonly rootFields: NamedRoot[];
  readonly members: readonly string[];
}

/** Returns the tables and other root fields of queries and mutations, sorted by name. Loads the modules of the role. */
export function* schemaEntries(schema: RoleSchema): Interruptible<ReadonlyMap<string, SchemaEntry>> {
  const drafts = new Map<string, Draft>();
  for (const operation of ["query", "mutation"] as const) {
    for (const [name, field] of schema[operation]?.fields() ?? []) {
      const draft = draftOf(name, field);
      const known = drafts.get(draft.name);
      if (known === undefined) drafts.set(draft.name, draft);
      (known ?? draft).rootFields.push({ operation, name });
      yield;
    }
  }
  return new Map([...drafts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function draftOf(name: string, field: OutputField): Draft {
  const view = viewOf(field);
  if (view === undefined) return { name, description: field.description?.(), rootFields: [], members: [] };
  const { table, columns, relationships, computedFields } = view;
  const columnNames = columns.map((column) => column.field);
  return {
    name: table.source.naming.type(table.query?.objectType ?? table.type),
    description: table.description,
    rootFields: [],
    members: [...columnNames, ...Object.keys(relationships), ...Object.keys(computedFields)],
  };
}

/** Returns the view whose rows a root field reads or writes. */
function viewOf({ meta }: OutputField): TableView | undefined {
  if (meta.kind !== "root" && meta.kind !== "write") return undefined;
  return "view" in meta.root ? meta.root.view() : undefined;
}

/** Returns true if the name, description or members of an entry contain all words, in any case. */
export function mentions({ name, description = "", rootFields, members }: SchemaEntry, words: string): boolean {
  const names = rootFields.map((root) => root.name);
  const text = [name, description, ...names, ...members].join("\n").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Maximum number of columns and relationships in the line of a table. */
const maxMembers = 40;

/** Returns the line of an entry in the list. */
export function entryLine({ name, description, members, rootFields }: SchemaEntry): string {
  const [only] = rootFields;
  const shown = members.slice(0, maxMembers).join(", ");
  const more = members.length > maxMembers ? ` and ${members.length - maxMembers} more` : "";
  const content = members.length > 0 ? shown + more : `${only?.operation ?? "query"} field`;
  return `${name}: ${content}${described(description)}`;
}

/** Returns the details of an entry as lines. */
export function entryDetails({ name, description, rootFields }: SchemaEntry, schema: RoleSchema): readonly string[] {
  const fields = rootFields.flatMap(({ operation, name: root }) => {
    const field = schema[operation]?.fields().get(root);
    return field === undefined ? [] : [{ operation, root, field }];
  });
  const type = fields.map(({ field }) => field.type()).find((each) => each.name === name);
  const members = type?.kind === "object" ? memberLines(type) : [];
  return [
    `${name}${described(description)}`,
    ...(members.length === 0 ? [] : ["Fields:", ...members]),
    "Root fields:",
    ...fields.map(({ operation, root, field }) => `  ${operation} ${signature(root, field)}`),
  ];
}

const memberLines = (type: ObjectTypeDef): readonly string[] =>
  [...type.fields()].map(([name, field]) => `  ${name}: ${typeText(field)}${described(field.description?.())}`);

function signature(name: string, field: OutputField): string {
  const args = [...field.args()].map(([argument, input]) => `${argument}: ${typeText(input)}`);
  return `${name}${args.length === 0 ? "" : `(${args.join(", ")})`}: ${typeText(field)}`;
}

const maxDescription = 200;

/** Returns the description on one line, cut to 200 characters. Descriptions that repeat the kind are omitted. */
function described(description: string | undefined): string {
  const text = (description ?? "").replace(/\s+/g, " ").trim();
  if (text === "" || /^(?:An (?:object|array|aggregate) relationship$|columns and relationships of )/.test(text))
    return "";
  return text.length > maxDescription ? ` — ${text.slice(0, maxDescription)}…` : ` — ${text}`;
}
