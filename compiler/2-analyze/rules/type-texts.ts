/**
 * Types as texts without descriptions: equal texts mean the same type (`docs/remote-schemas.md`). Of remote schemas and
 * of custom
 * types.
 */
import { parseType, print } from "graphql";
import type { CustomTypes } from "../../catalog/outside-sources.ts";
import type { RemoteInput, RemoteType, RemoteTypeRef } from "../../shape/remote-shape.ts";
import type { RemoteNames } from "../remote-names.ts";

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

/** An object type that implements nothing. */
export const objectText = (fields: readonly FieldText[]): string => `object  ${fieldsText(fields)}`;

/** A type of a remote schema, in the names that it has here. */
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
      return `input ${inputs(type.fields)}`;
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

/** By name; without scalars, which are merged with any other scalar. */
export function customTypeTexts({ enums, input_objects, objects }: CustomTypes): ReadonlyMap<string, string> {
  const typed = ({ name, type }: { readonly name: string; readonly type: string }) => {
    return { name, inputs: "", type: print(parseType(type, { noLocation: true })) };
  };
  return new Map([
    ...enums.map(({ name, values }) => [name, enumText(values.map(({ value }) => value))] as const),
    ...input_objects.map(({ name, fields }) => [name, `input ${inputsText(fields.map(typed))}`] as const),
    ...objects.map(({ name, fields, relationships, remote_relationships }) => {
      // What a relationship leads to is known here by its name only, so that no other type equals it.
      const joined = [...relationships, ...remote_relationships].map((each) => ({
        name: each.name,
        inputs: "",
        type: "relationship",
      }));
      return [name, objectText([...fields.map(typed), ...joined])] as const;
    }),
  ]);
}

/** The orders of rows, and of streams, under whatever names a source gives them. */
export const orderTexts: ReadonlySet<string> = new Set([
  enumText(["asc", "asc_nulls_first", "asc_nulls_last", "desc", "desc_nulls_first", "desc_nulls_last"]),
  enumText(["ASC", "DESC"]),
]);
