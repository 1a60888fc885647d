/** Builds small catalogs and analyses for tests of single operations and rules. */

import type { Analysis, AnalyzedSource } from "../../../compiler/2-analyze/analysis.ts";
import { DependencyIndex } from "../../../compiler/2-analyze/dependency-index.ts";
import type { Inconsistency } from "../../../compiler/2-analyze/inconsistency.ts";
import { type Dependency, type ObjectId, objectKey } from "../../../compiler/2-analyze/object-id.ts";
import { TableMap } from "../../../compiler/2-analyze/table-map.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import { parseMetadata } from "../../../compiler/catalog/schema.ts";
import { decodeRequest } from "../../../compiler/metadata/dispatch.ts";
import type { Endpoint } from "../../../compiler/metadata/endpoint.ts";
import type { Change, ChangeCall, State } from "../../../compiler/metadata/operation.ts";
import { emptyShape } from "../../../compiler/shape/shape.ts";

/** Parses a metadata document, in which `version` and configurations of sources may be left out. */
export function catalogOf({
  sources = [],
  ...others
}: {
  sources?: readonly object[];
  [key: string]: unknown;
}): Catalog {
  const configuration = { connection_info: { database_url: { from_env: "URL" } } };
  const document = {
    version: 3,
    sources: sources.map((source) => ({ name: "default", configuration, tables: [], ...source })),
    ...others,
  };
  const parsed = parseMetadata(document);
  if (!parsed.ok) throw new Error(`${parsed.error.path}: ${parsed.error.message}`);
  return parsed.value;
}

export interface SampleAnalysis {
  readonly inconsistencies?: readonly Inconsistency[];
  readonly dependencies?: readonly Dependency[];
  /** Unreachable sources. */
  readonly unreachable?: readonly string[];
}

/** Returns an analysis with empty databases. */
export function analysisOf(catalog: Catalog, given: SampleAnalysis = {}): Analysis {
  const { inconsistencies = [], dependencies = [], unreachable = [] } = given;
  const byObject = new Map<string, readonly Dependency[]>();
  for (const dependency of dependencies) {
    const key = objectKey(dependency.object);
    byObject.set(key, [...(byObject.get(key) ?? []), dependency]);
  }
  const reached = catalog.sources.filter(({ name }) => !unreachable.includes(name));
  return {
    catalog,
    options: {
      environment: {},
      experimentalFeatures: new Set(),
      defaultNamingConvention: "engine-default",
      inferFunctionPermissions: true,
      remoteSchemaPermissions: true,
    },
    sources: new Map(
      reached.map((source): [string, AnalyzedSource] => [
        source.name,
        {
          name: source.name,
          source,
          introspection: { shape: emptyShape(source.kind) },
          shape: emptyShape(source.kind),
          namingConvention: "engine-default",
          tables: TableMap.of([]),
          functions: new Map(),
          logicalModels: new Map(),
          nativeQueries: new Map(),
          storedProcedures: new Map(),
          nativeDependencies: new Map(),
          tableInconsistencies: [],
          otherInconsistencies: [],
        },
      ]),
    ),
    inconsistencies,
    roles: [],
    inheritedClashes: new Map(),
    inheritedRoles: new Map(),
    restEndpoints: new Map(),
    agentTools: new Map(),
    leftOutGroups: new Set(),
    savedOperations: new Map(),
    remoteSchemas: new Map(),
    remoteIntrospections: new Map(),
    remoteRelationships: new Map(),
    customTypes: catalog.custom_types,
    actions: new Map(),
    cronTriggers: new Map(),
    dependencies: new DependencyIndex([], byObject),
  };
}

export function stateOf(catalog: Catalog, given: SampleAnalysis = {}): State {
  return { catalog, analysis: analysisOf(catalog, given), context: { resourceVersion: 1 } };
}

export function inconsistencyOf(id: ObjectId, reason = "Inconsistent object: x"): Inconsistency {
  return { id, type: id.kind, name: `${id.kind} n`, reason, definition: null };
}

/** Decodes a request for a change. */
function changeCall(type: string, args: unknown, endpoint: Endpoint = "/v1/metadata"): ChangeCall {
  const decoded = decodeRequest(endpoint, { type, args });
  if (!decoded.ok) throw new Error(`${decoded.error.path}: ${decoded.error.message}`);
  const { call } = decoded.value;
  if (call.effect !== "change") throw new Error(`${type} is not a change`);
  return call;
}

/** Applies the change of a request to a state. Fails the test if it is refused. */
export function applied(state: State, type: string, args: unknown): Change {
  const change = changeCall(type, args).apply(state);
  if (!change.ok) throw new Error(`${change.error.path}: ${change.error.message}`);
  return change.value;
}
