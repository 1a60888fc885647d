/**
 * Analyses relationships and computed fields of all tables of a source: the fields that row filters and permissions can
 * name. Checks only the names of remote relationships, because their targets are outside the source.
 */
import type { RemoteRelationship } from "../catalog/model.ts";
import { qualifiedKey } from "./analysis.ts";
import type { AnalyzedColumn, AnalyzedComputedField, AnalyzedRelationship, AnalyzedTable } from "./analyzed-table.ts";
import type { MetadataObject } from "./inconsistency.ts";
import {
  computedFieldObject,
  relationshipObject,
  remoteRelationshipObject,
  type TableAddress,
} from "./metadata-objects.ts";
import { type Dependency, type ObjectId, objectKey } from "./object-id.ts";
import { type Findings, Rejection, reject } from "./rejection.ts";
import { resolveRelationship } from "./relationships.ts";
import { resolveComputedField } from "./rules/computed-fields.ts";
import { checkGraphqlName } from "./rules/tables.ts";
import { shareMap } from "./share.ts";
import type { SourceContext } from "./source-context.ts";
import { type Fields, fieldDependencies, TableFields } from "./table-fields.ts";
import type { NamedTables, TableBase } from "./tables.ts";

type Field = NamedField & { readonly dependsOn: readonly ObjectId[] } & (
    | { readonly relationship: AnalyzedRelationship }
    | { readonly computed: AnalyzedComputedField }
    | { readonly remote: RemoteRelationship }
  );

/**
 * Returns the fields of consistent tables, reusing unchanged ones of `previous`.
 * @param scope all tables that fields can refer to
 * @param owners tables whose fields are analysed
 */
export function analyzeFields(
  scope: Omit<Scope, "own">,
  owners: Iterable<TableBase>,
  previous: ReadonlyMap<string, AnalyzedTable> | undefined,
  findings: Findings,
): ReadonlyMap<string, TableFields> {
  const tables = new Map<string, TableFields>();
  for (const own of owners) {
    const ofOwn = { ...scope, own };
    const fields = sameFields(ofOwn, previous) ?? fieldsOf(ofOwn, previous?.get(own.key), findings);
    tables.set(own.key, new TableFields(own, fields));
  }
  return tables;
}

interface Scope {
  readonly context: SourceContext;
  readonly tables: NamedTables;
  readonly own: TableBase;
}

/**
 * Returns the fields of the previous analysis, if none was left out and none of their inputs changed; else `undefined`.
 */
function sameFields(
  { context, tables, own }: Scope,
  previous: ReadonlyMap<string, AnalyzedTable> | undefined,
): Fields | undefined {
  const earlier = previous?.get(own.key);
  if (earlier?.shape !== own.shape || earlier.columns !== own.columns) return undefined;
  const { object_relationships, array_relationships, computed_fields, remote_relationships } = own.table;
  const { relationships, computedFields, remoteRelationships } = earlier;
  const isSame =
    earlier.table.object_relationships === object_relationships &&
    earlier.table.array_relationships === array_relationships &&
    earlier.table.computed_fields === computed_fields &&
    earlier.table.remote_relationships === remote_relationships &&
    relationships.size === object_relationships.length + array_relationships.length &&
    computedFields.size === computed_fields.length &&
    remoteRelationships.size === remote_relationships.length &&
    [...relationships.values()].every(({ target }) => tables.get(target)?.shape === previous?.get(target)?.shape) &&
    [...computedFields.values()].every(({ field, function: shape, returns }) => {
      const [found, ...overloads] = context.functions.get(qualifiedKey(field.definition.function)) ?? [];
      if (found !== shape || overloads.length > 0) return false;
      if (returns.kind === "scalar") return true;
      const target = tables.get(returns.target);
      return target !== undefined && target.shape === previous?.get(returns.target)?.shape;
    });
  if (!isSame) return undefined;
  return {
    relationships,
    computedFields,
    remoteRelationships,
    dangling: new Set(),
    dependencies: () => fieldDependencies(earlier),
  };
}

function fieldsOf(scope: Scope, previous: AnalyzedTable | undefined, findings: Findings): Fields {
  const { own } = scope;
  const address: TableAddress = { source: own.source, table: own.table.table, displayName: own.displayName };
  const id: ObjectId = { kind: "table", source: own.source, table: own.table.table };
  const dangling = new Set<string>();
  const candidates = [
    ...relationshipsOf(scope, address, "object", dangling, findings),
    ...relationshipsOf(scope, address, "array", dangling, findings),
    ...computedFieldsOf(scope, address, findings),
    ...remoteRelationshipsOf(scope, address, findings),
  ];
  const fields = withoutClashes(candidates, own.columns, findings);
  const ordered = [...fields].sort((a, b) => (a.name < b.name ? -1 : 1));
  const relationships = ordered.flatMap((field) =>
    "relationship" in field ? [[field.name, field.relationship] as const] : [],
  );
  const computed = ordered.flatMap((field) => ("computed" in field ? [[field.name, field.computed] as const] : []));
  const remote = ordered.flatMap((field) => ("remote" in field ? [[field.name, field.remote] as const] : []));
  return {
    relationships: shareMap(previous?.relationships, new Map(relationships)),
    computedFields: shareMap(previous?.computedFields, new Map(computed)),
    remoteRelationships: shareMap(previous?.remoteRelationships, new Map(remote)),
    dangling,
    dependencies: () =>
      new Map(fields.filter((field) => !("remote" in field)).map((field) => dependenciesOf(field, id))),
  };
}

function dependenciesOf({ object, dependsOn }: Field, table: ObjectId): readonly [string, readonly Dependency[]] {
  const { id } = object();
  return [objectKey(id), [table, ...dependsOn].map((on) => ({ object: id, on }))];
}

function relationshipsOf(
  scope: Scope,
  address: TableAddress,
  kind: "object" | "array",
  dangling: Set<string>,
  findings: Findings,
): readonly Field[] {
  const { table, displayName } = scope.own;
  const declared = kind === "object" ? table.object_relationships : table.array_relationships;
  const objectOf = (declaration: (typeof declared)[number]): MetadataObject =>
    relationshipObject(address, kind, declaration);
  return findings
    .withoutDuplicates(declared, ({ name }) => name, objectOf)
    .flatMap((declaration): readonly Field[] => {
      const { name } = declaration;
      const object = () => objectOf(declaration);
      const resolved = findings.attempt(object, `in table "${displayName}": in relationship "${name}": `, () => {
        try {
          return resolveRelationship(scope, kind, declaration);
        } catch (error) {
          if (error instanceof Rejection && error.dangling) dangling.add(name);
          throw error;
        }
      });
      return resolved === undefined ? [] : [{ name, object, ...resolved }];
    });
}

function computedFieldsOf(
  { context, tables, own }: Scope,
  address: TableAddress,
  findings: Findings,
): readonly Field[] {
  const objectOf = (field: (typeof own.table.computed_fields)[number]) => computedFieldObject(address, field);
  return findings
    .withoutDuplicates(own.table.computed_fields, ({ name }) => name, objectOf)
    .flatMap((field): readonly Field[] => {
      const { name } = field;
      const object = () => objectOf(field);
      const computed = findings.attempt(object, `in table "${own.displayName}": in computed field "${name}": `, () =>
        resolveComputedField(context, tables, own, field),
      );
      if (computed === undefined) return [];
      const columns = [...computed.columnArguments.values()].map(
        (column): ObjectId => ({ kind: "column", source: own.source, table: own.table.table, column }),
      );
      return [{ name, object, computed, dependsOn: [...returnedTable(tables, computed), ...columns] }];
    });
}

function remoteRelationshipsOf({ own }: Scope, address: TableAddress, findings: Findings): readonly Field[] {
  const objectOf = (declaration: RemoteRelationship) => remoteRelationshipObject(address, declaration);
  return findings
    .withoutDuplicates(own.table.remote_relationships, ({ name }) => name, objectOf)
    .flatMap((remote): readonly Field[] => {
      const { name } = remote;
      const object = () => objectOf(remote);
      const place = `in table "${own.displayName}": in remote relationship "${name}": `;
      const isNamed = findings.attempt(object, place, () => {
        checkGraphqlName(name);
        return true;
      });
      return isNamed ? [{ name, object, remote, dependsOn: [] }] : [];
    });
}

function returnedTable(tables: NamedTables, { returns }: AnalyzedComputedField): readonly ObjectId[] {
  const target = returns.kind === "table" ? tables.get(returns.target) : undefined;
  return target === undefined ? [] : [{ kind: "table", source: target.source, table: target.table.table }];
}

// Refuses fields of one table that share a name with each other or with a column.

/** A relationship or computed field whose name is still unchecked. */
interface NamedField {
  readonly name: string;
  readonly object: () => MetadataObject;
}

/** Returns the fields with unique names, and records inconsistencies for the other fields. */
function withoutClashes<F extends NamedField>(
  fields: readonly F[],
  columns: readonly AnalyzedColumn[],
  findings: Findings,
): readonly F[] {
  const byName = new Map<string, F[]>();
  for (const field of fields) {
    const same = byName.get(field.name);
    if (same === undefined) byName.set(field.name, [field]);
    else same.push(field);
  }
  return [...byName].flatMap(([name, same]): readonly F[] => {
    const [field] = same;
    if (same.length > 1) {
      const objects = same.map(({ object }) => object());
      findings.addTogether("conflict", objects, `Conflicting objects: conflicting definitions for field "${name}"`);
      return [];
    }
    if (field === undefined) return [];
    const free = findings.attempt(field.object, "", () => {
      checkColumnNames(name, columns);
      return true;
    });
    return free ? [field] : [];
  });
}

function checkColumnNames(name: string, columns: readonly AnalyzedColumn[]): void {
  if (columns.some((column) => column.name === name)) reject("field definition conflicts with postgres column");
  const column = columns.find(({ field }) => field === name);
  if (column === undefined) return;
  reject(`field definition conflicts with custom field name for postgres column "${column.name}"`);
}
