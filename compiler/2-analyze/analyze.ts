/**
 * Phase 2: catalog and introspection results → analysis. Pure. Objects that cannot be served are left out with an
 * inconsistency. Unchanged objects are shared with the previous analysis.
 */
import { invariant } from "../../runtime/values/errors.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { InheritedRole, RestEndpoint } from "../catalog/outside-sources.ts";
import { fail, ok, type Result } from "../diagnostics/diagnostic.ts";
import type { RemoteIntrospection } from "../shape/remote-shape.ts";
import type {
  Analysis,
  AnalysisOptions,
  AnalyzedRemoteSchema,
  AnalyzedSource,
  SourceIntrospection,
} from "./analysis.ts";
import { analyzeSource } from "./analyze-source.ts";
import { type Collision, entriesOf, isOlder, leftOut, without } from "./collisions.ts";
import { DependencyIndex } from "./dependency-index.ts";
import { type Inconsistency, withCauses } from "./inconsistency.ts";
import { inheritanceConflicts } from "./inherited-permissions.ts";
import { referenceConflicts } from "./inherited-references.ts";
import { sourceObject } from "./metadata-objects.ts";
import { type Dependency, type ObjectId, objectKey } from "./object-id.ts";
import { LazyOtherSources } from "./other-sources.ts";
import { Findings } from "./rejection.ts";
import { analyzeRemoteRelationships, type RemoteRelationships } from "./remote-relationships.ts";
import { resolveReferences } from "./resolve-references.ts";
import { consistentRoles, permittedRoles } from "./roles.ts";
import { analyzeActions } from "./rules/actions.ts";
import { analyzeAgentTools } from "./rules/agent-tools.ts";
import { checkCollectionQueries } from "./rules/collection-queries.ts";
import { analyzeCronTriggers } from "./rules/cron-triggers.ts";
import { type ActionTypes, analyzeCustomTypes, customTypesOf } from "./rules/custom-types.ts";
import { leftOutGroups } from "./rules/group-fields.ts";
import { inheritedTypeClashes } from "./rules/inherited-remote-types.ts";
import { analyzeInheritedRoles } from "./rules/inherited-roles.ts";
import { checkOpenTelemetry } from "./rules/open-telemetry.ts";
import type { RemoteTargets } from "./rules/remote-relationships.ts";
import { analyzeRemoteSchemas } from "./rules/remote-schemas.ts";
import { analyzeRestEndpoints } from "./rules/rest-endpoints.ts";
import { rootFieldCollision } from "./rules/root-fields.ts";
import { typeCollision } from "./rules/type-collisions.ts";
import { savedOperations } from "./saved-operations.ts";
import { shareMap } from "./share.ts";

export interface AnalysisInput {
  readonly catalog: Catalog;
  /** Introspection results of the sources with a dialect, including the rows of enum tables. */
  readonly introspections: ReadonlyMap<string, SourceIntrospection>;
  /** Introspection results of remote schemas. A remote schema without a result is assumed valid. */
  readonly remoteIntrospections?: ReadonlyMap<string, RemoteIntrospection>;
  readonly options: AnalysisOptions;
  /** The previous result of `analyze`, without inconsistencies added later for saved operations. */
  readonly previous?: Analysis | undefined;
}

/**
 * Analyses the catalog. Saved operations are not validated here, because the GraphQL schema does not exist yet: see
 * `5-plan/`.
 * Errors: `unexpected` for two root fields or types with one name if the change of the metadata causes it,
 * `cyclic-dependency` for roles that inherit from themselves.
 */
export function analyze(input: AnalysisInput): Result<Analysis> {
  const entries: Inconsistency[] = [];
  let served = input.catalog;
  for (;;) {
    const result = analyzeServed(input, served, entries);
    if (result.kind === "failed") return result.failure;
    if (result.kind === "analyzed") return ok(result.analysis);
    const { collision } = result;
    if (!isOlder(collision, input.previous)) return fail("unexpected", "$.args", collision.message, { status: 500 });
    for (const owner of leftOut(collision)) served = without(served, owner);
    entries.push(...entriesOf(collision));
  }
}

type Served =
  | { readonly kind: "analyzed"; readonly analysis: Analysis }
  | { readonly kind: "colliding"; readonly collision: Collision }
  | { readonly kind: "failed"; readonly failure: Extract<Result<never>, { readonly ok: false }> };

/**
 * Analyses the catalog without the objects that were left out because of name collisions.
 * @param served the catalog without these objects
 * @param leftOutEntries inconsistencies of these objects
 */
function analyzeServed(input: AnalysisInput, served: Catalog, leftOutEntries: readonly Inconsistency[]): Served {
  const { introspections, remoteIntrospections = new Map(), options, previous } = input;
  const catalog = served;
  const earlier = previous !== undefined && sameOptions(previous.options, options) ? previous : undefined;
  const findings = new Findings();
  for (const entry of leftOutEntries) findings.add(entry);
  const sources = analyzeSources(catalog, introspections, options, earlier, findings);
  const { environment } = options;
  const remoteSchemas = analyzeRemoteSchemas(
    { catalog, introspections: remoteIntrospections, options, sources, previous: earlier },
    findings,
  );
  const remote = analyzeRemoteRelationships({ sources, remoteSchemas }, earlier?.remoteRelationships, findings);
  const types = actionTypes(catalog, { sources, remoteSchemas }, findings);
  const actions = shareMap(earlier?.actions, analyzeActions(catalog.actions, types, environment, findings));
  const collision = rootFieldCollision(sources, actions, options, earlier) ?? typeCollision(sources, options, earlier);
  if (collision !== undefined) return { kind: "colliding", collision };
  const permitted = permittedRoles({ sources, actions, remoteSchemas });
  const inherited = analyzeInheritedRoles(catalog, permitted, findings);
  if (!inherited.ok) return { kind: "failed", failure: inherited };
  const inheritedRoles = shareMap(earlier?.inheritedRoles, inherited.value);
  const inheritedClashes = shareMap(
    earlier?.inheritedClashes,
    inheritedTypeClashes(catalog, { remoteSchemas, inheritedRoles }),
  );
  const resolved = resolveReferences(sources, inheritedRoles, earlier?.sources, findings);
  const roles = { sources: resolved, remoteSchemas, inheritedRoles, inheritedClashes };
  for (const entry of inheritanceConflicts(roles)) findings.add(entry);
  for (const entry of referenceConflicts(roles)) findings.add(entry);
  const endpoints = restEndpoints(catalog, earlier, findings);
  collectionQueries(catalog, earlier, findings);
  const saved =
    earlier?.catalog.query_collections === catalog.query_collections
      ? earlier.savedOperations
      : shareMap(earlier?.savedOperations, savedOperations(catalog.query_collections));
  const agentTools = analyzeAgentTools(catalog, saved, findings);
  const { cron_triggers, query_collections: collections } = catalog;
  const cronScope = { environment, collections, savedOperations: saved };
  const cronTriggers = analyzeCronTriggers(cron_triggers, cronScope, findings);
  checkOpenTelemetry(catalog.opentelemetry, environment, findings);
  let dependencies: Analysis["dependencies"] | undefined;
  const analysis: Analysis = {
    catalog: input.catalog,
    options,
    sources: resolved,
    ...(resolved !== sources && { unresolvedSources: sources }),
    remoteSchemas,
    remoteIntrospections,
    remoteRelationships: remote.relationships,
    customTypes: customTypesOf(types),
    actions,
    roles: consistentRoles(
      resolved === sources ? permitted : permittedRoles({ sources: resolved, actions, remoteSchemas }),
      inheritedRoles,
    ),
    inheritedRoles,
    inheritedClashes,
    restEndpoints: endpoints,
    leftOutGroups: leftOutGroups({ sources, actions, remoteSchemas }, earlier),
    agentTools: shareMap(earlier?.agentTools, agentTools),
    savedOperations: saved,
    cronTriggers: shareMap(earlier?.cronTriggers, cronTriggers),
    /** Computed on first use: most changes do not need dependencies. */
    get dependencies() {
      dependencies ??= allDependencies({ ...roles, remote });
      return dependencies;
    },
    inconsistencies: Object.freeze(withCauses(findings.entries)),
  };
  return { kind: "analyzed", analysis: Object.freeze(analysis) };
}

/**
 * Returns the types available to actions; `undefined` if they are inconsistent. Metadata without actions and custom
 * types, the usual case, skips the collection of database scalars.
 */
function actionTypes(
  { actions, custom_types }: Catalog,
  targets: RemoteTargets,
  findings: Findings,
): ActionTypes | undefined {
  const isEmpty = actions.length === 0 && Object.values(custom_types).every(({ length }) => length === 0);
  return isEmpty ? undefined : analyzeCustomTypes(custom_types, targets, findings);
}

function sameOptions(left: AnalysisOptions, right: AnalysisOptions): boolean {
  return (Object.keys(right) as (keyof AnalysisOptions)[]).every((key) => left[key] === right[key]);
}

function analyzeSources(
  catalog: Catalog,
  introspections: AnalysisInput["introspections"],
  options: AnalysisOptions,
  previous: Analysis | undefined,
  findings: Findings,
): ReadonlyMap<string, AnalyzedSource> {
  const analyzed: AnalyzedSource[] = [];
  const known = previous?.unresolvedSources ?? previous?.sources;
  const others = new LazyOtherSources({ catalog, introspections, options, previous });
  for (const source of findings.withoutDuplicates(catalog.sources, ({ name }) => name, sourceObject)) {
    const introspection = introspections.get(source.name);
    invariant(introspection !== undefined, `source ${source.name} was not introspected`);
    const result = analyzeSource(
      { source, introspection, options, previous: known?.get(source.name), others },
      findings,
    );
    if (result !== undefined) analyzed.push(result);
  }
  analyzed.sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(analyzed.map((source) => [source.name, source]));
}

/**
 * Returns the consistent REST endpoints. They depend only on their queries, so they are analysed again only if either
 * changed.
 */
function restEndpoints(
  catalog: Catalog,
  previous: Analysis | undefined,
  findings: Findings,
): ReadonlyMap<string, RestEndpoint> {
  const isSame =
    previous?.catalog.rest_endpoints === catalog.rest_endpoints &&
    previous.catalog.query_collections === catalog.query_collections;
  if (!isSame) return analyzeRestEndpoints(catalog, findings);
  for (const entry of previous.inconsistencies) if (entry.id.kind === "rest_endpoint") findings.add(entry);
  return previous.restEndpoints;
}

/** Checks the queries of collections, unless collections, REST endpoints, tools and allow-list are unchanged. */
function collectionQueries(catalog: Catalog, previous: Analysis | undefined, findings: Findings): void {
  const isSame =
    previous?.catalog.query_collections === catalog.query_collections &&
    previous.catalog.rest_endpoints === catalog.rest_endpoints &&
    previous.catalog.agent_tools === catalog.agent_tools &&
    previous.catalog.allowlist === catalog.allowlist;
  if (isSame) {
    for (const entry of previous.inconsistencies) if (entry.id.kind === "collection_query") findings.add(entry);
  } else checkCollectionQueries(catalog, findings);
}

// Collects the dependencies of all analysed objects.

interface Analyzed {
  readonly sources: ReadonlyMap<string, AnalyzedSource>;
  readonly remote: RemoteRelationships;
  readonly remoteSchemas: ReadonlyMap<string, AnalyzedRemoteSchema>;
  readonly inheritedRoles: ReadonlyMap<string, InheritedRole>;
}

function allDependencies({ sources, remote, remoteSchemas, inheritedRoles }: Analyzed): DependencyIndex {
  /** Dependencies of objects that no table owns. */
  const dependencies = new Map<string, readonly Dependency[]>();
  const add = (object: ObjectId, on: readonly ObjectId[]) =>
    dependencies.set(
      objectKey(object),
      on.map((each) => ({ object, on: each })),
    );
  for (const { name: source, tables, functions, nativeDependencies } of sources.values()) {
    for (const { function: tracked, target } of functions.values()) {
      const table = tables.get(target)?.table.table;
      const id: ObjectId = { kind: "function", source, function: tracked.function };
      if (table !== undefined) add(id, [{ kind: "table", source, table }]);
    }
    for (const [key, own] of nativeDependencies) dependencies.set(key, own);
  }
  for (const [key, own] of remote.dependencies) dependencies.set(key, own);
  for (const { schema } of remoteSchemas.values()) {
    const { name, permissions } = schema;
    for (const { role } of permissions) {
      add({ kind: "remote_schema_permission", name, role }, [{ kind: "remote_schema", name }]);
    }
  }
  for (const { role_name, role_set } of inheritedRoles.values()) {
    add(
      { kind: "inherited_role", role: role_name },
      role_set.map((role) => ({ kind: "inherited_role", role })),
    );
  }
  const groups = [...sources.values()].flatMap(({ tables }) => tables.groups);
  return new DependencyIndex(groups, dependencies);
}
