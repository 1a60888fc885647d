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

const nameAndComment = object({ optional: { name: graphqlName, comment: text } });
const noName = z.null();
const customRootField = choose<CustomRootField>((input) => {
  if (input === null) return noName;
  return isObject(input) ? nameAndComment : graphqlName;
});

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
  optional: { custom_name: graphqlName, comment: text, json: bool },
});

/**
 * The configuration of a table. The deprecated `custom_column_names` is merged into `column_config`, whose names take
 * precedence, so that consumers of the catalog find all names in one property. Exports contain both.
 */
export const tableConfiguration: z.ZodType<TableConfig> = object({
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

export const apolloFederationConfig = object({ required: { enable: z.literal("v1", { error: apolloVersion }) } });

function apolloVersion(): string {
  return 'expected "v1"';
}

/** Returns the schema of a table in a metadata document: the only object that refuses unknown keys. */
export function table(defaultSchema: string): z.ZodType<Table> {
  const parsed = object({
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
