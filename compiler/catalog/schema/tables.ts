/** Schemas of tables with everything they own. */

import * as z from "zod";
import { isObject } from "../../../runtime/values/is-object.ts";
import {
  type ColumnConfig,
  type CustomRootField,
  type RootFieldKey,
  rootFieldKeys,
  type Table,
  type TableConfig,
} from "../model.ts";
import { choose, duplicates, mapOf, object } from "./combinators.ts";
import { eventTriggers } from "./event-triggers.ts";
import { computedFields } from "./functions.ts";
import { tableName } from "./names.ts";
import {
  deletePermission,
  insertPermission,
  permissionList,
  selectPermission,
  updatePermission,
} from "./permissions.ts";
import { arrayUsing, objectUsing, relationshipList, remoteRelationships } from "./relationships.ts";
import { bool, graphqlName, nonEmptyText, text } from "./scalars.ts";

const nameAndComment = object({
  about: {
    name: "Name of the root field. Default: the generated name.",
    comment: "Description of the root field in the GraphQL schema. Default: a generated text.",
  },
  optional: { name: graphqlName, comment: text },
});
const noName = z.null();
const customRootField = choose<CustomRootField>(
  () => [graphqlName, nameAndComment, noName],
  (input) => {
    if (input === null) return noName;
    return isObject(input) ? nameAndComment : graphqlName;
  },
);

type CustomRootFields = Readonly<Partial<Record<RootFieldKey, CustomRootField>>>;

/** Keeps `null`, which means the default name. */
const customRootFields: z.ZodType<CustomRootFields> = z
  .object(Object.fromEntries(rootFieldKeys.map((key) => [key, z.exactOptional(customRootField)])))
  .transform((fields) => fields as CustomRootFields)
  .superRefine((fields, context) => {
    const repeated = duplicates(Object.values(fields).flatMap(customNameOf));
    if (repeated.length === 0) return;
    const message = `the following custom root field names are duplicated: ${englishList(repeated)}`;
    context.addIssue({ code: "custom", message });
  });

function customNameOf(field: CustomRootField): readonly string[] {
  const name = typeof field === "string" ? field : field?.name;
  return typeof name === "string" ? [name] : [];
}

/** Formats a list: `a`, `a and b`, `a, b, and c`. */
function englishList(words: readonly string[]): string {
  return words.length < 3 ? words.join(" and ") : `${words.slice(0, -1).join(", ")}, and ${words.at(-1)}`;
}

const columnConfig: z.ZodType<ColumnConfig> = object({
  about: {
    custom_name: "Name of the field in the API. Default: the name of the column.",
    comment: 'Description of the field in the GraphQL schema; `""` for none. Default: the comment of the column.',
    json: "Treats a text column of SQL Server as JSON, with the scalar `json`. Default: `false`.",
  },
  optional: { custom_name: graphqlName, comment: text, json: bool },
});

/**
 * The configuration of a table. The deprecated `custom_column_names` is merged into `column_config`, whose names take
 * precedence, so that consumers of the catalog find all names in one property. Exports contain both.
 */
export const tableConfiguration: z.ZodType<TableConfig> = object({
  about: {
    custom_root_fields:
      "Names of root fields, by field: `select`, `select_by_pk`, `select_aggregate`, `select_group`, `select_stream`, `insert`, `insert_one`, `update`, `update_by_pk`, `update_many`, `delete`, `delete_by_pk`.",
    custom_column_names: "Deprecated form of `column_config`: names of fields by column.",
    column_config: "Settings of columns, by column.",
    custom_name:
      "Name from which types and root fields of the table are derived. Default: the name of the table, with its schema unless that is the default schema.",
    comment: 'Description of the table in the GraphQL schema; `""` for none. Default: the comment of the table.',
  },
  optional: {
    custom_root_fields: customRootFields,
    custom_column_names: mapOf(graphqlName),
    column_config: mapOf(columnConfig),
    custom_name: graphqlName,
    comment: text,
  },
}).transform(({ custom_root_fields, custom_column_names, column_config, ...others }): TableConfig => {
  const columns = mergeColumnNames(column_config ?? {}, custom_column_names ?? {});
  return {
    ...(custom_root_fields !== undefined && !isEmpty(custom_root_fields) && { custom_root_fields }),
    ...(!isEmpty(columns) && { column_config: columns }),
    ...others,
  };
});

function mergeColumnNames(
  config: Readonly<Record<string, ColumnConfig>>,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, ColumnConfig>> {
  const merged = new Map(Object.entries(config));
  for (const [column, custom_name] of Object.entries(names)) {
    merged.set(column, { custom_name, ...merged.get(column) });
  }
  return Object.fromEntries(merged);
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

export const apolloFederationConfig = object({
  about: {
    enable:
      "Version of the federation: always `v1`. The type of the table gets the directive `@key` with its primary key.",
  },
  required: { enable: z.literal("v1", { error: apolloVersion }) },
});

function apolloVersion(): string {
  return 'expected "v1"';
}

/** Returns the schema of a table in a metadata document: the only object that refuses unknown keys. */
export function table(defaultSchema: string): z.ZodType<Table> {
  const parsed = object({
    about: {
      table: "The table, view or materialized view in the database.",
      is_enum:
        "Treats the rows as values of a GraphQL enum: the primary key has the value, an optional second column its description. Default: `false`.",
      configuration: "Names and descriptions in the API.",
      object_relationships: "Fields with one related row, or `null`.",
      array_relationships: "Fields with a list of related rows.",
      computed_fields: "Fields that functions of the database compute from a row.",
      remote_relationships: "Fields with data of another source or of a remote schema.",
      insert_permissions: "Roles that may insert rows.",
      select_permissions: "Roles that may read rows.",
      update_permissions: "Roles that may change rows.",
      delete_permissions: "Roles that may delete rows.",
      event_triggers: "Webhooks that the engine calls after changes of rows.",
      apollo_federation_config: "Makes the type of the table an entity of an Apollo Federation graph.",
      logical_model:
        "Structure of rows, for databases without table schemas. Both kinds of databases have them, so the key has no use.",
    },
    closed: "TableMetadata",
    required: { table: tableName(defaultSchema) },
    defaulted: {
      object_relationships: relationshipList("object relationships", objectUsing(defaultSchema)),
      array_relationships: relationshipList("array relationships", arrayUsing(defaultSchema)),
      computed_fields: computedFields(defaultSchema),
      remote_relationships: remoteRelationships,
      insert_permissions: permissionList("insert permissions", insertPermission),
      select_permissions: permissionList("select permissions", selectPermission),
      update_permissions: permissionList("update permissions", updatePermission),
      delete_permissions: permissionList("delete permissions", deletePermission),
      event_triggers: eventTriggers,
    },
    optional: {
      is_enum: bool,
      configuration: tableConfiguration,
      apollo_federation_config: apolloFederationConfig,
      logical_model: nonEmptyText,
    },
  });
  return parsed.transform(({ configuration, ...others }) =>
    configuration === undefined || isEmpty(configuration) ? others : { ...others, configuration },
  );
}
