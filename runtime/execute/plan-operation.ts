/** One operation → its plan and its variables. */
import { OperationTypeNode } from "graphql";
import { type Planned, planQuery } from "../planner/plan.ts";
import { planMutation } from "../planner/plan-mutation.ts";
import { planSubscription } from "../planner/plan-subscription.ts";
import type { Operation } from "../planner/request/document.ts";
import type { PlanOptions } from "../planner/select/context.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import { noTelemetry } from "../ports/telemetry.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import type { Generation } from "./generation.ts";
import { explainRefusal } from "./missing-permission.ts";
import { withNearestName } from "./nearest-field.ts";
import type { OperationOptions } from "./options.ts";
import type { CachedOperation, CachedPlan } from "./plan-cache.ts";
import { readVariables } from "./variables.ts";

/** An operation with its plan and its variables. */
export interface PlannedOperation {
  readonly kind: OperationTypeNode;
  /** The document, as the client sent it. */
  readonly query: string;
  readonly operation: () => Operation;
  readonly schema: RoleSchema;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly plan: CachedPlan;
  /** Those of the request; absent: none. */
  readonly files?: GraphqlRequest["files"];
}

/**
 * The plan of the operation: a saved one, one that the Generation keeps, or a new one.
 * @throws EngineError for an operation that is invalid, or that the session may not send in this way
 */
export function planOperation(
  generation: Generation,
  request: GraphqlRequest,
  session: Session,
  options: OperationOptions,
): PlannedOperation {
  const schema = generation.schemaOf(session, options.api);
  const mayBeSaved = schema.api !== "relay" && !options.arePartsOfChecked;
  const saved = mayBeSaved ? planSaved(generation, request, session, options) : undefined;
  const { planCache } = (options.telemetry ?? noTelemetry).meters;
  if (saved) {
    planCache.add(1, fromSaved);
    const { kind, operation, variables, plan } = saved;
    return withFiles({ kind, query: request.query, operation, schema, variables, plan }, request);
  }
  const cached = options.arePartsOfChecked
    ? generation.plans.operation(schema, request, options)
    : checkedOperation(generation, schema, request, session, options);
  const { operation } = cached;
  const kind = operation.definition.operation;
  checkKind(kind, options);
  const variables = readVariables(operation.declared, request.variables, options);
  const found = generation.plans.plan(cached, variables);
  planCache.add(1, found ? fromCache : planned);
  const plan =
    found ??
    generation.plans.add(cached, variables, makePlan({ generation, schema, operation, variables, session, options }));
  return withFiles({ kind, query: request.query, operation: () => operation, schema, variables, plan }, request);
}

function withFiles(planned: PlannedOperation, { files }: GraphqlRequest): PlannedOperation {
  return files ? { ...planned, files } : planned;
}

/** Where plans come from, for metrics. */
const fromSaved = { status: "saved" };
const fromCache = { status: "hit" };
const planned = { status: "miss" };

/**
 * The parsed operation.
 * @throws EngineError for one that is invalid as a text, or that the role may not send
 */
export function checkedOperation(
  generation: Generation,
  schema: RoleSchema,
  request: GraphqlRequest,
  { role }: Session,
  options: PlanOptions,
): CachedOperation {
  const cached = generation.plans.operation(schema, request, options);
  if (cached.allowedFor !== role) {
    generation.guard.checkOperation(role, cached.operation);
    cached.allowedFor = role;
  }
  return cached;
}

/** What was compiled ahead of requests. */
function planSaved(
  generation: Generation,
  { query, operationName, variables: given }: GraphqlRequest,
  session: Session,
  options: OperationOptions,
): Omit<PlannedOperation, "schema" | "query" | "files"> | undefined {
  const saved = generation.savedOperation(session, query);
  if (!saved || (operationName !== null && operationName !== saved.operationName)) return undefined;
  if (!saved.isAdmitted) {
    generation.guard.checkOperation(session.role, saved.document());
    saved.isAdmitted = true;
  }
  checkKind(savedKinds[saved.kind], options);
  const variables = readVariables(saved.declared, given, options);
  const plan = saved.plan(variables);
  return plan && { kind: savedKinds[saved.kind], operation: saved.document, variables, plan };
}

const savedKinds = {
  query: OperationTypeNode.QUERY,
  mutation: OperationTypeNode.MUTATION,
  subscription: OperationTypeNode.SUBSCRIPTION,
};

function checkKind(kind: OperationTypeNode, { subscriptions, readOnly }: OperationOptions): void {
  if (kind === OperationTypeNode.MUTATION && readOnly) {
    throw new EngineError("not-supported", "$", "Mutations are not allowed when read-only mode is enabled");
  }
  if (kind !== OperationTypeNode.SUBSCRIPTION || subscriptions) return;
  const message = "subscriptions are not supported over HTTP, use websockets instead";
  throw new EngineError("unexpected-payload", "$", message);
}

interface PlanInput {
  readonly generation: Generation;
  readonly schema: RoleSchema;
  readonly operation: Operation;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly session: Session;
  readonly options: OperationOptions;
}

function makePlan({ generation, schema, operation, variables, session, options }: PlanInput): Planned {
  const plan = planners[operation.definition.operation];
  try {
    return plan(operation, schema, variables, options);
  } catch (thrown) {
    // A name that the role may not learn by introspection is not told here either.
    const error = generation.guard.mayIntrospect(session.role) ? withNearestName(thrown) : thrown;
    if (!options.explainRefusals) throw error;
    const admin = () => generation.schemaOf({ role: "admin", backendOnly: false }, options.api);
    throw explainRefusal(error, session.role, () => plan(operation, admin(), variables, options));
  }
}

const planners = {
  [OperationTypeNode.QUERY]: planQuery,
  [OperationTypeNode.MUTATION]: planMutation,
  [OperationTypeNode.SUBSCRIPTION]: planSubscription,
};
