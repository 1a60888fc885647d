/** Schemas of local relationships, and of remote relationships in their three forms. */

import type { z } from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import type {
  ArrayUsing,
  ForeignKeyOnOther,
  Json,
  JsonObject,
  ManualConfiguration,
  ObjectUsing,
  Relationship,
} from "../model.ts";
import { choose, has, jsonForm, list, mapOf, namedList, object, oneOf, type Refusal } from "./combinators.ts";
import { tableName } from "./names.ts";
import { isGraphqlName, jsonObject, nameMapping, nonEmptyText, text } from "./scalars.ts";

const insertionOrder = oneOf(
  ["before_parent", "after_parent"],
  () => "insertion_order should be 'before_parent' or 'after_parent'",
);

/** Returns the schema of a relationship by column mapping, without a foreign key, to a table or to a native query. */
export function manualConfiguration(defaultSchema: string): z.ZodType<ManualConfiguration> {
  const optional = { insertion_order: insertionOrder };
  const toTable = object({
    about: {
      remote_table: "Table with the related rows.",
      column_mapping: "Columns of this table, and for each the column of the related rows that must be equal.",
      insertion_order:
        "Order of nested inserts: `after_parent` inserts the related row after this one, `before_parent` before it. Default: `before_parent`.",
    },
    required: { remote_table: tableName(defaultSchema), column_mapping: nameMapping },
    optional,
  });
  const toNativeQuery = object({
    about: {
      remote_native_query: "Root field name of the native query with the related rows.",
      column_mapping: "Columns of this table, and for each the column of the related rows that must be equal.",
      insertion_order:
        "Order of nested inserts: `after_parent` inserts the related row after this one, `before_parent` before it. Default: `before_parent`.",
    },
    required: { remote_native_query: nonEmptyText, column_mapping: nameMapping },
    optional,
  });
  return choose<ManualConfiguration>(
    () => [toTable, toNativeQuery],
    (input) => {
      const native = has(input, "remote_native_query");
      if (native && has(input, "remote_table")) {
        return { refused: "expected exactly one of 'remote_table' or 'remote_native_query'" };
      }
      return native ? toNativeQuery : toTable;
    },
  );
}

const oneColumn = nonEmptyText.transform((column): readonly string[] => [column]);
const severalColumns = list(nonEmptyText);
/** A single name means a list with one name. */
const keyColumns = choose<readonly string[]>(
  () => [oneColumn, severalColumns],
  (input) => (typeof input === "string" ? oneColumn : severalColumns),
);

function foreignKeyOnOther(defaultSchema: string): z.ZodType<ForeignKeyOnOther> {
  const key = object({
    about: {
      table: "Table with the foreign key that references this one.",
      column: "Column of the foreign key.",
      columns: "Columns of a foreign key with several columns, instead of `column`.",
    },
    required: { table: tableName(defaultSchema) },
    optional: { column: nonEmptyText, columns: keyColumns },
  }).superRefine(({ column, columns }, context) => {
    if ((column === undefined) !== (columns === undefined)) return;
    context.addIssue({ code: "custom", message: "expected exactly one of 'column' or 'columns'" });
  });
  return choose<ForeignKeyOnOther>(
    () => [key],
    (input) => (isObject(input) ? key : { refused: "Expecting object { table, columns }." }),
  );
}

const usingKeys = "foreign_key_constraint_on/manual_configuration";

function using<F>(foreignKey: z.ZodType<F>, defaultSchema: string) {
  const byKey = object({
    about: {
      foreign_key_constraint_on:
        "The foreign key that defines the relationship: columns of this table, or `table` and `column` of the other one. An array relationship has the second form only.",
    },
    required: { foreign_key_constraint_on: foreignKey },
  });
  const byColumns = object({
    about: { manual_configuration: "Columns to compare, for relationships without a foreign key." },
    required: { manual_configuration: manualConfiguration(defaultSchema) },
  });
  return choose<z.output<typeof byKey> | z.output<typeof byColumns>>(
    () => [byKey, byColumns],
    (input) => {
      const constraint = has(input, "foreign_key_constraint_on");
      const manual = has(input, "manual_configuration");
      if (constraint && manual) return { refused: `only one of ${usingKeys} should be present` };
      if (isObject(input) && !constraint && !manual) {
        return { refused: `atleast one of ${usingKeys} should be present` };
      }
      return manual ? byColumns : byKey;
    },
  );
}

export function objectUsing(defaultSchema: string): z.ZodType<ObjectUsing> {
  const other = foreignKeyOnOther(defaultSchema);
  const foreignKey = choose<string | readonly string[] | ForeignKeyOnOther>(
    () => [nonEmptyText, severalColumns, other],
    (input) => {
      if (typeof input === "string") return nonEmptyText;
      return Array.isArray(input) ? severalColumns : other;
    },
  );
  return using(foreignKey, defaultSchema);
}

export function arrayUsing(defaultSchema: string): z.ZodType<ArrayUsing> {
  return using(foreignKeyOnOther(defaultSchema), defaultSchema);
}

/** Returns the schema of a table's relationships of one kind. */
export function relationshipList<U>(things: string, usingForm: z.ZodType<U>) {
  const relationship: z.ZodType<Relationship<U>> = object({
    about: {
      name: "Name of the field in the API.",
      using: "Definition: a foreign key or a mapping of columns.",
      comment: "Description of the field in the GraphQL schema.",
    },
    required: { name: nonEmptyText, using: usingForm },
    optional: { comment: text },
  });
  return namedList(things, relationship, ({ name }) => name);
}

// ---------------------------------------------------------------- remote relationships

/** Returns the first invalid `"$field"` variable in an argument of a remote field. */
function invalidVariable(value: Json, path: readonly PropertyKey[] = []): Refusal | undefined {
  if (typeof value === "string" && value.startsWith("$")) {
    const variable = value.slice(1);
    if (variable === "") return { refused: "Empty variable name", path };
    return isGraphqlName(variable) ? undefined : { refused: `Invalid variable name '${variable}'`, path };
  }
  if (typeof value !== "object" || value === null) return undefined;
  const members: readonly (readonly [PropertyKey, Json])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  for (const [key, member] of members) {
    const refusal = invalidVariable(member, [...path, key]);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

const checkedArguments = jsonObject;
const remoteArguments = choose<JsonObject>(
  () => [checkedArguments],
  (input) => {
    const parsed = checkedArguments.safeParse(input);
    return (parsed.success ? invalidVariable(parsed.data) : undefined) ?? checkedArguments;
  },
);

/** `{"field": {"arguments": {…}, "field"?: …}}` with exactly one key at each level. */
const remoteField: z.ZodType<JsonObject> = choose<JsonObject>(
  () => [remoteFieldMap],
  (input) => {
    if (isObject(input)) {
      const fields = Object.keys(input).length;
      if (fields === 0) return { refused: "Expecting one single mapping, received none." };
      if (fields > 1) return { refused: "Expecting one single mapping, received too many." };
    }
    return remoteFieldMap;
  },
);
const remoteFieldMap: z.ZodType<JsonObject> = mapOf(
  jsonForm({
    about: {
      arguments: 'Values of arguments; `"$name"` is the value of the join field `name`.',
      field: "Nested field to select, in the same form.",
    },
    required: { arguments: remoteArguments },
    optional: {
      field: choose(
        () => [remoteField],
        () => remoteField,
      ),
    },
  }),
);

/** The table of `to_source` stays as written: the kind of its source, and so the default schema, is not known here. */
const anyTableName = choose<Json>(
  () => [nonEmptyText, anyQualifiedName],
  (input) => (typeof input === "string" ? nonEmptyText : anyQualifiedName),
);
const anyQualifiedName = object({
  about: { name: "Name of the table.", schema: "Schema of the table. Default: the default schema of its source." },
  required: { name: nonEmptyText },
  optional: { schema: text },
});

const toSource: z.ZodType<JsonObject> = jsonForm({
  about: { to_source: "Relationship to a table of another source." },
  required: {
    to_source: object({
      about: {
        relationship_type: "`object` for one related row, `array` for a list.",
        source: "Source of the related table.",
        table: "The related table, which must be tracked.",
        field_mapping:
          "Fields or columns on this side, and for each the column of the related table that must be equal.",
      },
      required: {
        relationship_type: oneOf(["object", "array"]),
        source: nonEmptyText,
        table: anyTableName,
        field_mapping: nameMapping,
      },
    }),
  },
});

const byPosition = oneOf(
  ["position"],
  () => "expected 'position', or an object of join fields and fields of the items",
);

/**
 * Rule that matches the items of a response to join keys: `{"match": "position"}`, or
 * `{"match": {"field here": "field of an item"}, "relationship_type"?: "object" | "array"}`.
 */
const batch = object({
  about: {
    match:
      "Rule that finds the items of each row in the response: `position` for items in the order of the keys, or a mapping of join fields to fields of the items.",
    relationship_type: "`object` for one item of each row, `array` for a list. Default: `object`.",
  },
  required: {
    match: choose<string | Readonly<Record<string, string>>>(
      () => [byPosition, nameMapping],
      (input) => (isObject(input) ? nameMapping : byPosition),
    ),
  },
  optional: { relationship_type: oneOf(["object", "array"]) },
});

const toRemoteSchema: z.ZodType<JsonObject> = jsonForm({
  about: { to_remote_schema: "Relationship to fields of a remote schema." },
  required: {
    to_remote_schema: object({
      about: {
        remote_schema: "Name of the remote schema.",
        lhs_fields: "Fields or columns on this side, whose values are join keys.",
        remote_field: "Field of the remote schema, with its arguments, and nested fields if necessary.",
        batch: "Sends the keys of all rows in one call, for a remote field that accepts a list.",
      },
      required: { remote_schema: nonEmptyText, lhs_fields: list(nonEmptyText), remote_field: remoteField },
      optional: { batch },
    }),
  },
});

const legacyToRemoteSchema: z.ZodType<JsonObject> = jsonForm({
  about: {
    remote_schema: "Deprecated: name of the remote schema; see `to_remote_schema`.",
    engine_fields: "Deprecated form of `lhs_fields`.",
    remote_field: "Field of the remote schema, with its arguments.",
  },
  required: { remote_schema: nonEmptyText, engine_fields: list(nonEmptyText), remote_field: remoteField },
});

const strictForms: Readonly<Record<string, z.ZodType<JsonObject>>> = {
  to_source: toSource,
  to_remote_schema: toRemoteSchema,
};
const lenientForms = { remote_schema: legacyToRemoteSchema, ...strictForms };

function definitionOf(format: string, forms: Readonly<Record<string, z.ZodType<JsonObject>>>) {
  const expected = `remote relationship definition (${format} format) expects exactly one of: ${Object.keys(forms).join(", ")}`;
  return choose<JsonObject>(
    () => Object.values(forms),
    (input) => {
      if (!isObject(input)) return jsonObject;
      const given = Object.entries(forms).filter(([key]) => has(input, key));
      const [only] = given;
      return given.length === 1 && only !== undefined ? only[1] : { refused: expected };
    },
  );
}

/** The form in operations: `to_source` or `to_remote_schema`. */
export const strictRemoteRelationship: z.ZodType<JsonObject> = definitionOf("strict", strictForms);
/** The form in metadata, which also accepts the legacy keys. */
const lenientRemoteRelationship: z.ZodType<JsonObject> = definitionOf("lenient", lenientForms);

/**
 * Returns the schema of the definition in the arguments of `create_remote_relationship` and
 * `update_remote_relationship`: the key `definition`, or legacy keys beside `table` and `name`, which are converted to
 * the legacy form.
 */
export function remoteRelationshipArguments(command: string): z.ZodType<JsonObject> {
  const inDefinition = object({
    about: { definition: "The relationship: `to_source` or `to_remote_schema`." },
    required: { definition: strictRemoteRelationship },
  }).transform(({ definition }) => definition);
  return choose<JsonObject>(
    () => [inDefinition, legacyToRemoteSchema],
    (input) => {
      const definition = has(input, "definition");
      if (isObject(input) && definition === has(input, "remote_schema")) {
        return { refused: `${command} expects exactly one of: remote_schema, definition` };
      }
      return definition ? inDefinition : legacyToRemoteSchema;
    },
  );
}

const namedRemoteRelationship = (definition: z.ZodType<JsonObject>) =>
  object({
    about: {
      name: "Name of the field in the API.",
      definition: "The relationship: `to_source` or `to_remote_schema`.",
    },
    required: { name: nonEmptyText, definition },
  });

export const remoteRelationships = namedList(
  "remote relationships",
  namedRemoteRelationship(lenientRemoteRelationship),
  ({ name }) => name,
);
/** Remote relationships of a type of a remote schema or of an action's output type, which have no legacy form. */
export const strictRemoteRelationships = namedList(
  "remote relationships",
  namedRemoteRelationship(strictRemoteRelationship),
  ({ name }) => name,
);
