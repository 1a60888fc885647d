/** Plans an operation: validates it, reads its variables, and finds or creates its plan. */
import { OperationTypeNode } from "graphql";
import { type Planned, type PlanPart, planQuery } from "../model/planner/plan.ts";
import { planMutation } from "../model/planner/plan-mutation.ts";
import { planSubscription } from "../model/planner/plan-subscription.ts";
import { absentFields } from "../model/planner/request/absent-fields.ts";
import { budgetOf } from "../model/planner/request/budget.ts";
import { type Operation, operationIn, readOperation } from "../model/planner/request/document.ts";
import { OpenLiterals, withLiterals } from "../model/planner/request/open-literals.ts";
import type { PlanOptions } from "../model/planner/select/context.ts";
import type { RoleSchema } from "../model/schema/role-schema.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import { noTelemetry } from "../ports/telemetry.ts";
import { EngineError } from "../values/errors.ts";
import { didYouMean } from "../values/nearest-name.ts";
import type { Session } from "../values/session.ts";
import type { Generation } from "./generation.ts";
import { identityOf } from "./operation-identity.ts";
import type { OperationOptions } from "./options.ts";
import type { CachedOperation, CachedPlan, FoundOperation } from "./plan-cache.ts";
import { readVariables } from "./variables.ts";

export interface PlannedOperation {
  readonly kind: OperationTypeNode;
  /** The document as the client sent it. */
  readonly query: string;
  readonly operation: () => Operation;
  readonly schema: RoleSchema;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly plan: CachedPlan;
  readonly files?: GraphqlRequest["files"];
}

/**
 * Returns the plan of an operation: a saved plan, a cached one, or a new one.
 * @throws EngineError if the operation is invalid, or not allowed for the session or the transport
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
  const values = readVariables(operation.declared, request.variables, options);
  const variables = found.literals ? withLiterals(values, found.literals) : values;
  const cachedPlan = generation.plans.plan(found, variables);
  planCache.add(1, cachedPlan ? fromCache : planned);
  if (cachedPlan) {
    return withFiles(
      { kind, query: request.query, operation: () => operation, schema, variables, plan: cachedPlan },
      request,
    );
  }
  const added = addPlan({ generation, schema, request, variables: values, session, options }, found);
  return withFiles({ kind, query: request.query, schema, ...added }, request);
}

function withFiles(planned: PlannedOperation, { files }: GraphqlRequest): PlannedOperation {
  return files ? { ...planned, files } : planned;
}

/** Labels of the plan cache metric. */
const fromSaved = { status: "saved" };
const fromCache = { status: "hit" };
const planned = { status: "miss" };

/**
 * Parses an operation and checks the allow-list.
 * @throws EngineError if the text is invalid or not allowed for the role
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

/** Finds the entry shared by texts that differ in literals, unless the allow-list compares literals. */
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

/** Returns the plan of a saved operation, if any, after checking that the role may run it. */
function planSaved(
  generation: Generation,
  { query, operationName, variables: values }: GraphqlRequest,
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
  const variables = readVariables(saved.declared, values, options);
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
  if (usesDatabasesOnly(planned)) {
    const all = withLiterals(variables, literals);
    return { operation: () => cached.operation, variables: all, plan: plans.add(found, all, planned, open.fixed()) };
  }
  // Remote schemas and actions receive parts of the document, so the literals must stay in the document.
  cached.isClosed = true;
  return addPlan(input, { cached: checkedOperation(generation, schema, request, session, options) });
}

function usesDatabasesOnly({ plan: { parts, remotes, actions, joins } }: Planned): boolean {
  const isColumn = ({ kind }: PlanPart): boolean => kind !== "introspection" && kind !== "sdl";
  return remotes === undefined && actions === undefined && joins === undefined && parts.every(isColumn);
}

interface PlanInput extends Omit<RequestToPlan, "request"> {
  readonly operation: Operation;
}

function makePlan(input: PlanInput): Planned {
  const { schema, operation, variables, options } = input;
  try {
    return planners[operation.definition.operation](operation, schema, variables, options);
  } catch (thrown) {
    const error = refusal(thrown, input);
    throw options.findsUnserved ? withUnserved(error, input) : error;
  }
}

/** Adds to a planning error its hint and explanation. */
function refusal(thrown: unknown, { generation, operation, variables, session, options }: PlanInput): unknown {
  // Suggestions must not reveal names to roles without introspection.
  const error = generation.guard.mayIntrospect(session.role) ? withNearestName(thrown) : thrown;
  if (!options.explainRefusals) return error;
  const plan = planners[operation.definition.operation];
  return explainRefusal(error, session.role, () =>
    plan(operation, adminSchema(generation, options), variables, options),
  );
}

function adminSchema(generation: Generation, { api }: OperationOptions): RoleSchema {
  return generation.schemaOf({ role: "admin", backendOnly: false }, api);
}

const planners = {
  [OperationTypeNode.QUERY]: planQuery,
  [OperationTypeNode.MUTATION]: planMutation,
  [OperationTypeNode.SUBSCRIPTION]: planSubscription,
};

// Suggests the nearest name for an unknown field or argument, among the names that the role can see.

function withNearestName(error: unknown): unknown {
  const fault = error instanceof EngineError ? error.fault : undefined;
  if (!(error instanceof EngineError) || fault === undefined || !("known" in fault)) return error;
  const name = fault.kind === "unknown_field" ? fault.field : fault.argument;
  return error.withHint(() => didYouMean(name, fault.known()));
}

// Finds operations that the server of `--fallback` may serve.

/**
 * Adds to a planning error the fields that this server has for no role, if the role may run the rest of the operation.
 * A field that `admin` has here is refused here: otherwise, the permissions of the other server would apply to it.
 */
function withUnserved(error: unknown, { generation, schema, operation, variables, options }: PlanInput): unknown {
  const kind = operation.definition.operation;
  if (!(error instanceof EngineError) || kind === OperationTypeNode.SUBSCRIPTION) return error;
  const absent = absentFields(operation, adminSchema(generation, options));
  if (absent === undefined) return error;
  if (absent.remaining !== undefined) {
    try {
      const remaining = operationIn(absent.remaining, null, budgetOf(schema.role));
      planners[kind](remaining, schema, variables, options);
    } catch (refused) {
      if (refused instanceof EngineError) return error;
      throw refused;
    }
  }
  const reason = absent.atRoot ? "root_field" : "nested_field";
  return error.withUnserved({ kind, fields: absent.coordinates, reason, identity: () => identityOf(operation) });
}

// Explains in `extensions.internal` (development mode) which permission a role lacks. The public error stays the same.

/**
 * Adds to a planning error the permission that the role lacks, if `admin` could run the operation.
 * @param asAdmin plans the same operation for `admin`
 */
function explainRefusal(error: unknown, role: string, asAdmin: () => unknown): unknown {
  if (!(error instanceof EngineError) || error.code !== "validation-failed" || role === "admin") return error;
  if (error.internal !== undefined || failsForAdmin(error, asAdmin)) return error;
  const { fault } = error;
  const missing = fault?.kind === "unknown_field" ? `field ${fault.field} of type ${fault.type}` : error.message;
  return error.withInternal({
    message: `role "${role}" lacks a permission for this operation; role "admin" can run it`,
    role,
    missing,
  });
}

/** Adds to the error of a write the permission check that a row violates. */
export function explainCheck(error: unknown, role: string): unknown {
  if (!(error instanceof EngineError) || error.code !== "permission-error" || error.internal !== undefined)
    return error;
  return error.withInternal({
    message: `a row violates the check of an insert or update permission of role "${role}"`,
    role,
    missing: `a check that the row written at ${error.path} satisfies`,
  });
}

function failsForAdmin(error: EngineError, asAdmin: () => unknown): boolean {
  try {
    asAdmin();
    return false;
  } catch (other) {
    return other instanceof EngineError && other.message === error.message && other.path === error.path;
  }
}
