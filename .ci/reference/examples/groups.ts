/** Examples of all operations, in groups. */
import {
  deprecated,
  type ExampleGroup,
  eventId,
  failing,
  metadata,
  mssql,
  query,
  runSql,
  tables,
  tracked,
} from "./example.ts";

const connection = { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } };

const sourceGroup: ExampleGroup = {
  page: "sources",
  title: "Sources",
  about: "A source is a database that the API reads and writes.",
  before: [tables, tracked],
  examples: {
    add_source: metadata("pg_add_source", { name: "archive", configuration: connection }),
    update_source: metadata("pg_update_source", {
      name: "archive",
      customization: { root_fields: { prefix: "old_" } },
    }),
    rename_source: metadata("rename_source", { name: "archive", new_name: "history" }),
    drop_source: metadata("pg_drop_source", { name: "history", cascade: true }),
    list_source_kinds: metadata("list_source_kinds", {}, { sources: [{ kind: "pg" }, { kind: "mssql" }] }),
    get_source_kind_capabilities: failing(
      "get_source_kind_capabilities",
      { name: "pg" },
      { code: "data-connector-error", error: "pg does not support Capabilities" },
    ),
    test_connection_template: metadata(
      "pg_test_connection_template",
      {
        request_context: { session: { "x-engine-role": "user" } },
        connection_template: { template: "{{ $.default }}" },
      },
      { result: { routing_to: "default" } },
    ),
    get_source_tables: metadata("pg_get_source_tables", { source: "default" }, [
      { schema: "public", name: "article" },
      { schema: "public", name: "author" },
    ]),
    get_table_info: metadata(
      "pg_get_table_info",
      { source: "default", table: "author" },
      { name: { schema: "public", name: "author" }, primary_key: ["id"] },
    ),
    describe_table: metadata("pg_describe_table", { source: "default", table: "author" }, {}),
    describe_source: metadata("pg_describe_source", { source: "default" }, {}),
    describe_tables: metadata("pg_describe_tables", { source: "default" }, [
      {
        schema: "public",
        name: "article",
        primary_key: ["id"],
        foreign_keys: [{ foreign_table: { schema: "public", name: "author" }, column_mapping: { author_id: "id" } }],
      },
      { schema: "public", name: "author", unique_keys: [["name"]] },
    ]),
  },
};

const tableGroup: ExampleGroup = {
  page: "tables",
  title: "Tables",
  about: "They add tables and views of the databases to the API, and set their names.",
  before: [
    tables,
    runSql("CREATE TABLE state (value text PRIMARY KEY, comment text); INSERT INTO state VALUES ('open'), ('closed');"),
  ],
  examples: {
    track_table: metadata("pg_track_table", { source: "default", table: { schema: "public", name: "author" } }),
    track_tables: metadata("pg_track_tables", { tables: [{ table: "article" }, { table: "state" }] }),
    set_table_customization: metadata("pg_set_table_customization", {
      table: "article",
      configuration: {
        custom_root_fields: { select: "articles", select_by_pk: "article" },
        column_config: { author_id: { custom_name: "authorId", comment: "Author of the text" } },
      },
    }),
    set_table_is_enum: metadata("pg_set_table_is_enum", { table: "state", is_enum: true }),
    set_apollo_federation_config: metadata("pg_set_apollo_federation_config", {
      table: "author",
      apollo_federation_config: { enable: "v1" },
    }),
    untrack_table: metadata("pg_untrack_table", { table: "state", cascade: false }),
    untrack_tables: metadata("pg_untrack_tables", { tables: [{ table: "article" }, { table: "author" }] }),
    add_existing_table_or_view: deprecated("add_existing_table_or_view", 1, "author"),
    set_table_custom_fields: deprecated("set_table_custom_fields", 2, {
      table: "author",
      custom_root_fields: { select: "authors" },
      custom_column_names: { name: "fullName" },
    }),
  },
};

const relationshipGroup: ExampleGroup = {
  page: "relationships",
  title: "Relationships",
  about: "A relationship is a field of a table with rows of another table or source, or with data of a remote schema.",
  before: [
    tables,
    tracked,
    runSql("CREATE SCHEMA archive; CREATE TABLE archive.article (id integer PRIMARY KEY, author_id integer);"),
    metadata("pg_add_source", { name: "archive", configuration: connection }),
    metadata("pg_track_table", { source: "archive", table: { schema: "archive", name: "article" } }),
    metadata("add_remote_schema", { name: "people", definition: { url: "http://localhost:4000/graphql" } }),
  ],
  examples: {
    suggest_relationships: metadata(
      "pg_suggest_relationships",
      { source: "default", omit_tracked: true },
      { relationships: [{ type: "object" }, { type: "array" }] },
    ),
    create_object_relationship: metadata("pg_create_object_relationship", {
      table: "article",
      name: "author",
      using: { foreign_key_constraint_on: "author_id" },
    }),
    create_array_relationship: metadata("pg_create_array_relationship", {
      table: "author",
      name: "articles",
      using: { foreign_key_constraint_on: { table: "article", column: "author_id" } },
    }),
    rename_relationship: metadata("pg_rename_relationship", { table: "author", name: "articles", new_name: "texts" }),
    set_relationship_comment: metadata("pg_set_relationship_comment", {
      table: "author",
      relationship: "texts",
      comment: "Everything that the author has written",
    }),
    drop_relationship: metadata("pg_drop_relationship", { table: "author", relationship: "texts" }),
    create_remote_relationship: metadata("pg_create_remote_relationship", {
      table: "author",
      name: "archived",
      definition: {
        to_source: {
          source: "archive",
          table: { schema: "archive", name: "article" },
          relationship_type: "array",
          field_mapping: { id: "author_id" },
        },
      },
    }),
    update_remote_relationship: metadata("pg_update_remote_relationship", {
      table: "author",
      name: "archived",
      definition: {
        to_remote_schema: {
          remote_schema: "people",
          lhs_fields: ["id"],
          remote_field: { person: { arguments: { id: "$id" } } },
        },
      },
    }),
    delete_remote_relationship: metadata("pg_delete_remote_relationship", { table: "author", name: "archived" }),
    create_remote_schema_remote_relationship: metadata("create_remote_schema_remote_relationship", {
      remote_schema: "people",
      type_name: "Person",
      name: "articles",
      definition: {
        to_source: {
          source: "default",
          table: "article",
          relationship_type: "array",
          field_mapping: { id: "author_id" },
        },
      },
    }),
    update_remote_schema_remote_relationship: metadata("update_remote_schema_remote_relationship", {
      remote_schema: "people",
      type_name: "Person",
      name: "articles",
      definition: {
        to_source: { source: "default", table: "author", relationship_type: "object", field_mapping: { id: "id" } },
      },
    }),
    delete_remote_schema_remote_relationship: metadata("delete_remote_schema_remote_relationship", {
      remote_schema: "people",
      type_name: "Person",
      name: "articles",
    }),
  },
};

const own = { author_id: { _eq: "X-Engine-User-Id" } };

const permissionGroup: ExampleGroup = {
  page: "permissions",
  title: "Permissions",
  about:
    "A permission determines the access of a role to the rows of a table; [Permissions](permissions.md) explains each key.",
  before: [tables, tracked],
  examples: {
    create_select_permission: metadata("pg_create_select_permission", {
      table: "article",
      role: "writer",
      permission: {
        columns: ["id", "title", "published"],
        filter: { _or: [{ published: { _eq: true } }, own] },
        limit: 100,
        allow_aggregations: true,
      },
      comment: "Published articles, and one's own",
    }),
    create_insert_permission: metadata("pg_create_insert_permission", {
      table: "article",
      role: "writer",
      permission: { columns: ["title"], set: { author_id: "X-Engine-User-Id" }, check: {} },
    }),
    create_update_permission: metadata("pg_create_update_permission", {
      table: "article",
      role: "writer",
      permission: { columns: ["title", "published"], filter: own, check: { title: { _neq: "" } } },
    }),
    create_delete_permission: metadata("pg_create_delete_permission", {
      table: "article",
      role: "writer",
      permission: { filter: { _and: [own, { published: { _eq: false } }] } },
    }),
    set_permission_comment: metadata("pg_set_permission_comment", {
      table: "article",
      role: "writer",
      type: "delete",
      comment: "Drafts only",
    }),
    drop_select_permission: metadata("pg_drop_select_permission", { table: "article", role: "writer" }),
    drop_insert_permission: metadata("pg_drop_insert_permission", { table: "article", role: "writer" }),
    drop_update_permission: metadata("pg_drop_update_permission", { table: "article", role: "writer" }),
    drop_delete_permission: metadata("pg_drop_delete_permission", { table: "article", role: "writer" }),
  },
};

const functionGroup: ExampleGroup = {
  page: "functions",
  title: "Functions and computed fields",
  about: "Functions of the database compute root fields and fields of tables.",
  before: [
    tables,
    runSql(
      "CREATE FUNCTION search_articles(words text) RETURNS SETOF article STABLE LANGUAGE sql",
      "AS $$ SELECT * FROM article WHERE title ILIKE '%' || words || '%' $$;",
      "CREATE FUNCTION initial(author) RETURNS text STABLE LANGUAGE sql AS $$ SELECT left($1.name, 1) $$;",
    ),
    tracked,
    metadata("pg_create_select_permission", {
      table: "article",
      role: "writer",
      permission: { columns: "*", filter: {} },
    }),
  ],
  examples: {
    track_function: metadata("pg_track_function", {
      function: "search_articles",
      configuration: { custom_name: "find_articles" },
    }),
    set_function_customization: metadata("pg_set_function_customization", {
      function: "search_articles",
      configuration: { custom_root_fields: { function: "articles_with" } },
    }),
    create_function_permission: metadata("pg_create_function_permission", {
      function: "search_articles",
      role: "writer",
    }),
    drop_function_permission: metadata("pg_drop_function_permission", { function: "search_articles", role: "writer" }),
    untrack_function: metadata("pg_untrack_function", { function: "search_articles" }),
    add_computed_field: metadata("pg_add_computed_field", {
      table: "author",
      name: "initial",
      definition: { function: "initial" },
    }),
    drop_computed_field: metadata("pg_drop_computed_field", { table: "author", name: "initial" }),
  },
};

const nativeGroup: ExampleGroup = {
  page: "native-queries",
  title: "Native queries, logical models and stored procedures",
  about: "A native query is a root field with SQL of your own.",
  before: [tables, tracked],
  examples: {
    track_logical_model: metadata("pg_track_logical_model", {
      source: "default",
      name: "article_count",
      fields: [
        { name: "author", type: { scalar: "text" } },
        { name: "articles", type: { scalar: "bigint" } },
      ],
    }),
    get_logical_model: metadata("pg_get_logical_model", { source: "default" }, [{ name: "article_count" }]),
    track_native_query: metadata("pg_track_native_query", {
      source: "default",
      root_field_name: "article_counts",
      code: "SELECT name AS author, count(*) AS articles FROM author JOIN article ON author_id = author.id WHERE published = {{published}} GROUP BY name",
      arguments: { published: { type: "boolean" } },
      returns: "article_count",
    }),
    get_native_query: metadata("pg_get_native_query", { source: "default" }, [{ root_field_name: "article_counts" }]),
    create_logical_model_select_permission: metadata("pg_create_logical_model_select_permission", {
      source: "default",
      name: "article_count",
      role: "writer",
      permission: { columns: ["author", "articles"], filter: {} },
    }),
    drop_logical_model_select_permission: metadata("pg_drop_logical_model_select_permission", {
      source: "default",
      name: "article_count",
      role: "writer",
    }),
    untrack_native_query: metadata("pg_untrack_native_query", { source: "default", root_field_name: "article_counts" }),
    untrack_logical_model: metadata("pg_untrack_logical_model", { source: "default", name: "article_count" }),
    track_stored_procedure: mssql("mssql_track_stored_procedure", {
      source: "shop",
      stored_procedure: { schema: "dbo", name: "overdue_loans" },
      configuration: { exposed_as: "query" },
      arguments: { days: { type: "int" } },
      returns: "overdue_loan",
    }),
    get_stored_procedure: mssql("mssql_get_stored_procedure", { source: "shop" }),
    untrack_stored_procedure: mssql("mssql_untrack_stored_procedure", {
      source: "shop",
      stored_procedure: "overdue_loans",
    }),
  },
};

const eventGroup: ExampleGroup = {
  page: "event-triggers",
  title: "Event triggers",
  about: "An event trigger calls a webhook after changes of rows.",
  before: [tables, tracked],
  examples: {
    create_event_trigger: metadata("pg_create_event_trigger", {
      name: "article_published",
      table: "article",
      webhook: "http://localhost:9000/article",
      insert: { columns: "*" },
      update: { columns: ["published"] },
      enable_manual: true,
      retry_conf: { num_retries: 3, interval_sec: 10 },
      cleanup_config: { schedule: "0 3 * * *", clear_older_than: 168 },
    }),
    invoke_event_trigger: metadata(
      "pg_invoke_event_trigger",
      { name: "article_published", payload: { id: 1, title: "Engines" } },
      {},
    ),
    get_event_logs: metadata(
      "pg_get_event_logs",
      { name: "article_published", from: "2020-01-01T00:00:00Z", limit: 10 },
      [{ trigger_name: "article_published" }],
    ),
    get_event_by_id: metadata("pg_get_event_by_id", { event_id: eventId }, {}),
    get_event_invocation_logs: metadata("pg_get_event_invocation_logs", { name: "article_published" }, {}),
    redeliver_event: metadata("pg_redeliver_event", { event_id: eventId }),
    redeliver_events: metadata("pg_redeliver_events", { name: "article_published", status: ["error"] }, {}),
    cleanup_event_trigger_logs: metadata(
      "pg_cleanup_event_trigger_logs",
      {
        event_trigger_name: "article_published",
        clear_older_than: 24,
      },
      {},
    ),
    pause_event_trigger_cleanups: metadata("pause_event_trigger_cleanups", {
      event_triggers: [{ source_name: "default", event_triggers: ["article_published"] }],
    }),
    resume_event_trigger_cleanups: metadata("resume_event_trigger_cleanups", { event_triggers: { sources: "*" } }),
    delete_event_trigger: metadata("pg_delete_event_trigger", { name: "article_published" }),
  },
};

const scheduleGroup: ExampleGroup = {
  page: "schedules",
  title: "Schedules",
  about: "A schedule calls a webhook at given times.",
  before: [],
  examples: {
    create_cron_trigger: metadata("create_cron_trigger", {
      name: "nightly",
      webhook: "http://localhost:9000/nightly",
      schedule: "0 2 * * *",
      timezone: "Europe/Berlin",
      include_in_metadata: true,
      payload: { task: "report" },
    }),
    get_cron_triggers: metadata("get_cron_triggers", {}, { cron_triggers: [{ name: "nightly" }] }),
    create_scheduled_event: metadata(
      "create_scheduled_event",
      { webhook: "http://localhost:9000/reminder", schedule_at: "2099-01-01T09:00:00Z", payload: { invoice: 7 } },
      { message: "success" },
    ),
    get_scheduled_events: metadata(
      "get_scheduled_events",
      { type: "one_off", status: ["scheduled"] },
      {
        events: [{ status: "scheduled" }],
      },
    ),
    get_scheduled_event_invocations: metadata(
      "get_scheduled_event_invocations",
      { type: "cron", trigger_name: "nightly" },
      { invocations: [] },
    ),
    redeliver_scheduled_event: failing(
      "redeliver_scheduled_event",
      { type: "one_off", event_id: eventId },
      {
        error: "event is scheduled and will be delivered: only ended events can be redelivered",
        path: "$.args",
        code: "not-supported",
      },
    ),
    redeliver_scheduled_events: metadata(
      "redeliver_scheduled_events",
      { type: "cron", trigger_name: "nightly", status: ["error", "dead"], from: "2020-01-01T00:00:00Z" },
      { redelivered_events: 0 },
    ),
    delete_scheduled_event: metadata("delete_scheduled_event", { type: "one_off", event_id: eventId }),
    delete_cron_trigger: metadata("delete_cron_trigger", { name: "nightly" }),
  },
};

const remoteGroup: ExampleGroup = {
  page: "remote-schemas",
  title: "Remote schemas",
  about:
    "A remote schema adds the fields of another GraphQL server to the API. The server of the examples has the schema `type Query { person(id: Int): Person } type Person { id: Int name: String }`; permissions need the option `--enable-remote-schema-permissions`.",
  before: [],
  examples: {
    add_remote_schema: metadata("add_remote_schema", {
      name: "people",
      definition: { url: "http://localhost:4000/graphql", timeout_seconds: 20 },
    }),
    update_remote_schema: metadata("update_remote_schema", {
      name: "people",
      definition: {
        url: "http://localhost:4000/graphql",
        customization: { root_fields_namespace: "people" },
        forward_client_headers: true,
      },
    }),
    reload_remote_schema: metadata("reload_remote_schema", { name: "people" }),
    introspect_remote_schema: metadata("introspect_remote_schema", { name: "people" }, { data: {} }),
    add_remote_schema_permissions: metadata("add_remote_schema_permissions", {
      remote_schema: "people",
      role: "writer",
      definition: { schema: "type Query { person(id: Int): Person } type Person { name: String }" },
    }),
    drop_remote_schema_permissions: metadata("drop_remote_schema_permissions", {
      remote_schema: "people",
      role: "writer",
    }),
    remove_remote_schema: metadata("remove_remote_schema", { name: "people" }),
  },
};

const definition = {
  type: "mutation",
  handler: "http://localhost:9000/publish",
  arguments: [{ name: "id", type: "Int!" }],
  output_type: "Published",
};

const actionGroup: ExampleGroup = {
  page: "actions",
  title: "Actions",
  about: "An action is a root field that an HTTP service resolves.",
  before: [],
  examples: {
    set_custom_types: metadata("set_custom_types", {
      objects: [{ name: "Published", fields: [{ name: "at", type: "String!" }] }],
    }),
    create_action: metadata("create_action", { name: "publish", definition }),
    update_action: metadata("update_action", {
      name: "publish",
      definition: { ...definition, timeout: 10, headers: [{ name: "x-service", value: "engine" }] },
      comment: "Publishes an article",
    }),
    create_action_permission: metadata("create_action_permission", { action: "publish", role: "writer" }),
    drop_action_permission: metadata("drop_action_permission", { action: "publish", role: "writer" }),
    get_action_logs: metadata(
      "get_action_logs",
      { action_name: "publish", status: ["error"], from: "2020-01-01T00:00:00Z", limit: 20 },
      { calls: [] },
    ),
    get_dead_letters: metadata(
      "get_dead_letters",
      { kind: "action", name: "publish", limit: 20, get_rows_count: true },
      { dead_letters: [], count: 0 },
    ),
    replay_dead_letters: metadata(
      "replay_dead_letters",
      { kind: "action", name: "publish", from: "2020-01-01T00:00:00Z" },
      { replayed: 0 },
    ),
    drop_action: metadata("drop_action", { name: "publish", clear_data: true }),
  },
};

const collectionGroup: ExampleGroup = {
  page: "query-collections",
  title: "Query collections, allow-list and REST endpoints",
  about: "A query collection contains saved operations, which roles may run, also at URLs of their own.",
  before: [tables, tracked],
  examples: {
    create_query_collection: metadata("create_query_collection", {
      name: "app",
      definition: { queries: [{ name: "authors", query: "query Authors { author { id name } }" }] },
    }),
    add_query_to_collection: metadata("add_query_to_collection", {
      collection_name: "app",
      query_name: "article",
      query: "query Article($id: Int!) { article_by_pk(id: $id) { title } }",
    }),
    add_collection_to_allowlist: metadata("add_collection_to_allowlist", { collection: "app" }),
    update_scope_of_collection_in_allowlist: metadata("update_scope_of_collection_in_allowlist", {
      collection: "app",
      scope: { global: false, roles: ["writer"] },
    }),
    drop_collection_from_allowlist: metadata("drop_collection_from_allowlist", { collection: "app" }),
    create_rest_endpoint: metadata("create_rest_endpoint", {
      name: "Article",
      url: "articles/:id",
      methods: ["GET"],
      definition: { query: { collection_name: "app", query_name: "article" } },
    }),
    create_agent_tool: metadata("create_agent_tool", {
      name: "show_article",
      description: "Shows the title of an article.",
      definition: { query: { collection_name: "app", query_name: "article" } },
      limits: { seconds: 5 },
    }),
    get_agent_tools: metadata("get_agent_tools", { role: "admin" }, { role: "admin" }),
    drop_agent_tool: metadata("drop_agent_tool", { name: "show_article" }),
    get_saved_operation_roles: metadata(
      "get_saved_operation_roles",
      { collection_name: "app", query_name: "article" },
      { roles: ["admin"], backend_roles: [] },
    ),
    drop_rest_endpoint: metadata("drop_rest_endpoint", { name: "Article" }),
    drop_query_from_collection: metadata("drop_query_from_collection", {
      collection_name: "app",
      query_name: "article",
    }),
    rename_query_collection: metadata("rename_query_collection", { name: "app", new_name: "website" }),
    drop_query_collection: metadata("drop_query_collection", { collection: "website", cascade: true }),
  },
};

const settingGroup: ExampleGroup = {
  page: "settings",
  title: "Roles, limits and settings",
  about: "They define inherited roles, and settings of the whole API.",
  before: [
    tables,
    tracked,
    ...["writer", "editor"].map((role) =>
      metadata("pg_create_select_permission", { table: "article", role, permission: { columns: "*", filter: {} } }),
    ),
  ],
  examples: {
    add_inherited_role: metadata("add_inherited_role", { role_name: "chief", role_set: ["writer", "editor"] }),
    drop_inherited_role: metadata("drop_inherited_role", { role_name: "chief" }),
    set_api_limits: metadata("set_api_limits", {
      depth_limit: { global: 8, per_role: { editor: 12 } },
      rate_limit: { global: { max_reqs_per_min: 600, unique_params: "IP" } },
      time_limit: { global: 10 },
    }),
    remove_api_limits: metadata("remove_api_limits", {}),
    set_metrics_config: metadata("set_metrics_config", { analyze_query_variables: true, analyze_response_body: true }),
    remove_metrics_config: metadata("remove_metrics_config", {}),
    set_graphql_schema_introspection_options: metadata("set_graphql_schema_introspection_options", {
      disabled_for_roles: ["writer"],
    }),
    add_host_to_tls_allowlist: metadata("add_host_to_tls_allowlist", {
      host: "staging.example.com",
      suffix: "8443",
      permissions: ["self-signed"],
    }),
    drop_host_from_tls_allowlist: metadata("drop_host_from_tls_allowlist", {
      host: "staging.example.com",
      suffix: "8443",
    }),
    set_query_tags: metadata("set_query_tags", { source_name: "default", format: "sqlcommenter" }),
    set_opentelemetry_config: metadata("set_opentelemetry_config", {
      status: "disabled",
      data_types: ["traces"],
      exporter_otlp: { otlp_traces_endpoint: "http://localhost:4318/v1/traces" },
    }),
    set_opentelemetry_status: metadata("set_opentelemetry_status", "disabled"),
  },
};

const documentGroup: ExampleGroup = {
  page: "metadata",
  title: "The whole metadata, and the state of the server",
  about: "They export, import and check the metadata, and return information for tools.",
  before: [tables, tracked],
  examples: {
    export_metadata: {
      ...metadata("export_metadata", {}, { metadata: { version: 3 } }),
      body: { type: "export_metadata", version: 2, args: {} },
    },
    replace_metadata: metadata(
      "replace_metadata",
      {
        allow_inconsistent_metadata: true,
        metadata: {
          version: 3,
          sources: [
            {
              name: "default",
              kind: "postgres",
              configuration: connection,
              tables: [{ table: "author" }, { table: "missing" }],
            },
          ],
        },
      },
      { is_consistent: false },
    ),
    get_inconsistent_metadata: metadata("get_inconsistent_metadata", {}, [{ name: "table missing in source default" }]),
    drop_inconsistent_metadata: metadata("drop_inconsistent_metadata", {}),
    reload_metadata: metadata("reload_metadata", { reload_sources: ["default"] }, { is_consistent: true }),
    clear_metadata: metadata("clear_metadata", {}),
    dump_internal_state: metadata("dump_internal_state", {}, {}),
    get_metadata_history: metadata("get_metadata_history", { limit: 10 }, {}),
    get_audit_log: metadata("get_audit_log", { operation: "clear_metadata", limit: 10 }, {}),
    get_metadata_version: metadata("get_metadata_version", { resource_version: 1 }, { resource_version: 1 }),
    compare_metadata_versions: metadata("compare_metadata_versions", { from: 1, effects: true }, { from: 1 }),
    get_environment_variables: metadata("get_environment_variables", {}, []),
    get_catalog_state: metadata("get_catalog_state", {}, { cli_state: {} }),
    set_catalog_state: metadata("set_catalog_state", { type: "console", state: { welcome: false } }),
    lock_catalog_state: metadata(
      "lock_catalog_state",
      { type: "cli", holder: "0e1c5a1e-5c9f-4d0a-8f0f-2f2d0b1a6c77", seconds: 30, label: "deployment" },
      {},
    ),
    export_generated_code: metadata("export_generated_code", {}, {}),
    export_client: metadata("export_client", { document: "query Version { __typename }", document_mode: "string" }, {}),
    export_handlers: metadata("export_handlers", {}, {}),
    export_access: metadata("export_access", {}, {}),
    advise: metadata("advise", { authenticated_only: true }, { skipped: [] }),
    explain_access: metadata(
      "explain_access",
      { role: "reader", session: { "x-engine-user-id": "1" }, request: { query: "{ __typename }" } },
      {},
    ),
    get_slow_operations: metadata("get_slow_operations", {}, {}),
    get_role_usage: metadata("get_role_usage", {}, {}),
    get_tool_calls: metadata("get_tool_calls", {}, []),
    get_instances: metadata("get_instances", {}, [{ is_this: true, is_responding: true }]),
    get_live_queries: metadata("get_live_queries", {}, {}),
    get_log_lines: metadata("get_log_lines", { level: "error", types: ["http-log"], limit: 10 }, { has_more: false }),
    test_webhook_transform: metadata(
      "test_webhook_transform",
      {
        webhook_url: "http://localhost:9000/article",
        body: { title: "Engines" },
        request_transform: {
          version: 2,
          url: "{{$base_url}}/new",
          body: { action: "transform", template: '{"text": {{$body.title}}}' },
        },
      },
      { webhook_url: "http://localhost:9000/article/new", body: { text: "Engines" } },
    ),
  },
};

const dataGroup: ExampleGroup = {
  page: "rows",
  title: "SQL and rows",
  about:
    "They belong to `/v2/query`; the unprefixed names mean PostgreSQL. Use GraphQL for rows: these forms exist for older clients.",
  before: [
    tables,
    tracked,
    metadata("pg_create_object_relationship", {
      table: "article",
      name: "author",
      using: { foreign_key_constraint_on: "author_id" },
    }),
  ],
  examples: {
    run_sql: query(
      "run_sql",
      { source: "default", sql: "SELECT id, name FROM author ORDER BY id", read_only: true },
      {
        result_type: "TuplesOk",
        result: [
          ["id", "name"],
          ["1", "Ada"],
          ["2", "Grace"],
        ],
      },
    ),
    insert: query(
      "insert",
      { table: "author", objects: [{ name: "Margaret" }], returning: ["id"] },
      { affected_rows: 1, returning: [{ id: 3 }] },
    ),
    update: query("update", { table: "author", where: { id: 3 }, $set: { name: "Barbara" } }, { affected_rows: 1 }),
    update_rows: query(
      "update_rows",
      { table: "author", updates: [{ where: { id: 3 }, $set: { name: "Jean" } }] },
      { affected_rows: 1 },
    ),
    select: query(
      "select",
      {
        table: "article",
        columns: ["title", { name: "author", columns: ["name"] }],
        where: { published: { $eq: true } },
        order_by: "-id",
      },
      [{ title: "Engines", author: { name: "Ada" } }],
    ),
    count: query("count", { table: "author", where: { id: { $gt: 1 } } }, { count: 2 }),
    delete: query("delete", { table: "author", where: { id: 3 } }, { affected_rows: 1 }),
  },
};

export const exampleGroups: readonly ExampleGroup[] = [
  sourceGroup,
  tableGroup,
  relationshipGroup,
  permissionGroup,
  functionGroup,
  nativeGroup,
  eventGroup,
  scheduleGroup,
  remoteGroup,
  actionGroup,
  collectionGroup,
  settingGroup,
  documentGroup,
  dataGroup,
];
