/** Relationships of objects that do not come from a database: types of remote schemas and output types of actions. */
import { type ActionParts, outputJoinsInputs, outputRowsInputs } from "../3-lower/action-inputs.ts";
import {
  type RemoteRelationshipInputs,
  remoteAccess,
  remoteRelationshipsOfSchema,
} from "../3-lower/remote-relationship-inputs.ts";
import type { ByName, RelationshipAccess } from "./model.ts";
import { accessKey, remoteTarget } from "./table-access.ts";

/** Returns the relationships by type, without types that have none. */
export function externalRelationships(
  analysis: ActionParts,
  role: string,
): ReadonlyMap<string, ByName<RelationshipAccess>> {
  const found = new Map<string, ByName<RelationshipAccess>>();
  for (const remote of analysis.remoteSchemas.values()) {
    if (remoteAccess(remote, role, analysis) === undefined) continue;
    for (const { type, relationships } of remoteRelationshipsOfSchema(analysis, remote, role)) {
      found.set(`type ${type} of remote schema ${remote.schema.name}`, joinsOf(relationships));
    }
  }
  for (const { type, source, relationships } of outputRowsInputs(analysis, role)) {
    const own = relationships.map(({ name, kind, target, mapping }) => {
      const on = mapping.map(({ field, column }) => `${field} = ${column}`);
      return [name, { target: accessKey(source, target), kind, on }] as const;
    });
    found.set(outputType(type), Object.fromEntries(own));
  }
  for (const { type, relationships } of outputJoinsInputs(analysis, role)) {
    found.set(outputType(type), { ...found.get(outputType(type)), ...joinsOf(relationships) });
  }
  return found;
}

const outputType = (type: string): string => `output type ${type}`;

const joinsOf = (relationships: readonly RemoteRelationshipInputs[]): ByName<RelationshipAccess> =>
  Object.fromEntries(relationships.map(({ name, to }) => [name, remoteTarget(to)] as const));
