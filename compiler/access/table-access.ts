/** Describes the permissions of a role on one table, including inherited ones, as plain data. */

import { canonicalJson } from "../../runtime/values/canonical-json.ts";
import { invariant } from "../../runtime/values/errors.ts";
import { escapePart } from "../2-analyze/analysis.ts";
import type {
  AnalyzedColumn,
  AnalyzedInsert,
  AnalyzedSelect,
  AnalyzedUpdate,
  Predicate,
  Presets,
} from "../2-analyze/analyzed-table.ts";
import { lowerPredicate, lowerValue } from "../3-lower/conditions.ts";
import type { Condition, RowsName } from "../3-lower/ir.ts";
import type { RemoteRelationshipInputs } from "../3-lower/remote-relationship-inputs.ts";
import type { ViewInputs } from "../3-lower/view-inputs.ts";
import { isBackendOnly } from "../3-lower/write-inputs.ts";
import { conditionText } from "../4-emit/conditions.ts";
import { identifier } from "../4-emit/identifiers.ts";
import type { ValidateInput } from "../catalog/model.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import { implies } from "./implies.ts";
import type {
  ColumnAccess,
  ComputedFieldAccess,
  DeleteAccess,
  InsertAccess,
  MergedAccess,
  RelationshipAccess,
  SelectAccess,
  TableAccess,
  UpdateAccess,
} from "./model.ts";
import type { RelatedAccesses } from "./related-access.ts";

/** Joins the names of a source, a schema and an object to a unique key. */
export function accessKey(source: string, { schema, name, native }: RowsName): string {
  const parts = native ? [source, name] : [source, schema, name];
  return parts.map(escapePart).join(".");
}

/** @param related writes of related rows; absent: none */
export function tableAccess(inputs: ViewInputs, query: string | undefined, related?: RelatedAccesses): TableAccess {
  const reader = new TableReader(inputs);
  const { insert, update, delete: remove } = inputs.writes;
  return {
    row: identifier(inputs.table.name),
    ...(query === undefined ? {} : { query }),
    ...(inputs.readable && { select: reader.select() }),
    ...(insert && { insert: { ...reader.insert(insert), ...relatedOf(related?.insert) } }),
    ...(update && { update: { ...reader.update(update), ...relatedOf(related?.update) } }),
    ...(remove && { delete: reader.delete(remove) }),
  };
}

const relatedOf = (related: RelatedAccesses["update"] = {}): Pick<UpdateAccess, "related"> =>
  Object.keys(related).length === 0 ? {} : { related };

/** Describes the target and the join of a remote relationship. */
export function remoteTarget(to: RemoteRelationshipInputs["to"]): RelationshipAccess {
  if (to.kind === "source") {
    const on = to.columns.map(({ key, column }) => `${key.name} = ${column}`);
    return { target: accessKey(to.target.source, to.target), kind: to.relationship, on };
  }
  const calls = to.path.map(({ field, arguments: given }) => `${field}${canonicalJson(given)}`);
  const on = [calls.join("."), ...(to.batch ? [`batch ${canonicalJson({ ...to.batch })}`] : [])];
  return { target: to.remote, kind: "remote schema", on };
}

type Writes = Required<ViewInputs["writes"]>;

class TableReader {
  readonly #inputs: ViewInputs;
  readonly #dialect: Dialect;

  constructor(inputs: ViewInputs) {
    this.#inputs = inputs;
    this.#dialect = dialectOf(inputs.kind);
  }

  select(): SelectAccess {
    const { select, columns, computedFields, relationships, remoteRelationships, source } = this.#inputs;
    const parents = select?.parents;
    return {
      columns: Object.fromEntries(columns.flatMap((column) => columnAccess(column, parents))),
      computedFields: Object.fromEntries(
        computedFields.map(({ computed: { name, function: called, sessionArgument }, target }) => {
          const access: ComputedFieldAccess = {
            function: accessKey(source, called),
            session: sessionArgument !== undefined,
            // Returned rows are restricted by their own permissions.
            ...(target === undefined && parentsThat(parents, (parent) => has(parent.computedFields, name))),
          };
          return [name, access];
        }),
      ),
      relationships: Object.fromEntries([
        ...relationships.map(({ relationship: { name, kind, mapping }, target }) => {
          const on = mapping.map(({ local, remote }) => `${local} = ${remote}`);
          const access: RelationshipAccess = { target: accessKey(source, target), kind, on };
          return [name, access] as const;
        }),
        ...remoteRelationships.map(({ name, to }) => [name, remoteTarget(to)] as const),
      ]),
      ...this.#condition("rows", select?.filter),
      ...(parents && {
        parents: Object.fromEntries(parents.map(({ role, filter }) => [role, this.#lower(filter) ?? null])),
      }),
      ...(select?.limit === undefined ? {} : { limit: select.limit }),
      aggregations: select?.aggregations ?? !this.#inputs.table.native,
    };
  }

  insert(insert: Writes["insert"]): InsertAccess {
    return {
      ...this.#values(insert.columns, insert.permission?.presets),
      nested: Object.fromEntries(
        insert.nested.map(({ relationship: { name }, target }) => [name, accessKey(this.#inputs.source, target)]),
      ),
      ...this.#condition("check", insert.permission?.check),
      ...this.#merged(insert.permission?.parents),
      ...writeAccess(insert),
    };
  }

  update(update: Writes["update"]): UpdateAccess {
    const { permission } = update;
    return {
      ...this.#values(update.columns, permission?.presets),
      ...this.#condition("rows", permission?.filter),
      ...this.#condition("check", permission?.check),
      hasCheck: permission?.permission.permission.check != null,
      ...this.#merged(permission?.parents),
      ...writeAccess(update),
    };
  }

  delete(remove: Writes["delete"]): DeleteAccess {
    return { ...this.#condition("rows", remove.permission?.filter), ...writeAccess(remove) };
  }

  #values(columns: readonly AnalyzedColumn[], presets: Presets = []): Pick<UpdateAccess, "columns" | "presets"> {
    return {
      columns: columns.flatMap(({ name, field }) => (field === null ? [] : [name])),
      presets: Object.fromEntries(
        presets.map(({ column: { name, shape }, value }) => {
          const sql = lowerValue(value, shape.type, this.#dialect);
          return [name, conditionText({ kind: "test", sql }, "")];
        }),
      ),
    };
  }

  #merged(parents: readonly (AnalyzedInsert | AnalyzedUpdate)[] | undefined): Pick<UpdateAccess, "merged"> {
    if (parents === undefined) return {};
    const merged = parents.map((parent) => {
      const access: MergedAccess = {
        columns: parent.columns.map(({ name }) => name),
        ...this.#condition("rows", "filter" in parent ? parent.filter : undefined),
        ...this.#condition("check", parent.check),
      };
      return [parent.role, access] as const;
    });
    return { merged: Object.fromEntries(merged) };
  }

  #condition<K extends "rows" | "check">(
    name: K,
    predicate: Predicate | undefined,
  ): { readonly [key in K]?: Condition } {
    const condition = predicate && this.#lower(predicate);
    return condition === undefined ? {} : ({ [name]: condition } as { readonly [key in K]: Condition });
  }

  #lower(predicate: Predicate): Condition | undefined {
    const { filterTables } = this.#inputs;
    const tableOf = (key: string) => {
      const table = filterTables[key];
      invariant(table, `a row filter names the table ${key}, which is not tracked`);
      return table;
    };
    const condition = lowerPredicate(predicate, { dialect: this.#dialect, tableOf });
    const plain = condition && withoutConstants(condition, this.#dialect);
    return implies(undefined, plain) ? undefined : plain;
  }
}

/** Normalises constant conditions to empty `all` and `any`. */
function withoutConstants(condition: Condition, dialect: Dialect): Condition {
  switch (condition.kind) {
    case "all":
    case "any":
      return { ...condition, items: condition.items.map((item) => withoutConstants(item, dialect)) };
    case "not":
      return { ...condition, item: withoutConstants(condition.item, dialect) };
    case "exists":
      return { ...condition, where: withoutConstants(condition.where, dialect) };
    case "readable":
      return condition;
    case "test": {
      const { always, never } = dialect.runtime.dialect;
      const [only, ...others] = condition.sql;
      if (others.length > 0) return condition;
      if (only === textOf(always)) return { kind: "all", items: [] };
      return only === textOf(never) ? { kind: "any", items: [] } : condition;
    }
  }
}

const textOf = ({ parts }: { readonly parts: readonly unknown[] }): string => parts.join("");

function columnAccess(
  { name, field }: AnalyzedColumn,
  parents: readonly AnalyzedSelect[] | undefined,
): (readonly [string, ColumnAccess])[] {
  if (field === null) return [];
  return [[name, { field, ...parentsThat(parents, (parent) => has(parent.columns, name)) }]];
}

/** Lists the parents that grant a column or field, unless all do. */
function parentsThat(
  parents: readonly AnalyzedSelect[] = [],
  grants: (parent: AnalyzedSelect) => boolean,
): Pick<ColumnAccess, "parents"> {
  const grantingRoles = parents.filter(grants);
  return grantingRoles.length === parents.length ? {} : { parents: grantingRoles.map(({ role }) => role) };
}

const has = (list: readonly { readonly name: string }[], name: string): boolean =>
  list.some((item) => item.name === name);

function writeAccess(write: Writes[keyof Writes]): Pick<DeleteAccess, "backendOnly" | "validation"> {
  const validation: ValidateInput | undefined = write.permission?.permission.permission.validate_input;
  return { backendOnly: isBackendOnly(write), ...(validation && { validation: validation.definition.url }) };
}
