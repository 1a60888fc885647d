/**
 * Registry of all operations: joins the rows of `operations/`, resolves posted names to rows, and defines the type of
 * the calls that handlers in `runtime/control` run.
 */

import type { SourceKind } from "../catalog/model.ts";
import { defaultSourceKind, sourceKinds } from "../catalog/schema/names.ts";
import type { Endpoint, Version } from "./endpoint.ts";
import type { Call, IoCall, Operation } from "./operation.ts";
import { accessOperations } from "./operations/access.ts";
import { actionLogOperations } from "./operations/action-log.ts";
import { actionOperations } from "./operations/actions.ts";
import { activityOperations } from "./operations/activity.ts";
import { adviceOperations } from "./operations/advice.ts";
import { agentToolOperations } from "./operations/agent-tools.ts";
import { allowListOperations } from "./operations/allow-list.ts";
import { auditLogOperations } from "./operations/audit-log.ts";
import { computedFieldOperations } from "./operations/computed-fields.ts";
import { cronTriggerOperations } from "./operations/cron-triggers.ts";
import { deadLetterOperations } from "./operations/dead-letters.ts";
import { dataOperations } from "./operations/dml.ts";
import { eventLogOperations } from "./operations/event-logs.ts";
import { eventTriggerOperations } from "./operations/event-triggers.ts";
import { functionPermissionOperations } from "./operations/function-permissions.ts";
import { functionOperations } from "./operations/functions.ts";
import { generatedCodeOperations } from "./operations/generated-code.ts";
import { inheritedRoleOperations } from "./operations/inherited-roles.ts";
import { internalStateOperations } from "./operations/internal-state.ts";
import { logicalModelOperations } from "./operations/logical-models.ts";
import { metadataHistoryOperations } from "./operations/metadata-history.ts";
import { nativeQueryOperations } from "./operations/native-queries.ts";
import { permissionOperations } from "./operations/permissions.ts";
import { queryCollectionOperations } from "./operations/query-collections.ts";
import { relationshipOperations } from "./operations/relationships.ts";
import { remoteRelationshipOperations } from "./operations/remote-relationships.ts";
import { remoteSchemaOperations } from "./operations/remote-schemas.ts";
import { restEndpointOperations } from "./operations/rest-endpoints.ts";
import { runSqlOperations } from "./operations/run-sql.ts";
import { scheduledEventOperations } from "./operations/scheduled-events.ts";
import { settingOperations } from "./operations/settings.ts";
import { sourceKindOperations } from "./operations/source-kinds.ts";
import { sourceTableOperations } from "./operations/source-tables.ts";
import { sourceOperations } from "./operations/sources.ts";
import { storedProcedureOperations } from "./operations/stored-procedures.ts";
import { suggestRelationshipsOperations } from "./operations/suggest-relationships.ts";
import { tableOperations } from "./operations/tables.ts";
import { testWebhookTransformOperations } from "./operations/test-webhook-transform.ts";
import { tlsAllowlistOperations } from "./operations/tls-allowlist.ts";
import { trackTablesOperations } from "./operations/track-tables.ts";
import { trackingOperations } from "./operations/tracking.ts";
import { wholeCatalogOperations } from "./operations/whole-catalog.ts";

const rows = [
  ...wholeCatalogOperations,
  ...metadataHistoryOperations,
  ...sourceOperations,
  ...sourceKindOperations,
  ...sourceTableOperations,
  ...trackingOperations,
  ...trackTablesOperations,
  ...tableOperations,
  ...relationshipOperations,
  ...suggestRelationshipsOperations,
  ...remoteRelationshipOperations,
  ...permissionOperations,
  ...functionOperations,
  ...functionPermissionOperations,
  ...computedFieldOperations,
  ...nativeQueryOperations,
  ...storedProcedureOperations,
  ...logicalModelOperations,
  ...eventTriggerOperations,
  ...eventLogOperations,
  ...cronTriggerOperations,
  ...scheduledEventOperations,
  ...remoteSchemaOperations,
  ...actionOperations,
  ...actionLogOperations,
  ...auditLogOperations,
  ...deadLetterOperations,
  ...queryCollectionOperations,
  ...allowListOperations,
  ...restEndpointOperations,
  ...agentToolOperations,
  ...inheritedRoleOperations,
  ...settingOperations,
  ...tlsAllowlistOperations,
  ...internalStateOperations,
  ...generatedCodeOperations,
  ...accessOperations,
  ...adviceOperations,
  ...activityOperations,
  ...runSqlOperations,
  ...testWebhookTransformOperations,
  ...dataOperations,
];

export const operations: readonly Operation<Call>[] = rows;

type CallOf<O> = O extends Operation<infer C> ? C : never;

/** The calls of all operations that handlers run, distinguished by `operation`. */
export type IoOperationCall = Extract<CallOf<(typeof rows)[number]>, IoCall>;

/** A row and one of its names. */
export interface NamedOperation {
  readonly operation: Operation<Call>;
  /** Source kind in the name. */
  readonly kind: SourceKind;
}

const versions: readonly Version[] = [1, 2];
const byName = new Map<string, NamedOperation>();
for (const row of operations) {
  const { metadata, metadataVersions = versions, query = [], sql } = row.endpoints;
  const plain = { operation: row, kind: defaultSourceKind };
  for (const version of metadata === undefined ? [] : metadataVersions) {
    const names = metadata === "plain" ? new Map([[row.name, plain]]) : prefixedNames(row);
    for (const [name, named] of names) add("/v1/metadata", version, name, named);
  }
  for (const version of query) add("/v1/query", version, row.name, plain);
  for (const version of sql === undefined ? [] : versions) {
    for (const [name, named] of prefixedNames(row)) add("/v2/query", version, name, named);
    add("/v2/query", version, row.name, plain);
  }
}

function add(endpoint: Endpoint, version: Version, name: string, named: NamedOperation): void {
  const key = keyOf(endpoint, version, name);
  if (byName.has(key)) throw new Error(`invariant: two operations are posted as ${key}`);
  byName.set(key, named);
}

function prefixedNames(row: Operation<Call>): Map<string, NamedOperation> {
  const names = new Map<string, NamedOperation>();
  for (const [kind, { aliases }] of Object.entries(sourceKinds) as [SourceKind, { aliases: readonly string[] }][]) {
    if (row.kinds !== undefined && !row.kinds.includes(kind)) continue;
    for (const prefix of [kind, ...aliases]) names.set(`${prefix}_${row.name}`, { operation: row, kind });
  }
  return names;
}

function keyOf(endpoint: Endpoint, version: Version, name: string): string {
  return `${endpoint} ${version} ${name}`;
}

/** Returns the row for a name at an endpoint, or `undefined`. */
export function findOperation(endpoint: Endpoint, version: Version, name: string): NamedOperation | undefined {
  return byName.get(keyOf(endpoint, version, name));
}

/** Returns the operation names of an endpoint, sorted. */
export function operationNames(endpoint: Endpoint, version: Version): readonly string[] {
  const prefix = keyOf(endpoint, version, "");
  return [...byName.keys()]
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .sort();
}
