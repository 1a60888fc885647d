/** One operation → its plan and its variables. */
import { OperationTypeNode } from "graphql";
import { type Planned, type PlanPart, planQuery } from "../model/planner/plan.ts";
import { planMutation } from "../model/planner/plan-mutation.ts";
import { planSubscription } from "../model/planner/plan-subscription.ts";
import { budgetOf } from "../model/planner/request/budget.ts";
import { type Operation, readOperation } from "../model/planner/request/document.ts";
import { OpenLiterals, withLiterals } from "../model/planner/request/open-literals.ts";
import type { PlanOptions } from "../model/planner/select/context.ts";
import type { RoleSchema } from "../model/schema/role-schema.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import { noTelemetry } from "../ports/telemetry.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import type { Generation } from "./generation.ts";
import { explainRefusal } from "./missing-permission.ts";
import { withNearestName } from "./nearest-field.ts";
import type { OperationOptions } from "./options.ts";
import type { CachedOperation, CachedPlan, FoundOperation } from "./plan-cache.ts";
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
  const found = findOperation(generation, schema, request, session, options);
  const { operation } = found.cached;
  const kind = operation.definition.operation;
  checkKind(kind, options);
  const given = readVariables(operation.declared, request.variables, options);
  const variables = found.literals ? withLiterals(given, found.literals) : given;
  const known = generation.plans.plan(found, variables);
  planCache.add(1, known ? fromCache : planned);
  if (known) {
    return withFiles(
      { kind, query: request.query, operation: () => operation, schema, variables, plan: known },
      request,
    );
  }
  const made = addPlan({ generation, schema, request, variables: given, session, options }, found);
  return withFiles({ kind, query: request.query, schema, ...made }, request);
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
  session: Session,
  options: PlanOptions,
): CachedOperation {
  return checked(generation, generation.plans.operation(schema, request, options), session);
}

function checked({ guard }: Generation, cached: CachedOperation, { role }: Session): CachedOperation {
  if (cached.allowedFor !== role) {
    guard.checkOperation(role, cached.operation);
    cached.allowedFor = role;
  }
  return cached;
}

/** The same, as one of all texts that differ in literals, unless the literals decide whether it may be sent. */
function findOperation(
  generation: Generation,
  schema: RoleSchema,
  request: GraphqlRequest,
  session: Session,
  options: OperationOptions,
): FoundOperation {
  const { plans, guard } = generation;
  if (options.arePartsOfChecked) return { cached: plans.operation(schema, request, options) };
  if (guard.comparesDocuments(session.role)) {
    return { cached: checkedOperation(generation, schema, request, session, options) };
  }
  const found = plans.find(schema, request, options);
  checked(generation, found.cached, session);
  return found;
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

interface RequestToPlan {
  readonly generation: Generation;
  readonly schema: RoleSchema;
  readonly request: GraphqlRequest;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly session: Session;
  readonly options: OperationOptions;
}

type NewPlan = Pick<PlannedOperation, "operation" | "variables" | "plan">;

/** A plan for the request, kept for others. */
function addPlan(input: RequestToPlan, found: FoundOperation): NewPlan {
  const { generation, schema, request, variables, session, options } = input;
  const { cached, literals, isNew } = found;
  const { plans } = generation;
  if (!literals) {
    const { operation } = cached;
    return {
      operation: () => operation,
      variables,
      plan: plans.add(found, variables, makePlan({ ...input, operation })),
    };
  }
  const parsed = isNew ? cached.operation : readOperation(request.query, request.operationName, budgetOf(schema.role));
  const open = new OpenLiterals(parsed.document, literals);
  const planned = makePlan({ ...input, operation: { ...parsed, literals: open }, variables: open.watched(variables) });
  if (asksDatabasesOnly(planned)) {
    const all = withLiterals(variables, literals);
    return { operation: () => cached.operation, variables: all, plan: plans.add(found, all, planned, open.fixed()) };
  }
  // Others are sent parts of the document.
  cached.isClosed = true;
  return addPlan(input, { cached: checkedOperation(generation, schema, request, session, options) });
}

function asksDatabasesOnly({ plan: { parts, remotes, actions, joins } }: Planned): boolean {
  const isColumn = ({ kind }: PlanPart): boolean => kind !== "introspection" && kind !== "sdl";
  return remotes === undefined && actions === undefined && joins === undefined && parts.every(isColumn);
}

interface PlanInput extends Omit<RequestToPlan, "request"> {
  readonly operation: Operation;
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
