/** The effective permissions of roles, as JSON for people and tools: `export_access` and `engine access`. */
import type { Condition } from "../3-lower/ir.ts";
import type { Json } from "../catalog/model.ts";
import { rowsText, toolText } from "./describe.ts";
import type {
  ByName,
  DeleteAccess,
  RoleAccess,
  SelectAccess,
  TableAccess,
  UpdateAccess,
  ValuesAccess,
} from "./model.ts";

/** All permissions of a role, with those that it inherits. */
export interface RolePermissions {
  readonly parents: readonly string[];
  readonly introspection: boolean;
  /** API limits by name. */
  readonly limits: ByName<Json>;
  /** Tables and native queries, by source and name. */
  readonly tables: ByName<TablePermissions>;
  readonly functions: ByName<FunctionPermission>;
  readonly actions: readonly string[];
  /** Permitted parts of remote schemas, as SDL. */
  readonly remote_schemas: ByName<string>;
  /** Saved operations that the role can run, as `collection.name`. */
  readonly saved_operations: readonly string[];
  /** Tools for assistants, with a description of a call. Absent without tools. */
  readonly agent_tools?: ByName<string>;
}

export interface TablePermissions {
  readonly select?: SelectPermissions;
  readonly insert?: WritePermissions;
  readonly update?: WritePermissions;
  readonly delete?: WritePermissions;
}

/** Row filters are texts in the form of the generated code; `every row` without a filter. */
export interface SelectPermissions {
  readonly columns: readonly string[];
  readonly computed_fields: readonly string[];
  /** For an inherited role, the rows of each parent. */
  readonly rows: string | ByName<string>;
  /** Columns and computed fields of an inherited role that only some parents see, with these parents. */
  readonly only_in_rows_of?: ByName<readonly string[]>;
  readonly limit?: number;
  readonly aggregations: boolean;
}

export interface WritePermissions {
  readonly columns?: readonly string[];
  /** Values that the engine sets, as SQL by column. */
  readonly presets?: ByName<string>;
  readonly rows?: string;
  readonly check?: string;
  /** The permissions of parents that a merged permission consists of: a row needs one of them. */
  readonly merged_from?: ByName<MergedPermission>;
  /** Tables of nested inserts, by relationship. */
  readonly nested?: ByName<string>;
  /** Writes of related rows (`_related`), by relationship. */
  readonly related?: ByName<RelatedPermission>;
  readonly backend_only: boolean;
  /** URL of the webhook that validates the input. */
  readonly validation?: string;
}

interface RelatedPermission {
  readonly writes: readonly string[];
  /** Inserted rows get the key of their parent, although requests may not set it. */
  readonly sets_key?: true;
}

interface MergedPermission {
  readonly columns: readonly string[];
  /** Rows before an update. */
  readonly rows?: string;
  readonly check?: string;
}

interface FunctionPermission {
  readonly exposed_as: "query" | "mutation";
  /** Table whose rows it returns. */
  readonly rows: string;
  readonly arguments: readonly string[];
}

export function permissionsOf(access: RoleAccess): RolePermissions {
  return {
    parents: access.parents,
    introspection: access.introspection,
    limits: access.limits,
    tables: mapped(access.tables, tablePermissions),
    functions: mapped(access.functions, ({ exposedAs, rows, arguments: names }) => ({
      exposed_as: exposedAs,
      rows,
      arguments: names,
    })),
    actions: Object.keys(access.actions).sort(),
    remote_schemas: sorted(access.remoteSchemas),
    saved_operations: Object.keys(access.operations).sort(),
    ...(access.tools && { agent_tools: mapped(access.tools, toolOf) }),
  };
}

/** A tool that only backends may call has only the second description. */
function toolOf({ frontend, backend }: NonNullable<RoleAccess["tools"]>[string]): string {
  const tool = frontend ?? backend;
  const text = tool === undefined ? "" : toolText(tool).replaceAll("\n", "; ");
  return frontend === undefined ? `${text}; from backends only` : text;
}

function tablePermissions({ row, select, insert, update, delete: remove }: TableAccess): TablePermissions {
  return {
    ...(select && { select: selectPermissions(select, row) }),
    ...(insert && {
      insert: {
        ...values(insert, row),
        ...(Object.keys(insert.nested).length > 0 && { nested: sorted(insert.nested) }),
        ...relatedOf(insert),
        ...conditions(insert),
      },
    }),
    ...(update && {
      update: { ...rowsOf(update.rows, row), ...values(update, row), ...relatedOf(update), ...conditions(update) },
    }),
    ...(remove && { delete: { ...rowsOf(remove.rows, row), ...conditions(remove) } }),
  };
}

const relatedOf = ({ related }: Pick<UpdateAccess, "related">): Pick<WritePermissions, "related"> =>
  related === undefined
    ? {}
    : { related: mapped(related, ({ writes, setsKey }) => ({ writes, ...(setsKey && { sets_key: true as const }) })) };

function selectPermissions(select: SelectAccess, row: string): SelectPermissions {
  const cells = Object.entries({ ...select.columns, ...select.computedFields });
  const partial = cells.flatMap(([name, { parents }]) => (parents === undefined ? [] : [[name, parents] as const]));
  return {
    columns: Object.keys(select.columns).sort(),
    computed_fields: Object.keys(select.computedFields).sort(),
    rows:
      select.parents === undefined
        ? rowsText(select.rows, row)
        : mapped(select.parents, (condition) => rowsText(condition, row)),
    ...(partial.length > 0 && { only_in_rows_of: sorted(Object.fromEntries(partial)) }),
    ...(select.limit !== undefined && { limit: select.limit }),
    aggregations: select.aggregations,
  };
}

const rowsOf = (condition: Condition | undefined, row: string) => ({ rows: rowsText(condition, row) });

const values = ({ columns, presets, check, merged }: ValuesAccess, row: string) => ({
  columns: [...columns].sort(),
  ...(Object.keys(presets).length > 0 && { presets: sorted(presets) }),
  ...(check !== undefined && { check: rowsText(check, row) }),
  ...(merged && {
    merged_from: mapped(merged, (part) => ({
      columns: [...part.columns].sort(),
      ...(part.rows && { rows: rowsText(part.rows, row) }),
      ...(part.check && { check: rowsText(part.check, row) }),
    })),
  }),
});

const conditions = ({ backendOnly, validation }: DeleteAccess) => ({
  backend_only: backendOnly,
  ...(validation !== undefined && { validation }),
});

function sorted<T>(members: ByName<T>): ByName<T> {
  return mapped(members, (member) => member);
}

function mapped<From, To>(members: ByName<From>, change: (member: From) => To): ByName<To> {
  const names = Object.keys(members).sort();
  return Object.fromEntries(names.map((name) => [name, change(members[name] as From)]));
}
