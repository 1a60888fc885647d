/**
 * Phase 2: Catalog and introspections → Analysis. Pure. What cannot be served is left out with an entry. With the
 * previous Analysis, whatever did not change is the same object as there.
 */
import { invariant } from "../../runtime/values/errors.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { RestEndpoint } from "../catalog/outside-sources.ts";
import { fail, ok, type Result } from "../diagnostics/diagnostic.ts";
import type { RemoteIntrospection } from "../shape/remote-shape.ts";
import { allDependencies } from "./all-dependencies.ts";
import type { Analysis, AnalysisOptions, AnalyzedSource, SourceIntrospection } from "./analysis.ts";
import { analyzeSource } from "./analyze-source.ts";
import { type Collision, entriesOf, isOlder, leftOut, without } from "./collisions.ts";
import { type Inconsistency, withCauses } from "./inconsistency.ts";
import { inheritanceConflicts } from "./inherited-permissions.ts";
import { sourceObject } from "./metadata-objects.ts";
import { LookedAtSources } from "./other-sources.ts";
import { Findings } from "./rejection.ts";
import { analyzeRemoteRelationships } from "./remote-relationships.ts";
import { consistentRoles, permittedRoles } from "./roles.ts";
import { analyzeActions } from "./rules/actions.ts";
import { checkCollectionQueries } from "./rules/collection-queries.ts";
import { analyzeCronTriggers } from "./rules/cron-triggers.ts";
import { type ActionTypes, analyzeCustomTypes, customTypesOf } from "./rules/custom-types.ts";
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
  /** What introspection gave of each source that has a dialect; with the rows of the tables that are enums. */
  readonly introspections: ReadonlyMap<string, SourceIntrospection>;
  /** What the servers of remote schemas said; one that was not asked is believed. */
  readonly remoteIntrospections?: ReadonlyMap<string, RemoteIntrospection>;
  readonly options: AnalysisOptions;
  /** As it was analysed, without what was found in its saved operations afterwards. */
  readonly previous?: Analysis | undefined;
}

/**
 * Whether saved operations fit the schema is not looked at: there is none yet (`5-plan/`).
 * Errors: `unexpected` for two root fields or types of one name that the change of the metadata brings about,
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
 * @param served the catalog without the objects whose names collide with others
 * @param leftOutEntries those of these objects
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
  const roles = { sources, remoteSchemas, inheritedRoles, inheritedClashes };
  for (const entry of inheritanceConflicts(roles)) findings.add(entry);
  const endpoints = restEndpoints(catalog, earlier, findings);
  collectionQueries(catalog, earlier, findings);
  const saved =
    earlier?.catalog.query_collections === catalog.query_collections
      ? earlier.savedOperations
      : shareMap(earlier?.savedOperations, savedOperations(catalog.query_collections));
  const { cron_triggers, query_collections: collections } = catalog;
  const cronScope = { environment, collections, savedOperations: saved };
  const cronTriggers = analyzeCronTriggers(cron_triggers, cronScope, findings);
  checkOpenTelemetry(catalog.opentelemetry, environment, findings);
  let dependencies: Analysis["dependencies"] | undefined;
  const analysis: Analysis = {
    catalog: input.catalog,
    options,
    sources,
    remoteSchemas,
    remoteIntrospections,
    remoteRelationships: remote.relationships,
    customTypes: customTypesOf(types),
    actions,
    roles: consistentRoles(permitted, inheritedRoles),
    inheritedRoles,
    inheritedClashes,
    restEndpoints: endpoints,
    savedOperations: saved,
    cronTriggers: shareMap(earlier?.cronTriggers, cronTriggers),
    /** Made when first asked for: most changes look at nothing that depends on something. */
    get dependencies() {
      dependencies ??= allDependencies({ ...roles, remote });
      return dependencies;
    },
    inconsistencies: Object.freeze(withCauses(findings.entries)),
  };
  return { kind: "analyzed", analysis: Object.freeze(analysis) };
}

/** Most metadata has neither actions nor types for them; then the scalars of the databases are not asked for. */
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
  const others = new LookedAtSources({ catalog, introspections, options, previous });
  for (const source of findings.withoutDuplicates(catalog.sources, ({ name }) => name, sourceObject)) {
    const introspection = introspections.get(source.name);
    invariant(introspection !== undefined, `source ${source.name} was not introspected`);
    const result = analyzeSource(
      { source, introspection, options, previous: previous?.sources.get(source.name), others },
      findings,
    );
    if (result !== undefined) analyzed.push(result);
  }
  analyzed.sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(analyzed.map((source) => [source.name, source]));
}

/** Endpoints depend on their queries only; they are looked at again when either changed. */
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

/** Queries are parsed again when one of them changed, or what else an entry speaks of. */
function collectionQueries(catalog: Catalog, previous: Analysis | undefined, findings: Findings): void {
  const isSame =
    previous?.catalog.query_collections === catalog.query_collections &&
    previous.catalog.rest_endpoints === catalog.rest_endpoints &&
    previous.catalog.allowlist === catalog.allowlist;
  if (isSame) {
    for (const entry of previous.inconsistencies) if (entry.id.kind === "collection_query") findings.add(entry);
  } else checkCollectionQueries(catalog, findings);
}
