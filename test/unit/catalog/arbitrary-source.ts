/** Random sources of both kinds with everything they can own, in the form that parsing yields. */

import fc from "fast-check";
import {
  type EventCondition,
  type EventTrigger,
  type JsonObject,
  rootFieldKeys,
  type Source,
  type SourceKind,
  type Table,
  type TableConfig,
  type TrackedFunction,
} from "../../../compiler/catalog/model.ts";
import {
  columns,
  comment,
  count,
  header,
  json,
  jsonObject,
  mapping,
  name,
  qualifiedName,
  record,
  some,
  text,
  transforms,
  unique,
  yes,
} from "./arbitrary-values.ts";

// ---------------------------------------------------------------- tables

const customRootField = fc.oneof(name, record({}, { name, comment }), fc.constant(null));
const tableConfig: fc.Arbitrary<TableConfig> = record(
  {},
  {
    custom_root_fields: fc
      .uniqueArray(fc.constantFrom(...rootFieldKeys), { minLength: 1, maxLength: 3 })
      .chain((keys) => fc.tuple(...keys.map((key) => customRootField.map((field) => [key, field] as const))))
      .filter((entries) => new Set(entries.map(([, field]) => nameOf(field))).size === entries.length)
      .map((entries) => Object.fromEntries(entries)),
    column_config: fc.dictionary(text, record({}, { custom_name: name, comment }), { minKeys: 1, maxKeys: 2 }),
    custom_name: name,
    comment,
  },
).filter((config) => Object.keys(config).length > 0) as fc.Arbitrary<TableConfig>;

function nameOf(field: unknown): unknown {
  return typeof field === "string" ? field : (field as { name?: string } | null)?.name;
}

const manual = fc.oneof(
  record(
    { remote_table: qualifiedName, column_mapping: mapping },
    { insertion_order: fc.constantFrom("before_parent", "after_parent") },
  ),
  record({ remote_native_query: text, column_mapping: mapping }, {}),
);
const foreignKeyOnOther = fc.oneof(
  record({ table: qualifiedName, column: text }, {}),
  record({ table: qualifiedName, columns: some(text) }, {}),
);
const arrayUsing = fc.oneof(
  record({ foreign_key_constraint_on: foreignKeyOnOther }, {}),
  record({ manual_configuration: manual }, {}),
);
const objectUsing = fc.oneof(record({ foreign_key_constraint_on: fc.oneof(text, some(text)) }, {}), arrayUsing);
const relationships = (using: fc.Arbitrary<unknown>) =>
  unique(record({ name: text, using }, { comment }), (each) => each.name);

const remoteField: fc.Arbitrary<JsonObject> = fc
  .tuple(name, fc.dictionary(name, fc.oneof(count, fc.constant("$id")), { maxKeys: 2 }), name)
  .map(([field, args, inner]) => ({ [field]: { arguments: args, field: { [inner]: { arguments: {} } } } }));
const toSource = record(
  {
    to_source: record(
      {
        relationship_type: fc.constantFrom("object", "array"),
        source: text,
        table: fc.oneof(text, record({ name: text }, { schema: text })),
        field_mapping: mapping,
      },
      {},
    ),
  },
  {},
);
const batch = record(
  { match: fc.oneof(fc.constant("position"), fc.dictionary(text, text)) },
  { relationship_type: fc.constantFrom("object", "array") },
);
const toRemoteSchema = record(
  {
    to_remote_schema: record({ remote_schema: text, lhs_fields: fc.array(text), remote_field: remoteField }, { batch }),
  },
  {},
);
const legacy = record({ remote_schema: text, engine_fields: fc.array(text), remote_field: remoteField }, {});
export const remoteRelationships = (definition: fc.Arbitrary<unknown>) =>
  unique(record({ name: text, definition }, {}), (each) => each.name);
export const strict = fc.oneof(toSource, toRemoteSchema);

const write = {
  backend_only: yes,
  validate_input: record(
    { type: fc.constant("http"), definition: record({ url: text }, { headers: some(header), timeout: count }) },
    {},
  ),
};
const set = fc.dictionary(text, json, { minKeys: 1, maxKeys: 2 });
const selectRoots = ["select", "select_by_pk", "select_aggregate"] as const;
const select = record(
  { columns, filter: jsonObject },
  {
    computed_fields: some(text),
    limit: count,
    allow_aggregations: yes,
    query_root_fields: fc.subarray([...selectRoots]),
    subscription_root_fields: fc.subarray([...selectRoots, "select_stream"]),
  },
);
const permissions = (permission: fc.Arbitrary<unknown>) =>
  unique(record({ role: text, permission }, { comment }), (each) => each.role);

const operationSpec = record({ columns: fc.oneof(fc.constant("*"), some(text)) }, { payload: some(text) });
const eventTrigger = (replication: boolean): fc.Arbitrary<EventTrigger> =>
  fc
    .tuple(
      record(
        {
          name: text,
          definition: record(
            { enable_manual: fc.boolean(), update: operationSpec },
            { insert: operationSpec, delete: operationSpec },
          ),
          retry_conf: record(
            { num_retries: count, interval_sec: count },
            {
              timeout_sec: count,
              backoff: record(
                {},
                { factor: fc.constant(1.5), max_interval_sec: fc.constant(60), jitter: fc.constant(0) },
              ),
              retry_on: fc.constant([429, 503]),
            },
          ),
        },
        {
          headers: some(header),
          ...transforms,
          cleanup_config: record(
            { schedule: fc.constantFrom("* * * * *", "0 2 * * mon-fri"), clear_older_than: count },
            { batch_size: fc.constant(7), clean_invocation_logs: yes, paused: yes },
          ),
          trigger_on_replication: fc.constant(!replication),
          condition: fc.constantFrom<EventCondition[]>(
            { new: { a: { _eq: 1 } } },
            { old: {}, _or: [{ _not: { new: { a: { _is_null: true } } } }, { _and: [] }] },
          ),
          ordering: record({ key: fc.constant(["a", "b"]) }, { on_error: fc.constantFrom("continue", "hold") }),
          signing_secret: fc.constantFrom({ value_from_env: "A" }, [{ value_from_env: "A" }, { value_from_env: "B" }]),
        },
      ),
      fc.oneof(record({ webhook: text }, {}), record({ webhook_from_env: text }, {})),
    )
    .map(([trigger, webhook]) => ({ ...trigger, ...webhook }) as EventTrigger);

const table = (replication: boolean): fc.Arbitrary<Table> =>
  record(
    {
      table: qualifiedName,
      object_relationships: relationships(objectUsing),
      array_relationships: relationships(arrayUsing),
      computed_fields: unique(
        record(
          {
            name: text,
            definition: record({ function: qualifiedName }, { table_argument: text, session_argument: text }),
          },
          { comment },
        ),
        (each) => each.name,
      ),
      remote_relationships: remoteRelationships(fc.oneof(strict, legacy)),
      insert_permissions: permissions(record({ check: jsonObject }, { set, columns, ...write })),
      select_permissions: permissions(select),
      update_permissions: permissions(
        record({ columns, filter: jsonObject, check: fc.option(jsonObject) }, { set, ...write }),
      ),
      delete_permissions: permissions(record({ filter: jsonObject }, write)),
      event_triggers: unique(eventTrigger(replication), (each) => each.name),
    },
    {
      is_enum: yes,
      configuration: tableConfig,
      apollo_federation_config: fc.constant({ enable: "v1" }),
      logical_model: text,
    },
  ) as fc.Arbitrary<Table>;

const trackedFunction: fc.Arbitrary<TrackedFunction> = record(
  { function: qualifiedName, permissions: unique(record({ role: text }, {}), (each) => each.role) },
  {
    configuration: record(
      { custom_name: name },
      { session_argument: text, exposed_as: fc.constantFrom("query", "mutation"), response: jsonObject },
    ),
    comment,
  },
) as fc.Arbitrary<TrackedFunction>;

const scalarType = record({ scalar: text }, { nullable: yes });
const modelFields = fc.array(
  record(
    {
      name: text,
      type: fc.oneof(scalarType, record({ array: scalarType }, {}), record({ logical_model: name }, { nullable: yes })),
    },
    { description: comment },
  ),
  { maxLength: 2 },
);
const nativeArguments = fc.dictionary(text, record({ type: text }, { nullable: yes, description: comment }), {
  minKeys: 1,
  maxKeys: 2,
});
const native = {
  native_queries: unique(
    record(
      {
        root_field_name: name,
        code: fc.constantFrom("select 1", "select {{a}}"),
        returns: fc.oneof(name, record({ fields: modelFields, select_permissions: permissions(select) }, {})),
        array_relationships: relationships(manual),
        object_relationships: relationships(manual),
      },
      { arguments: nativeArguments, description: comment },
    ),
    (each) => each.root_field_name,
  ),
  stored_procedures: unique(
    record(
      {
        stored_procedure: qualifiedName,
        configuration: record({ exposed_as: fc.constant("query") }, { custom_name: name }),
        returns: name,
      },
      { arguments: nativeArguments },
    ),
    (each) => each.stored_procedure,
  ),
  logical_models: unique(
    record({ name, fields: modelFields, select_permissions: permissions(select) }, { description: comment }),
    (each) => each.name,
  ),
};

const envValue = fc.oneof(text, record({ from_env: text }, {}));
const fromEnv = record({ from_env: text }, {});
const postgresConnection = record(
  {
    database_url: fc.oneof(
      envValue,
      record({ dynamic_from_file: text }, {}),
      record(
        {
          connection_parameters: record(
            { host: text, port: count, database: text, username: text },
            { password: text },
          ),
        },
        {},
      ),
    ),
    isolation_level: fc.constantFrom("read-committed", "serializable"),
  },
  {
    pool_settings: record({ max_connections: count }, { idle_timeout: count, retries: count, pool_timeout: count }),
    use_prepared_statements: fc.boolean(),
    jit: fc.boolean(),
    disabled_features: fc.constantFrom(["notifications"], ["multiplexing", "notifications"]),
    ssl_configuration: record({ sslmode: fc.constant("verify-full") }, { sslrootcert: fromEnv, sslkey: fromEnv }),
  },
);
const mssqlConnection = record(
  { connection_string: envValue },
  { pool_settings: record({ enable: fc.boolean() }, {}), isolation_level: fc.constant("snapshot") },
);
const configurationOf: Readonly<Record<SourceKind, fc.Arbitrary<unknown>>> = {
  postgres: record(
    { connection_info: postgresConnection },
    {
      read_replicas: some(postgresConnection),
      extensions_schema: fc.constant("extensions"),
      connection_template: record({ template: text }, {}),
      connection_set: unique(
        record({ name: text, connection_info: postgresConnection }, {}),
        (each) => each.name,
      ).filter((set) => set.length > 0),
    },
  ),
  mssql: record({ connection_info: mssqlConnection }, { read_replicas: some(mssqlConnection) }),
};

export const arbitrarySource = (kind: SourceKind): fc.Arbitrary<Source> =>
  record(
    {
      name: text,
      kind: fc.constant(kind),
      tables: unique(table(kind === "mssql"), (each) => each.table),
      functions: unique(trackedFunction, (each) => each.function),
      ...native,
      configuration: configurationOf[kind],
    },
    {
      query_tags: record({ disabled: fc.boolean() }, { format: fc.constant("sqlcommenter") }),
      customization: record(
        { root_fields: record({ namespace: name }, { prefix: name, suffix: name }) },
        { type_names: record({ prefix: name }, {}), naming_convention: fc.constant("graphql-default") },
      ),
      health_check: record({ interval: count }, { test: fc.constant({ sql: "select 2" }), retries: fc.constant(1) }),
    },
  ) as fc.Arbitrary<unknown> as fc.Arbitrary<Source>;
