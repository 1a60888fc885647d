/** Rules of logical models: nested models exist, and permissions are valid for the fields. */
import { nestedModelIn, scalarIn } from "../../catalog/field-types.ts";
import {
  emptyTable,
  type InlineModel,
  type LogicalModel,
  type ModelField,
  type ModelFieldType,
} from "../../catalog/model.ts";
import { isGraphqlName } from "../../catalog/schema/scalars.ts";
import type { ColumnShape, TableShape } from "../../shape/shape.ts";
import type { AnalyzedModel } from "../analysis.ts";
import type { AnalyzedColumn, AnalyzedSelect } from "../analyzed-table.ts";
import { logicalModelObject, type ModelAddress, modelPermissionObject } from "../metadata-objects.ts";
import { type Dependency, type ObjectId, objectKey } from "../object-id.ts";
import { refers } from "../permission-references.ts";
import { bindSelect } from "../permissions.ts";
import { permittedKey } from "../permitted.ts";
import { type OtherSources, Uses } from "../predicate-scope.ts";
import { type Findings, reject, rejectDangling, rejectUnknown } from "../rejection.ts";
import type { SourceContext } from "../source-context.ts";
import { TableFields } from "../table-fields.ts";

/** Scope in which models are resolved, to which dependencies are added. */
export interface ModelScope {
  readonly context: SourceContext;
  /** Tables available to `_exists` in row filters. */
  readonly tables: ReadonlyMap<string, TableFields>;
  readonly others: OtherSources;
  readonly findings: Findings;
  /** By `objectKey`. */
  readonly dependencies: Map<string, readonly Dependency[]>;
}

/** Returns the consistent logical models of the source by name, sorted. */
export function analyzeLogicalModels(scope: ModelScope): Map<string, AnalyzedModel> {
  const { context, findings } = scope;
  const { name: source, logical_models } = context.source;
  const objectOf = (model: LogicalModel) => logicalModelObject(source, model);
  let remaining = findings.withoutDuplicates(logical_models, ({ name }) => name, objectOf);
  for (;;) {
    const names = new Set(remaining.map(({ name }) => name));
    const kept = remaining.filter((model) =>
      findings.attempt(
        () => objectOf(model),
        "",
        () => {
          checkReferences(source, model.fields, names);
          return true;
        },
      ),
    );
    if (kept.length === remaining.length) break;
    remaining = kept;
  }
  const models = remaining.map((model) => {
    const id: ObjectId = { kind: "logical_model", source, name: model.name };
    addDependencies(scope, id, referencesOf(source, model.fields));
    return analyzeModel(scope, { source, of: "logical_model", name: model.name }, model);
  });
  models.sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(models.map((model) => [model.name, model]));
}

export function addDependencies({ dependencies }: ModelScope, object: ObjectId, on: readonly ObjectId[]): void {
  dependencies.set(
    objectKey(object),
    on.map((each) => ({ object, on: each })),
  );
}

/** @throws Rejection for a nested model that does not exist */
export function checkReferences(
  source: string,
  fields: readonly ModelField[],
  models: { has(name: string): boolean },
): void {
  for (const { type } of fields) {
    const name = modelIn(type);
    if (name === undefined || models.has(name)) continue;
    rejectDangling(`logical model "${name}" is not tracked`, { kind: "logical_model", source, name });
  }
}

export function rejectUnknownModel(
  { source }: SourceContext,
  name: string,
  models: ReadonlyMap<string, AnalyzedModel>,
): never {
  const id = { kind: "logical_model", source: source.name, name } as const;
  return rejectUnknown(`The logical model ${name} could not be found`, name, models.keys(), id);
}

/** Returns the logical models that fields refer to. */
export function referencesOf(source: string, fields: readonly ModelField[]): readonly ObjectId[] {
  return fields.flatMap(({ type }): readonly ObjectId[] => {
    const name = modelIn(type);
    return name === undefined ? [] : [{ kind: "logical_model", source, name }];
  });
}

function modelIn(type: ModelFieldType): string | undefined {
  if ("array" in type) return modelIn(type.array);
  return "logical_model" in type ? type.logical_model : undefined;
}

/** Returns a model with its consistent permissions. */
export function analyzeModel(scope: ModelScope, address: ModelAddress, model: InlineModel): AnalyzedModel {
  const { context, findings } = scope;
  const rows = rowsOf(context, address.name, model.fields);
  const owner: ObjectId = { kind: address.of, source: address.source, name: address.name };
  const select: [string, AnalyzedSelect][] = [];
  for (const permission of findings.withoutDuplicates(
    model.select_permissions,
    ({ role }) => role,
    (each) => modelPermissionObject(address, each),
  )) {
    const object = modelPermissionObject(address, permission);
    const place = `in ${address.of.replace("_", " ")} "${address.name}": in permission for role "${permission.role}": `;
    const uses = new Uses();
    const bound = findings.attempt(
      () => object,
      place,
      () => {
        const found = bindSelect(
          { context, tables: scope.tables, table: rows, uses, others: scope.others },
          permission,
        );
        if (refers(found)) reject(`${permittedKey} can be used only in permissions of tables`);
        return found;
      },
    );
    if (bound === undefined) continue;
    select.push([permission.role, bound]);
    addDependencies(scope, object.id, [owner, ...usedTables(uses, object.id, rows)]);
  }
  select.sort(([a], [b]) => (a < b ? -1 : 1));
  const { columns } = rows.base;
  return { name: address.name, fields: model.fields, columns, select: new Map(select) };
}

/**
 * Returns the dependencies of a permission, except columns of the model itself, which are not columns of the database.
 */
function usedTables(uses: Uses, id: ObjectId, rows: TableFields): readonly ObjectId[] {
  return uses
    .dependenciesOf(id)
    .map(({ on }) => on)
    .filter((on) => !("table" in on && on.table === rows.base.table.table));
}

/**
 * Represents a model as a table, to bind its permissions. The table has no name, and its columns are the fields; nested
 * models are JSON.
 */
function rowsOf(context: SourceContext, name: string, fields: readonly ModelField[]): TableFields {
  const columns = fields.flatMap((field, index) => columnOf(context, field, index));
  const table = { schema: "", name };
  const shape: TableShape = {
    ...table,
    id: 0,
    kind: "view",
    comment: null,
    columns: columns.map((column) => column.shape),
    primaryKey: null,
    uniqueKeys: [],
    foreignKeys: [],
    insertable: false,
    updatable: false,
    deletable: false,
  };
  const base = {
    source: context.source.name,
    key: "",
    table: { ...emptyTable, table },
    shape,
    displayName: name,
    graphqlName: name,
    rootFields: null,
    connectionField: null,
    description: undefined,
    columns,
    primaryKey: [],
  };
  return new TableFields(base, {
    relationships: new Map(),
    computedFields: new Map(),
    remoteRelationships: new Map(),
    dangling: new Set(),
    dependencies: () => new Map(),
  });
}

function columnOf(context: SourceContext, { name, type, description }: ModelField, index: number): AnalyzedColumn[] {
  const nested = nestedModelIn(type);
  const scalar = nested ? context.dialect.documentType : scalarIn(type);
  if (scalar === undefined) return [];
  const shape: ColumnShape = {
    name,
    position: index + 1,
    type: context.typeNamed(scalar),
    nullable: type.nullable ?? false,
    hasDefault: false,
    identity: null,
    generated: false,
    comment: description ?? null,
  };
  return [
    {
      name,
      field: isGraphqlName(name) ? name : null,
      shape,
      description,
      enumTable: undefined,
      ...(nested && { model: nested }),
    },
  ];
}
