/** Exported form of tables, functions and native objects. */

import { isObject } from "../../../runtime/values/is-object.ts";
import {
  type ColumnConfig,
  type ComputedField,
  type DeletePermission,
  type EventOrdering,
  type EventTrigger,
  type ForeignKeyOnOther,
  type FunctionConfig,
  type InsertPermission,
  type JsonObject,
  type Permission,
  type Relationship,
  rootFieldKeys,
  type SelectPermission,
  type Table,
  type TableConfig,
  type TrackedFunction,
  type UpdatePermission,
  type ValidateInput,
} from "../model.ts";
import type { SourceKindFacts } from "../schema/names.ts";
import {
  cleanupConfig,
  headers,
  manualConfiguration,
  nameMapping,
  qualifiedName,
  remoteRelationships,
  requestTransform,
  responseTransform,
  retryConf,
} from "./shared.ts";
import {
  always,
  by,
  exact,
  fields,
  given,
  list,
  map,
  onlyTrue,
  optional,
  sorted,
  unless,
  unlessEmpty,
  type Writer,
} from "./writers.ts";

const columnConfig = fields<ColumnConfig>({ custom_name: given, comment: given, json: onlyTrue });

const customRootFields = fields<Record<string, unknown>>(
  Object.fromEntries(
    rootFieldKeys.map((key): [string, Writer] => [
      key,
      (value) => (isObject(value) ? fields<JsonObject>({ name: given, comment: given })(value) : exact(value)),
    ]),
  ),
);

/** Writes custom column names twice: in `column_config` and, for older clients, in `custom_column_names`. */
const tableConfiguration = fields<TableConfig>({
  custom_root_fields: customRootFields,
  column_config: map(columnConfig),
  custom_column_names: nameMapping,
  custom_name: given,
  comment: given,
});

function isEmpty(value: object | undefined): boolean {
  return value === undefined || Object.keys(value).length === 0;
}

const configuration: Writer = (value) => {
  if (!isObject(value)) return undefined;
  const { custom_root_fields, custom_column_names, column_config, custom_name, comment }: TableConfig = value;
  const columns = new Map<string, ColumnConfig>();
  for (const [column, name] of Object.entries(custom_column_names ?? {})) columns.set(column, { custom_name: name });
  for (const [column, config] of Object.entries(column_config ?? {})) {
    columns.set(column, { ...columns.get(column), ...columnConfig(config) });
  }
  const named = [...columns].filter(([, config]) => typeof config.custom_name === "string");
  const empty =
    isEmpty(custom_root_fields) && columns.size === 0 && (custom_name ?? comment ?? undefined) === undefined;
  if (empty) return undefined;
  return tableConfiguration({
    ...value,
    column_config: Object.fromEntries(columns),
    custom_column_names: Object.fromEntries(named.map(([column, config]) => [column, config.custom_name])),
  });
};

// ---------------------------------------------------------------- relationships and fields

const foreignKeyOnOther = fields<ForeignKeyOnOther>({ table: qualifiedName, column: given, columns: given });

const using = fields<{ foreign_key_constraint_on: unknown; manual_configuration: unknown }>({
  foreign_key_constraint_on: (value) => (isObject(value) ? foreignKeyOnOther(value) : given(value)),
  manual_configuration: optional(manualConfiguration),
});

function relationships(usingWriter: Writer): Writer {
  return unlessEmpty(
    sorted(by("name"), fields<Relationship<unknown>>({ name: given, using: usingWriter, comment: given })),
  );
}

const computedFields = unlessEmpty(
  sorted(
    by("name"),
    fields<ComputedField>({
      name: given,
      definition: fields<ComputedField["definition"]>({
        function: qualifiedName,
        table_argument: given,
        session_argument: given,
        argument_mapping: unlessEmpty(given),
        return_table: (value) => (value === undefined ? undefined : qualifiedName(value)),
      }),
      comment: given,
    }),
  ),
);

// ---------------------------------------------------------------- permissions

const presets = unlessEmpty(map(exact));
const validateInput = optional(
  fields<ValidateInput>({
    type: given,
    definition: fields<ValidateInput["definition"]>({
      url: given,
      headers,
      timeout: given,
      forward_client_headers: given,
    }),
  }),
);

function permissions(permission: Writer): Writer {
  return unlessEmpty(sorted(by("role"), fields<Permission<unknown>>({ role: given, permission, comment: given })));
}

const insertPermissions = permissions(
  fields<InsertPermission>({
    check: given,
    set: presets,
    columns: given,
    backend_only: onlyTrue,
    validate_input: validateInput,
  }),
);

const selectPermissions = permissions(
  fields<SelectPermission>({
    columns: given,
    computed_fields: unlessEmpty(given),
    filter: given,
    limit: given,
    allow_aggregations: onlyTrue,
    query_root_fields: given,
    subscription_root_fields: given,
  }),
);

const updatePermissions = permissions(
  fields<UpdatePermission>({
    columns: given,
    filter: given,
    check: always(null),
    set: presets,
    backend_only: onlyTrue,
    validate_input: validateInput,
  }),
);

const deletePermissions = permissions(
  fields<DeletePermission>({ filter: given, backend_only: onlyTrue, validate_input: validateInput }),
);

// ---------------------------------------------------------------- event triggers

const operationSpec = optional(fields<JsonObject>({ columns: given, payload: given }));

function eventTriggers(triggerOnReplication: boolean): Writer {
  const trigger = fields<EventTrigger>({
    name: given,
    definition: fields<JsonObject>({
      insert: operationSpec,
      update: operationSpec,
      delete: operationSpec,
      enable_manual: always(false),
    }),
    retry_conf: retryConf,
    webhook: given,
    webhook_from_env: given,
    headers,
    request_transform: requestTransform,
    response_transform: responseTransform,
    cleanup_config: cleanupConfig,
    trigger_on_replication: unless(triggerOnReplication),
    condition: given,
    ordering: optional(fields<EventOrdering>({ key: given, on_error: given })),
    signing_secret: given,
  });
  return unlessEmpty(sorted(by("name"), trigger));
}

/** Returns the writer of tables. The source kind affects only defaults. */
export function tableWriter(kind: SourceKindFacts): (value: unknown) => JsonObject {
  return fields<Table>({
    table: qualifiedName,
    is_enum: onlyTrue,
    configuration,
    object_relationships: relationships(using),
    array_relationships: relationships(using),
    computed_fields: computedFields,
    remote_relationships: remoteRelationships,
    insert_permissions: insertPermissions,
    select_permissions: selectPermissions,
    update_permissions: updatePermissions,
    delete_permissions: deletePermissions,
    event_triggers: eventTriggers(kind.triggerOnReplication),
    apollo_federation_config: given,
    logical_model: given,
  });
}

// ---------------------------------------------------------------- functions

const functionConfiguration = unlessEmpty(
  fields<FunctionConfig>({
    session_argument: given,
    exposed_as: given,
    custom_name: given,
    custom_root_fields: unlessEmpty(fields<JsonObject>({ function: given, function_aggregate: given })),
    response: given,
  }),
);

export const trackedFunction = fields<TrackedFunction>({
  function: qualifiedName,
  configuration: functionConfiguration,
  permissions: unlessEmpty(sorted(by("role"), fields<{ role: string }>({ role: given }))),
  comment: given,
});

// ---------------------------------------------------------------- native objects

const fieldType: (value: unknown) => JsonObject = fields<JsonObject>({
  scalar: given,
  array: (value) => (isObject(value) ? fieldType(value) : undefined),
  logical_model: given,
  nullable: onlyTrue,
});

const modelFields = list(fields<JsonObject>({ name: given, type: fieldType, description: given }));

export const logicalModel = fields<JsonObject>({
  name: given,
  fields: modelFields,
  description: given,
  select_permissions: selectPermissions,
});

const inlineModel = fields<JsonObject>({ fields: modelFields, select_permissions: selectPermissions });

const nativeArguments = unlessEmpty(map(fields<JsonObject>({ type: given, nullable: onlyTrue, description: given })));

export const nativeQuery = fields<JsonObject>({
  root_field_name: given,
  code: given,
  arguments: nativeArguments,
  returns: (value) => (isObject(value) ? inlineModel(value) : given(value)),
  array_relationships: relationships(manualConfiguration),
  object_relationships: relationships(manualConfiguration),
  description: given,
});

export const storedProcedure = fields<JsonObject>({
  stored_procedure: qualifiedName,
  configuration: fields<JsonObject>({ exposed_as: given, custom_name: given }),
  arguments: nativeArguments,
  returns: given,
  description: given,
});
