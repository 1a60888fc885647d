/** Computes the access of an analysis and its program: the rights of each role. Pure; plans saved operations. */
import type { SchemaApi, SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import { canonicalJson } from "../../runtime/values/canonical-json.ts";
import type { Interruptible } from "../../runtime/values/interruptible.ts";
import type { Analysis, AnalyzedSource } from "../2-analyze/analysis.ts";
import { Conflict, remotePermission } from "../2-analyze/inherited-permissions.ts";
import { lowerAction } from "../3-lower/actions.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import { functionRootInputs } from "../3-lower/function-inputs.ts";
import { type RoleAnalysis, withInheritance } from "../3-lower/inherited-roles.ts";
import { nativeName, nativeRowsOf } from "../3-lower/native-rows.ts";
import { usableTables } from "../3-lower/role-tables.ts";
import { nativeRowsViewInputs, viewInputs } from "../3-lower/view-inputs.ts";
import { shapeHash } from "../4-emit/manifest.ts";
import type { PlannedProgram } from "../5-plan/planned-program.ts";
import { exportMetadata, hash } from "../catalog/canonical.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Json, StoredProcedure } from "../catalog/model.ts";
import type { Program } from "../program/program.ts";
import { everything } from "./compare-remote.ts";
import { cronTriggerAccesses } from "./cron-trigger-access.ts";
import { eventTriggerAccesses } from "./event-trigger-access.ts";
import type {
  Access,
  Allowed,
  ByName,
  EndpointAccess,
  FunctionAccess,
  HandlerAccess,
  OperationAccess,
  RoleAccess,
  SavedOperationAccess,
  SchemaAccess,
  TableAccess,
  ToolAccess,
} from "./model.ts";
import { operationAccess } from "./operation-access.ts";
import { externalRelationships } from "./outside-access.ts";
import { type ReadRelated, relatedReader } from "./related-access.ts";
import { onlyRoots, otherTypes, schemaAccess } from "./schema-access.ts";
import { accessKey, tableAccess } from "./table-access.ts";
import { termsOf } from "./terms-of.ts";

export interface AccessInput {
  readonly analysis: Analysis;
  readonly program: Program;
  readonly planned: PlannedProgram;
  /** Returns the API limits that apply to a role. */
  readonly limitsOf: (role: string) => ByName<Json>;
  /** Roles to include; absent: all. */
  readonly roles?: ReadonlySet<string> | undefined;
  /**
   * Roles whose schemas and writes of related rows are left out, because they equal those of the other access in a
   * comparison.
   */
  readonly sameSchemas?: ReadonlySet<string> | undefined;
  /** If true, all schemas are left out. */
  readonly onlyPermissions?: boolean | undefined;
  /** If true, the access contains the terms of explanations. */
  readonly hasTerms?: boolean | undefined;
}

/**
 * Computes an access. Yields after each role and between the schemas of a role, because reading a schema takes longest.
 */
export function* accessOf(input: AccessInput): Interruptible<Access> {
  const { analysis, program } = input;
  const { catalog, sources } = analysis;
  const roles: Record<string, RoleAccess> = {};
  for (const role of program.roles()) {
    if (input.roles?.has(role) === false) continue;
    roles[role] = yield* roleAccess(role, input);
    yield;
  }
  return {
    format: 1,
    roles,
    savedOperations: Object.fromEntries(savedOperations(catalog)),
    endpoints: Object.fromEntries(
      [...analysis.restEndpoints.values()].map(({ name, url, methods, definition: { query } }) => {
        const operation = operationKey(query.collection_name, query.query_name);
        const access: EndpointAccess = { path: url, methods: [...methods].sort(), operation };
        return [name, access];
      }),
    ),
    eventTriggers: Object.fromEntries(
      [...sources.values()].flatMap((source) => [...eventTriggerAccesses(source, analysis.options)]),
    ),
    handlers: Object.fromEntries(handlerAccesses(analysis)),
    cronTriggers: Object.fromEntries(cronTriggerAccesses(analysis)),
    otherMetadata: Object.fromEntries(otherMetadata(catalog)),
    shapes: Object.fromEntries([...sources].map(([name, { shape }]) => [name, shapeHash(shape)])),
    ...(input.hasTerms && { terms: termsOf(analysis, input.planned, program.roles()) }),
  };
}

const operationKey = (collection: string, name: string): string =>
  accessKey(collection, { schema: "", name, native: "query" });

function savedOperations({ query_collections, allowlist }: Catalog): (readonly [string, SavedOperationAccess])[] {
  return query_collections.flatMap(({ name: collection, definition }) => {
    const entries = allowlist.filter((entry) => entry.collection === collection);
    const allowed: Allowed = entries.some(({ scope }) => scope.global)
      ? "every role"
      : [...new Set(entries.flatMap(({ scope }) => (scope.global ? [] : scope.roles)))].sort();
    return definition.queries.map(
      ({ name, query: text }) => [operationKey(collection, name), { text, allowed }] as const,
    );
  });
}

// ---------------------------------------------------------------- roles

function* roleAccess(role: string, input: AccessInput): Interruptible<RoleAccess> {
  const { analysis, program, planned, limitsOf } = input;
  const inheriting = withInheritance(analysis, role);
  const isSame = input.sameSchemas?.has(role) ?? false;
  function* schemaOf(variant: SchemaVariant, api: SchemaApi): Interruptible<SchemaAccess> {
    if (isSame || input.onlyPermissions) return {};
    const { text } = planned.file(planned.roleSchema(role, variant, api));
    yield;
    const schema = schemaAccess(text);
    yield;
    return schema;
  }
  const schema = yield* schemaOf("frontend", "graphql");
  const backendSchema = program.hasBackendSchema(role) ? yield* schemaOf("backend", "graphql") : {};
  const relaySchema = yield* schemaOf("frontend", "relay");
  const { disabled_for_roles } = analysis.catalog.graphql_schema_introspection;
  return {
    parents: [...(analysis.inheritedRoles.get(role)?.role_set ?? [])].sort(),
    introspection: !disabled_for_roles.includes(role),
    limits: limitsOf(role),
    tables: isSame
      ? Object.fromEntries(tablesOf(inheriting, role))
      : planned.readTables(role, (tables) => Object.fromEntries(tablesOf(inheriting, role, relatedReader(tables)))),
    functions: Object.fromEntries(
      [...inheriting.sources.values()].flatMap((source) => functionsOf(source, role, inheriting)),
    ),
    actions: Object.fromEntries(
      [...inheriting.actions.values()]
        .filter(({ permissions }) => role === adminRole || permissions.some((permission) => permission.role === role))
        .map(({ name, definition: { type } }) => [name, type]),
    ),
    remoteSchemas: Object.fromEntries(remoteSchemasOf(analysis, role)),
    outside: Object.fromEntries(externalRelationships(inheriting, role)),
    schema,
    backendSchema: otherTypes(backendSchema, schema),
    relaySchema: otherTypes(onlyRoots(relaySchema), schema),
    operations: Object.fromEntries(operationsOf(input, role)),
    ...toolsOf(input, role),
  };
}

function* tablesOf(
  analysis: RoleAnalysis,
  role: string,
  related?: ReadRelated,
): Iterable<readonly [string, TableAccess]> {
  for (const [source, table] of usableTables(analysis, role)) {
    const { schema, name } = table.table.table;
    const inputs = viewInputs(analysis, source, table, role);
    const { insert, update } = inputs.writes;
    // Reading the writes of related rows loads modules.
    const found = insert || update ? related?.(source.name, schema, name) : undefined;
    yield [accessKey(source.name, table.table.table), tableAccess(inputs, undefined, found)];
  }
  for (const source of analysis.sources.values()) {
    for (const rows of nativeRowsOf(source, role)) {
      const query = "query" in rows ? rows.query.code : "procedure" in rows ? procedureText(rows.procedure) : undefined;
      yield [accessKey(source.name, nativeName(rows)), tableAccess(nativeRowsViewInputs(source, rows, role), query)];
    }
  }
}

function procedureText({ stored_procedure: { schema, name }, arguments: given }: StoredProcedure): string {
  return `${schema}.${name}(${canonicalJson(given ?? {})})`;
}

function functionsOf(
  source: AnalyzedSource,
  role: string,
  access: RoleAnalysis,
): (readonly [string, FunctionAccess])[] {
  return (["query", "mutation"] as const).flatMap((exposedAs) =>
    functionRootInputs(source, role, exposedAs, access).flatMap(({ function: name, target }) => {
      const tracked = [...source.functions.values()].find((other) => other.function.function === name);
      if (tracked === undefined) return [];
      const { shape, sessionArgument } = tracked;
      const given = shape.arguments.flatMap(({ name }, i) =>
        i === sessionArgument ? [] : [name ?? `argument ${i + 1}`],
      );
      const function_: FunctionAccess = {
        exposedAs,
        rows: accessKey(source.name, target),
        arguments: given,
        session: sessionArgument !== undefined,
      };
      return [[accessKey(source.name, name), function_] as const];
    }),
  );
}

/**
 * Returns the remote schemas that a role may use, with its permission documents. A role without a document has no
 * access, unless remote schema permissions are disabled.
 */
function remoteSchemasOf(
  { remoteSchemas, inheritedRoles, inheritedClashes, options }: Analysis,
  role: string,
): (readonly [string, string])[] {
  return [...remoteSchemas.values()].flatMap((remote): (readonly [string, string])[] => {
    const { name, permissions } = remote.schema;
    if (role === adminRole || !options.remoteSchemaPermissions) return [[name, everything]];
    if (inheritedClashes.get(role)?.has(name)) return [];
    const granted = remotePermission(remote, role, inheritedRoles);
    const isGranted = granted !== undefined && !(granted instanceof Conflict);
    if (!isGranted && remote.shape !== undefined) return [];
    // Without an introspection result, the document is used as written.
    const owner = isGranted ? granted.role : role;
    const document = permissions.find((permission) => permission.role === owner);
    return document === undefined ? [] : [[name, document.definition.schema]];
  });
}

function* operationsOf(
  { program, planned }: AccessInput,
  role: string,
): Iterable<readonly [string, RoleAccess["operations"][string]]> {
  for (const operation of program.savedOperations()) {
    const accessAs = (variant: SchemaVariant): { readonly [key in SchemaVariant]?: OperationAccess } => {
      const access = operationAccess(planned.savedOutcome(operation, role, variant));
      return access === undefined ? {} : { [variant]: access };
    };
    const found = { ...accessAs("frontend"), ...(program.hasBackendSchema(role) ? accessAs("backend") : {}) };
    if (Object.keys(found).length > 0) yield [operationKey(operation.collection, operation.name), found];
  }
}

function toolsOf({ program, planned }: AccessInput, role: string): Pick<RoleAccess, "tools"> {
  const variants: readonly SchemaVariant[] = program.hasBackendSchema(role) ? ["frontend", "backend"] : ["frontend"];
  const tools: Record<string, { [key in SchemaVariant]?: ToolAccess }> = {};
  for (const variant of variants) {
    for (const { tool, hints } of planned.toolsOf(role, variant).map((each) => each.tool)) {
      const { operation, limits, scopes = [] } = tool;
      const access = { operation: operationKey(operation.collection, operation.name), hints, limits, scopes };
      tools[tool.name] = { ...tools[tool.name], [variant]: access };
    }
  }
  return Object.keys(tools).length === 0 ? {} : { tools };
}

// ---------------------------------------------------------------- other metadata

/** Yields hashes of the metadata that no other part of the access contains. */
function* otherMetadata(catalog: Catalog): Iterable<readonly [string, string]> {
  const document = exportMetadata(catalog);
  for (const section of comparedAsWholes) {
    if (document[section] !== undefined) yield [section, hash(document[section])];
  }
  for (const { name, tables, configuration, customization, query_tags, health_check } of catalog.sources) {
    yield [`sources.${name}`, hash({ configuration, customization, query_tags, health_check })];
    const found = tables.flatMap((table) => table.remote_relationships.map((item) => ({ table: table.table, item })));
    const keyed = found.map((each) => [canonicalJson([each.table, each.item.name]), each]);
    if (found.length > 0) yield [`sources.${name}.remote_relationships`, hash(Object.fromEntries(keyed))];
  }
}

const comparedAsWholes = [
  "remote_schemas",
  "actions",
  "custom_types",
  "metrics_config",
  "network",
  "backend_configs",
  "opentelemetry",
];

// Yields the handlers of actions, with the request data that they receive.

function* handlerAccesses(analysis: Pick<Analysis, "actions">): Iterable<readonly [string, HandlerAccess]> {
  for (const action of analysis.actions.values()) {
    const { asynchronous, handler } = lowerAction(action);
    const {
      url,
      timeoutSeconds = 30,
      headers = [],
      requestTransform,
      responseTransform,
      signingSecrets = [],
    } = handler;
    const { forwardClientHeaders, ignoredClientHeaders = [] } = handler;
    const ignored = ignoredClientHeaders.length === 0 ? "" : ` but ${[...ignoredClientHeaders].sort().join(", ")}`;
    yield [
      action.name,
      {
        kind: asynchronous ? "asynchronous" : "synchronous",
        url,
        timeoutSeconds,
        headers: Object.fromEntries(headers.map(({ name, ...value }) => [name.toLowerCase(), hash(value)])),
        clientHeaders: forwardClientHeaders ? `all${ignored}` : "none",
        requestTransform: hash(requestTransform ?? null),
        responseTransform: hash(responseTransform ?? null),
        signedWith: signingSecrets,
      },
    ];
  }
}
