/**
 * Resolves remote relationships of tables and of types of remote schemas after all sources are analysed. Returns the
 * consistent relationships with their dependencies, and records inconsistencies for all others.
 */
import type { JsonObject } from "../catalog/model.ts";
import type { AnalyzedRemoteRelationship, AnalyzedRemoteSchema } from "./analysis.ts";
import type { AnalyzedTable } from "./analyzed-table.ts";
import type { MetadataObject } from "./inconsistency.ts";
import { remoteRelationshipObject, remoteSchemaRelationshipObject } from "./metadata-objects.ts";
import { type Dependency, type ObjectId, objectKey } from "./object-id.ts";
import type { Findings } from "./rejection.ts";
import {
  joinFieldsOf,
  type LeftSide,
  type RemoteTargets,
  remoteLeftSide,
  resolveRemoteRelationship,
} from "./rules/remote-relationships.ts";
import { shareMap } from "./share.ts";
import { ofGroup } from "./table-map.ts";

export interface RemoteRelationships {
  readonly relationships: ReadonlyMap<string, AnalyzedRemoteRelationship>;
  readonly dependencies: ReadonlyMap<string, readonly Dependency[]>;
}

/** Returns both maps by `objectKey`, reusing unchanged relationships of `previous`. */
export function analyzeRemoteRelationships(
  targets: RemoteTargets,
  previous: ReadonlyMap<string, AnalyzedRemoteRelationship> | undefined,
  findings: Findings,
): RemoteRelationships {
  const relationships = new Map<string, AnalyzedRemoteRelationship>();
  const dependencies = new Map<string, readonly Dependency[]>();
  for (const { object, place, left, owner, definition } of candidates(targets)) {
    const { id } = object;
    const resolved = findings.attempt(
      () => object,
      place,
      () => resolveRemoteRelationship(targets, left(), id, definition),
    );
    if (resolved === undefined) continue;
    const key = objectKey(id);
    relationships.set(key, resolved.relationship);
    dependencies.set(
      key,
      [owner, ...resolved.dependsOn].map((on) => ({ object: id, on })),
    );
  }
  return { relationships: shareMap(previous, relationships), dependencies };
}

interface Candidate {
  readonly object: MetadataObject;
  /** Prefix of the reason. */
  readonly place: string;
  /** @throws Rejection */
  readonly left: () => LeftSide;
  /** Object that the relationship depends on. */
  readonly owner: ObjectId;
  readonly definition: JsonObject;
}

function* candidates(targets: RemoteTargets): Generator<Candidate> {
  const { sources, remoteSchemas } = targets;
  for (const { tables } of sources.values()) {
    for (const group of tables.groups) for (const table of owners(group)) yield* ofTable(table, targets);
  }
  for (const schema of remoteSchemas.values()) yield* ofRemoteSchema(schema);
}

/** Tables with remote relationships; most groups have none. */
const owners = ofGroup((group) => group.filter(({ remoteRelationships }) => remoteRelationships.size > 0));

function* ofTable(table: AnalyzedTable, targets: RemoteTargets): Generator<Candidate> {
  const { source, displayName } = table;
  const address = { source, table: table.table.table, displayName };
  const fields = joinFieldsOf(table, targets);
  const left = () => fields;
  const owner: ObjectId = { kind: "table", source, table: table.table.table };
  for (const remote of table.remoteRelationships.values()) {
    const place = `in table "${displayName}": in remote relationship "${remote.name}": `;
    const object = remoteRelationshipObject(address, remote);
    yield { object, place, left, owner, definition: remote.definition };
  }
}

function* ofRemoteSchema({ schema, shape }: AnalyzedRemoteSchema): Generator<Candidate> {
  const { name, remote_relationships } = schema;
  const owner: ObjectId = { kind: "remote_schema", name };
  for (const { type_name, relationships } of remote_relationships) {
    for (const remote of relationships) {
      const place = `in remote schema "${name}": in type "${type_name}": in remote relationship "${remote.name}": `;
      const object = remoteSchemaRelationshipObject(name, type_name, remote);
      yield { object, place, left: () => remoteLeftSide(name, type_name, shape), owner, definition: remote.definition };
    }
  }
}
