/** The files of a metadata directory, each with the part of the metadata that it contains. */
import { metadataDocument } from "../../compiler/catalog/schema.ts";
import {
  actionsFile,
  databasesFile,
  oneDatabaseFiles,
  sections,
  versionFile,
} from "../../runtime/cli/metadata-directory/layout.ts";
import { type Key, SchemaReader, type Value } from "./schema.ts";

export interface MetadataFile {
  /** Path in the metadata directory; `*` for any name. */
  readonly path: string;
  /** Name of the JSON Schema. */
  readonly schema: string;
  readonly about: string;
  readonly value: Value;
  /** True if values may be in files of their own. */
  readonly mayInclude: boolean;
  /** Keys that `actions.graphql` may define. */
  readonly definedElsewhere?: ReadonlySet<string>;
  /** Path of an example: a file of a template or of the sample library. */
  readonly example: string;
}

export const reader = new SchemaReader({ comment: "Description of the object." });

export const documentValue = reader.read(metadataDocument);

function keyOf(value: Value, name: string): Key {
  const objects = value.kind === "choice" ? value.choices : [value];
  for (const object of objects) {
    const key = object.kind === "object" ? object.keys.find((each) => each.name === name) : undefined;
    if (key !== undefined) return key;
  }
  throw new Error(`no key ${name}`);
}

function elementOf(value: Value): Value {
  if (value.kind !== "list") throw new Error(`expected a list, but found ${value.kind}`);
  return value.element;
}

const sources = keyOf(documentValue, "sources").value;
const source = elementOf(sources);
const part = (name: string): Value => keyOf(documentValue, name).value;

/** Joins the forms of the key for each kind of database. */
function ofSource(name: string): Value {
  const kinds = source.kind === "choice" ? source.choices : [source];
  const values = kinds.map((kind) => keyOf(kind, name).value);
  const [first] = values;
  if (first === undefined) throw new Error("no kinds of databases");
  return first;
}

const tables = ofSource("tables");
const functions = ofSource("functions");

const fixed: readonly MetadataFile[] = [
  {
    path: versionFile,
    schema: "version",
    about: "The version of the format, which is `3`.",
    value: { kind: "object", keys: [keyOf(documentValue, "version")] },
    mayInclude: false,
    example: "version: 3\n",
  },
  {
    path: databasesFile,
    schema: "databases",
    about: "The sources. Their tables and functions are usually in files of their own, which `!include` names.",
    value: sources,
    mayInclude: true,
    example: `- name: default
  kind: postgres
  configuration:
    connection_info:
      database_url:
        from_env: ENGINE_GRAPHQL_DATABASE_URL
      pool_settings:
        max_connections: 20
  tables: "!include default/tables/tables.yaml"
  functions: "!include default/functions/functions.yaml"
`,
  },
  {
    path: `databases/*/tables/${oneDatabaseFiles.tables}`,
    schema: "tables",
    about: "The tracked tables of a source, usually one `!include` for each.",
    value: tables,
    mayInclude: true,
    example: `- "!include public_article.yaml"\n- "!include public_author.yaml"\n`,
  },
  {
    path: "databases/*/tables/*.yaml",
    schema: "table",
    about: "One tracked table or view. This file refuses unknown keys; elsewhere they cause warnings.",
    value: elementOf(tables),
    mayInclude: false,
    example: `table:
  schema: public
  name: article
configuration:
  custom_root_fields:
    select: articles
  column_config:
    author_id:
      custom_name: authorId
object_relationships:
  - name: author
    using:
      foreign_key_constraint_on: author_id
select_permissions:
  - role: writer
    permission:
      columns: [id, title, published]
      filter:
        author_id:
          _eq: X-Engine-User-Id
event_triggers:
  - name: article_published
    webhook: "{{HANDLER_URL}}/article"
    definition:
      enable_manual: false
      update:
        columns: [published]
    retry_conf:
      num_retries: 3
      interval_sec: 10
`,
  },
  {
    path: `databases/*/functions/${oneDatabaseFiles.functions}`,
    schema: "functions",
    about: "The tracked functions of a source, or one `!include` for each.",
    value: functions,
    mayInclude: true,
    example: `- function:
    schema: public
    name: search_articles
  configuration:
    custom_name: find_articles
  permissions:
    - role: writer
`,
  },
  {
    path: "databases/*/functions/*.yaml",
    schema: "function",
    about: "One tracked function.",
    value: elementOf(functions),
    mayInclude: false,
    example: `function:\n  schema: public\n  name: search_articles\n`,
  },
  {
    path: actionsFile,
    schema: "actions",
    about:
      "Actions and their types. `actions.graphql` beside it defines arguments, results and fields in SDL; this file has everything else, or all of it.",
    value: { kind: "object", keys: [keyOf(documentValue, "actions"), keyOf(documentValue, "custom_types")] },
    mayInclude: true,
    definedElsewhere: new Set(["output_type", "fields", "values"]),
    example: `actions:
  - name: publish
    definition:
      handler: "{{HANDLER_URL}}/publish"
      timeout: 10
    permissions:
      - role: writer
custom_types: {}
`,
  },
];

/** Examples and descriptions of the sections with a file of their own. */
const examples: Readonly<Record<string, string>> = {
  remote_schemas: `- name: people
  definition:
    url: "{{PEOPLE_URL}}/graphql"
    timeout_seconds: 20
  permissions:
    - role: writer
      definition:
        schema: "type Query { person(id: Int): Person } type Person { name: String }"
`,
  query_collections: `- name: app
  definition:
    queries:
      - name: article
        query: |
          query Article($id: Int!) { article_by_pk(id: $id) { title } }
`,
  allowlist: `- collection: app
  scope:
    global: false
    roles: [writer]
`,
  cron_triggers: `- name: nightly
  webhook: "{{HANDLER_URL}}/nightly"
  schedule: "0 2 * * *"
  timezone: Europe/Berlin
  include_in_metadata: true
`,
  rest_endpoints: `- name: Article
  url: articles/:id
  methods: [GET]
  definition:
    query:
      collection_name: app
      query_name: article
`,
  agent_tools: `- name: show_article
  description: Shows the title of an article.
  definition:
    query:
      collection_name: app
      query_name: article
  roles: [writer]
  scopes: [articles.read]
  limits:
    seconds: 5
`,
  api_limits: `depth_limit:
  global: 8
rate_limit:
  global:
    max_reqs_per_min: 600
    unique_params: IP
`,
  metrics_config: `analyze_query_variables: true\nanalyze_response_body: false\n`,
  inherited_roles: `- role_name: chief\n  role_set: [writer, editor]\n`,
  graphql_schema_introspection: `disabled_for_roles: [writer]\n`,
  network: `tls_allowlist:
  - host: staging.example.com
    suffix: "8443"
    permissions: [self-signed]
`,
  backend_configs: `{}\n`,
  opentelemetry: `status: enabled
data_types: [traces]
exporter_otlp:
  otlp_traces_endpoint: "{{COLLECTOR_URL}}/v1/traces"
`,
};

export const metadataFiles: readonly MetadataFile[] = [
  ...fixed,
  ...sections.map(({ key, file }): MetadataFile => {
    const example = examples[key];
    if (example === undefined) throw new Error(`${file} has no example`);
    const { about } = keyOf(documentValue, key);
    return { path: file, schema: file.replace(".yaml", ""), about, value: part(key), mayInclude: true, example };
  }),
];
