/** Texts of the object types of tables. */

import { parseType, print } from "graphql";
import { engineDefault, graphqlDefault } from "../../../runtime/model/definitions/naming.ts";
import type { SourceKind } from "../../catalog/model.ts";
import type { CustomTypes } from "../../catalog/outside-sources.ts";
import { dialectOf } from "../../dialects/index.ts";
import type { RemoteInput, RemoteType, RemoteTypeRef } from "../../shape/remote-shape.ts";
import type { AnalyzedSource } from "../analysis.ts";
import type { AnalyzedColumn, AnalyzedTable } from "../analyzed-table.ts";
import type { RemoteNames } from "./remote-names.ts";

/**
 * Yields the texts by type name. Leaves out tables with relationships, computed fields or enum columns, whose types
 * never equal another type.
 */
export function* tableTypeTexts(sources: Iterable<AnalyzedSource>): Generator<readonly [name: string, text: string]> {
  for (const { namingConvention, source, tables } of sources) {
    const { prefix: typePrefix = "", suffix: typeSuffix = "" } = source.customization?.type_names ?? {};
    const convention = namingConvention === "graphql-default" ? graphqlDefault : engineDefault;
    const naming = convention({ typePrefix, typeSuffix });
    for (const table of tables.values()) {
      if (table.graphqlName === null || !hasColumnsOnly(table)) continue;
      yield [naming.type(table.graphqlName), objectText(table.columns.flatMap((each) => fieldOf(each, source.kind)))];
    }
  }
}

function hasColumnsOnly({ columns, relationships, computedFields, remoteRelationships }: AnalyzedTable): boolean {
  return (
    relationships.size + computedFields.size + remoteRelationships.size === 0 &&
    columns.every(({ enumTable }) => enumTable === undefined)
  );
}

/** Returns the field of a column; none if it has no valid GraphQL name. */
export function fieldOf({ field, shape }: AnalyzedColumn, kind: SourceKind) {
  if (field === null) return [];
  const dialect = dialectOf(kind);
  const { graphql } = dialect.scalarOf(dialect.scalarCall(shape.type));
  const inputs = graphql === "json" || graphql === "jsonb" ? "path: String" : "";
  return [{ name: field, inputs, type: `${graphql}${shape.nullable ? "" : "!"}` }];
}

// Types of remote schemas and custom types as texts without descriptions: equal texts mean equal types
// (`docs/how-to/remote-schemas.md`).

interface FieldText {
  readonly name: string;
  readonly inputs: string;
  readonly type: string;
}

export const scalarText = "scalar";
const enumText = (values: readonly string[]): string => `enum ${values.toSorted().join(" ")}`;
const inputsText = (inputs: readonly { readonly name: string; readonly type: string }[]): string =>
  inputs
    .map(({ name, type }) => `${name}: ${type}`)
    .sort()
    .join(" ");
const fieldsText = (fields: readonly FieldText[]): string =>
  fields
    .map(({ name, inputs, type }) => `${name}(${inputs}): ${type}`)
    .sort()
    .join(" ");

/** Returns the text of an object type without interfaces. */
export const objectText = (fields: readonly FieldText[]): string => `object  ${fieldsText(fields)}`;

/** Returns the text of a type of a remote schema, with customised names. */
export function remoteTypeText(type: RemoteType, names: RemoteNames): string {
  const named = (name: string) => names.types.get(name) ?? name;
  const inputs = (given: readonly RemoteInput[]) =>
    inputsText(given.map((each) => ({ name: each.name, type: signature(each.type, named) })));
  switch (type.kind) {
    case "scalar":
      return scalarText;
    case "union":
      return `union ${type.members.map(named).sort().join(" | ")}`;
    case "enum":
      return enumText(type.values.map(({ name }) => name));
    case "input_object":
      return `input ${type.isOneOf ? "@oneOf " : ""}${inputs(type.fields)}`;
    case "object":
    case "interface": {
      const fields = type.fields.map(({ name, type: fieldType, arguments: args }) => {
        const renamed = names.fields.get(type.name)?.get(name) ?? name;
        return { name: renamed, inputs: inputs(args), type: signature(fieldType, named) };
      });
      return `${type.kind} ${type.interfaces.map(named).sort().join(" & ")} ${fieldsText(fields)}`;
    }
  }
}

function signature(type: RemoteTypeRef, named: (name: string) => string): string {
  switch (type.kind) {
    case "named":
      return named(type.name);
    case "list":
      return `[${signature(type.of, named)}]`;
    case "non_null":
      return `${signature(type.of, named)}!`;
  }
}

/** Returns the texts by type name, without scalars: a custom scalar may share its name with any other scalar. */
export function customTypeTexts({ enums, input_objects, objects }: CustomTypes): ReadonlyMap<string, string> {
  const typed = ({ name, type }: { readonly name: string; readonly type: string }) => {
    return { name, inputs: "", type: print(parseType(type, { noLocation: true })) };
  };
  return new Map([
    ...enums.map(({ name, values }) => [name, enumText(values.map(({ value }) => value))] as const),
    ...input_objects.map(({ name, fields }) => [name, `input ${inputsText(fields.map(typed))}`] as const),
    ...objects.map(({ name, fields, relationships, remote_relationships }) => {
      // Relationship targets are not compared, so no other type equals this one.
      const joined = [...relationships, ...remote_relationships].map((each) => ({
        name: each.name,
        inputs: "",
        type: "relationship",
      }));
      return [name, objectText([...fields.map(typed), ...joined])] as const;
    }),
  ]);
}

/** Texts of the enums for the order of rows and of streams, regardless of their type names. */
export const orderTexts: ReadonlySet<string> = new Set([
  enumText(["asc", "asc_nulls_first", "asc_nulls_last", "desc", "desc_nulls_first", "desc_nulls_last"]),
  enumText(["ASC", "DESC"]),
]);
