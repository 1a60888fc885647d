/** Descriptions of generated files. `test/unit/reference-coverage.test.ts` compares them with compiler output. */

export interface GeneratedFile {
  /** Path with names in angle brackets. */
  readonly path: string;
  /** Matches the path of such a file. */
  readonly pattern: RegExp;
  readonly doc: string;
  /** File of the sample library that shows the form. */
  readonly sample?: string;
}

/** In the order of the search: a file belongs to the first pattern that matches it. */
export const generatedFiles: readonly GeneratedFile[] = [
  {
    path: "manifest.json",
    pattern: /^manifest\.json$/,
    doc: "the hash of each file, of the metadata and of the shapes, and the contract version",
  },
  {
    path: "openapi.json",
    pattern: /^openapi\.json$/,
    doc: "the OpenAPI document of the REST endpoints, as seen by admins",
  },
  {
    path: "client.ts",
    pattern: /^client\.ts$/,
    doc: "typed documents of the saved operations, with `engine compile --client`",
  },
  {
    path: "sources/<source>/source.ts",
    pattern: /^sources\/[^/]+\/source\.ts$/,
    doc: "a database: its kind, naming convention and settings of the schema",
    sample: "sources/default/source.ts",
  },
  {
    path: "sources/<source>/<schema>.<table>.enum.ts",
    pattern: /^sources\/.*\.enum\.ts$/,
    doc: "the values of an enum table",
  },
  {
    path: "sources/<source>/<schema>.<function>.function.ts",
    pattern: /^sources\/.*\.function\.ts$/,
    doc: "a function with its arguments and result",
  },
  {
    path: "sources/<source>/native.<name>.query.ts",
    pattern: /^sources\/.*\.query\.ts$/,
    doc: "the SQL and arguments of a native query",
  },
  {
    path: "sources/<source>/native.<name>.procedure.ts",
    pattern: /^sources\/.*\.procedure\.ts$/,
    doc: "a stored procedure with its arguments",
  },
  {
    path: "sources/<source>/native.<name>.model.ts",
    pattern: /^sources\/.*\.model\.ts$/,
    doc: "the columns of a logical model",
  },
  {
    path: "sources/<source>/<schema>.<table>.ts",
    pattern: /^sources\/[^/]+\/[^/]+\.ts$/,
    doc: "a table with its columns, keys and joins, for all roles",
    sample: "sources/default/public.review.ts",
  },
  {
    path: "roles/<role>/schema.graphql",
    pattern: /^roles\/[^/]+\/schema\.graphql$/,
    doc: "the GraphQL schema of a role",
  },
  {
    path: "roles/<role>/schema.relay.graphql",
    pattern: /^roles\/[^/]+\/schema\.relay\.graphql$/,
    doc: "the Relay schema of a role",
  },
  {
    path: "roles/<role>/schema.backend.graphql",
    pattern: /^roles\/[^/]+\/schema\.backend\.graphql$/,
    doc: "the GraphQL schema of a role for requests that may use backend-only permissions",
  },
  {
    path: "roles/<role>/schema.subgraph.graphql",
    pattern: /^roles\/[^/]+\/schema\.subgraph\.graphql$/,
    doc: "the schema of a role as a subgraph of Apollo Federation",
  },
  {
    path: "roles/<role>/schema.relay.backend.graphql",
    pattern: /^roles\/[^/]+\/schema\.relay\.backend\.graphql$/,
    doc: "the same for the Relay schema",
  },
  {
    path: "roles/<role>/schema.subgraph.backend.graphql",
    pattern: /^roles\/[^/]+\/schema\.subgraph\.backend\.graphql$/,
    doc: "the same for the subgraph",
  },
  {
    path: "roles/<role>/operations/<collection>.<query>.backend.ts",
    pattern: /^roles\/[^/]+\/operations\/[^/]+\.backend\.ts$/,
    doc: "the same with backend-only permissions",
  },
  {
    path: "roles/<role>/root-fields.ts",
    pattern: /^roles\/[^/]+\/root-fields\.ts$/,
    doc: "the root fields of a role",
    sample: "roles/visitor/root-fields.ts",
  },
  {
    path: "roles/<role>/query/<field>.ts",
    pattern: /^roles\/[^/]+\/query\/[^/]+\.ts$/,
    doc: "the fields of queries and subscriptions from this name on, if there are many",
  },
  {
    path: "roles/<role>/mutation/<field>.ts",
    pattern: /^roles\/[^/]+\/mutation\/[^/]+\.ts$/,
    doc: "the fields of mutations from this name on, if there are many",
  },
  {
    path: "roles/<role>/relay.ts",
    pattern: /^roles\/[^/]+\/relay\.ts$/,
    doc: "the root fields of a role in the Relay API",
  },
  {
    path: "roles/<role>/tables.ts",
    pattern: /^roles\/[^/]+\/tables\.ts$/,
    doc: "the tables of a role by name, for data operations",
  },
  {
    path: "roles/<role>/operations/<collection>.<query>.ts",
    pattern: /^roles\/[^/]+\/operations\/[^/]+\.ts$/,
    doc: "the SQL of a saved operation for a role",
    sample: "roles/member/operations/desk.my_loans.ts",
  },
  {
    path: "roles/<role>/actions/<type>.relationships.ts",
    pattern: /^roles\/[^/]+\/actions\/[^/]+\.relationships\.ts$/,
    doc: "the remote relationships of an output type of actions that a role may use",
  },
  {
    path: "roles/<role>/actions/<type>.ts",
    pattern: /^roles\/[^/]+\/actions\/[^/]+\.ts$/,
    doc: "an output type of actions with the tables that a role may read from it",
  },
  {
    path: "roles/<role>/remotes/<schema>.ts",
    pattern: /^roles\/[^/]+\/remotes\/[^/]+\.ts$/,
    doc: "a remote schema as a role sees it",
  },
  {
    path: "roles/<role>/tools/<tool>.ts",
    pattern: /^roles\/[^/]+\/tools\/(?:backend\/)?[^/.]+\.ts$/,
    doc: "a tool for assistants as a role sees it: hints, schemas of arguments and results, and its finished plans; with backend-only permissions in `backend/`",
    sample: "roles/member/tools/my_loans.ts",
  },
  {
    path: "roles/<role>/<source>/<schema>.<table>.ts",
    pattern: /^roles\/[^/]+\/[^/]+\/[^/]+\.ts$/,
    doc: "the permissions of a role on a table: columns, relationships, row filters and writes",
    sample: "roles/member/default/public.loan.ts",
  },
  {
    path: "operations/<collection>.<query>.ts",
    pattern: /^operations\/[^/]+\.ts$/,
    doc: "the text and variables of a saved operation, for all roles",
    sample: "operations/desk.my_loans.ts",
  },
  {
    path: "tools/<tool>.ts",
    pattern: /^tools\/[^/]+\.ts$/,
    doc: "a tool for assistants: its description, operation, limits and scopes, for all roles",
    sample: "tools/my_loans.ts",
  },
  { path: "rest/routes.ts", pattern: /^rest\/routes\.ts$/, doc: "the routes of the REST endpoints" },
  {
    path: "rest/<endpoint>.ts",
    pattern: /^rest\/[^/]+\.ts$/,
    doc: "a REST endpoint: methods, path and operation",
    sample: "rest/my-loans+1.ts",
  },
  { path: "actions/types.ts", pattern: /^actions\/types\.ts$/, doc: "the custom types of actions" },
  {
    path: "actions/<action>.ts",
    pattern: /^actions\/[^/]+\.ts$/,
    doc: "an action with its arguments, handler and transforms",
  },
  {
    path: "remotes/<schema>/server.ts",
    pattern: /^remotes\/[^/]+\/server\.ts$/,
    doc: "the URL, headers and customization of a remote schema",
  },
  {
    path: "remotes/<schema>/schema.ts",
    pattern: /^remotes\/[^/]+\/schema\.ts$/,
    doc: "the introspected types of a remote schema",
  },
  {
    path: "events/<source>/<trigger>.ts",
    pattern: /^events\/[^/]+\/[^/]+\.ts$/,
    doc: "an event trigger: its table, columns, webhook and retries",
  },
  {
    path: "schedules/<trigger>.ts",
    pattern: /^schedules\/[^/]+\.ts$/,
    doc: "a cron trigger: its schedule, webhook and retries",
  },
];
