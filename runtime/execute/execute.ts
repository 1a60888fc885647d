/**
 * One GraphQL operation: plan it (or find its plan), bind its values, run its statements, put the answer together.
 * The JSON text that a database built goes into the answer as it came.
 */
import { OperationTypeNode } from "graphql";
import { type BindInput, bind, sessionText } from "../definitions/parameters.ts";
import { matchRoute } from "../definitions/rest/routes.ts";
import { mergePlaced } from "../dialects/placed-texts.ts";
import { type Planned, type PlanPart, planQuery } from "../planner/plan.ts";
import { planMutation } from "../planner/plan-mutation.ts";
import { planSubscription } from "../planner/plan-subscription.ts";
import type { Operation } from "../planner/request/document.ts";
import type { PlanOptions } from "../planner/select/context.ts";
import type { AdmissionService } from "../ports/admission.ts";
import type { Continuity } from "../ports/continuity.ts";
import type { GraphqlRequest, GraphqlService, PreparedOperation } from "../ports/graphql.ts";
import type { RestService, RestTarget } from "../ports/rest.ts";
import type { RoleSchema, SchemaApi } from "../schema/role-schema.ts";
import { Deadline } from "../sources/deadline.ts";
import type { DatabaseSource, SqlValue } from "../sources/source.ts";
import type { LiveQueries } from "../subscribe/live-queries.ts";
import type { LiveQuery } from "../subscribe/live-query.ts";
import type { AdmittedSession } from "../values/admitted-session.ts";
import type { Caller } from "../values/caller.ts";
import { EngineError, invariant } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { answerText } from "./answer.ts";
import { Basis } from "./basis.ts";
import { type Generation, sourceOf } from "./generation.ts";
import { RateLimiter } from "./guard/rate-limiter.ts";
import type { InputValidator } from "./input-validator.ts";
import { explainCheck, explainRefusal } from "./missing-permission.ts";
import type { CachedPlan, IntrospectionPart } from "./plan-cache.ts";
import { completeAtOnce, liveQuery } from "./subscribe.ts";
import { readVariables, type VariableOptions } from "./variables.ts";
import { bindWrites, runWrites } from "./write.ts";

export interface ExecuteOptions extends PlanOptions, VariableOptions {
  readonly validator: InputValidator;
  readonly continuity: Continuity;
  /** Mutations are refused. */
  readonly readOnly: boolean;
  /** Absent: that of `/v1/graphql`. */
  readonly api?: SchemaApi;
  /** Errors say which permission a role lacks (development mode). */
  readonly explainRefusals: boolean;
}

/** Counts requests against the limits of the Generation that is current when they arrive. */
export function admissionService(current: () => Generation): AdmissionService {
  const rates = new RateLimiter();
  return {
    admit: (session, operations, client) => current().guard.admit(session, operations, client, rates),
  };
}

/** Runs a query or a mutation on what is current then: the JSON text of `data`'s value. */
async function runSingle(
  current: () => Generation,
  request: GraphqlRequest,
  by: AdmittedSession,
  options: ExecuteOptions & TransportOptions,
  caller: Caller | undefined,
): Promise<string> {
  const { continuity } = options;
  const settled = continuity.settled();
  if (settled) await settled;
  const basis = new Basis(current(), current, continuity);
  const planned = planOperation(basis.generation, request, by.session, options);
  const again = () => runSingle(current, request, by, options, caller);
  return runOnce(basis, planned, by.session, options, again).run(caller);
}

/** Serves operations by the Generation that is current when they arrive. */
export function graphqlService(current: () => Generation, options: ExecuteOptions, live: LiveQueries): GraphqlService {
  const single = { ...options, subscriptions: false };
  const any = { ...options, subscriptions: true };
  return {
    execute: (request, by, caller) => runSingle(current, request, by, single, caller),
    subscriptions: () => live.counters,
    async prepare(request, by) {
      const { session } = by;
      await options.continuity.settled();
      const generation = current();
      const planned = planOperation(generation, request, session, any);
      if (planned.kind !== OperationTypeNode.SUBSCRIPTION) {
        const basis = new Basis(generation, current, options.continuity);
        const again = (caller?: Caller) => runSingle(current, request, by, single, caller);
        return runOnce(basis, planned, session, options, again);
      }
      const query = liveQueryOf(generation, planned, session);
      if (!query) return { kind: "subscription", subscribe: (sink) => completeAtOnce(answer(planned.plan, []), sink) };
      const replan = (): LiveQuery => {
        const next = current();
        const again = liveQueryOf(next, planOperation(next, request, session, any), session);
        invariant(again, "a subscription that asks a database does so in every generation");
        return again;
      };
      // A change of the metadata since then has moved only the subscriptions that ran already.
      const newest = () => (current() === generation ? query : replan());
      return { kind: "subscription", subscribe: async (sink) => live.subscribe({ query: newest(), replan }, sink) };
    },
  };
}

/** Finds REST endpoints in the Generation that is current when a request arrives; runs them on that of the time then. */
export function restService(current: () => Generation, options: ExecuteOptions): RestService {
  const single = { ...options, subscriptions: false };
  return {
    openApi: (settings) => current().openApi(settings),
    async find(method, segments) {
      await options.continuity.settled();
      const generation = current();
      const match = matchRoute(generation.restRoutes() ?? {}, method, segments);
      if (match.kind !== "found") return match;
      const run: RestTarget["run"] = (request, by, caller) => runSingle(current, request, by, single, caller);
      return { kind: "found", operation: match.endpoint.operation, variables: match.variables, run };
    },
  };
}

interface TransportOptions {
  /** Whether the transport can deliver more than one result. */
  readonly subscriptions: boolean;
}

type PlanningOptions = Pick<
  ExecuteOptions,
  keyof PlanOptions | keyof VariableOptions | "readOnly" | "api" | "explainRefusals"
> &
  TransportOptions;

/** An operation with its plan and its variables. */
interface PlannedOperation {
  readonly kind: OperationTypeNode;
  readonly operation: () => Operation;
  readonly schema: RoleSchema;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly plan: CachedPlan;
}

function planOperation(
  generation: Generation,
  request: GraphqlRequest,
  session: Session,
  options: PlanningOptions,
): PlannedOperation {
  const schema = generation.schemaOf(session, options.api);
  const saved = schema.api === "relay" ? undefined : planSaved(generation, request, session, options);
  if (saved) return { ...saved, schema };
  const cached = generation.plans.operation(schema, request.query, request.operationName);
  const { operation } = cached;
  const kind = operation.definition.operation;
  if (cached.allowedFor !== session.role) {
    generation.guard.checkOperation(session.role, operation);
    cached.allowedFor = session.role;
  }
  checkKind(kind, options);
  const variables = readVariables(operation.declared, request.variables, options);
  const found = generation.plans.plan(cached, variables);
  const plan =
    found ??
    generation.plans.add(cached, variables, makePlan({ generation, schema, operation, variables, session, options }));
  return { kind, operation: () => operation, schema, variables, plan };
}

interface PlanInput {
  readonly generation: Generation;
  readonly schema: RoleSchema;
  readonly operation: Operation;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly session: Session;
  readonly options: PlanningOptions;
}

function makePlan({ generation, schema, operation, variables, session, options }: PlanInput): Planned {
  const plan = planners[operation.definition.operation];
  try {
    return plan(operation, schema, variables, options);
  } catch (error) {
    if (!options.explainRefusals) throw error;
    const admin = () => generation.schemaOf({ role: "admin", backendOnly: false }, options.api);
    throw explainRefusal(error, session.role, () => plan(operation, admin(), variables, options));
  }
}

/** What was compiled ahead of requests. */
function planSaved(
  generation: Generation,
  { query, operationName, variables: given }: GraphqlRequest,
  session: Session,
  options: PlanningOptions,
): Omit<PlannedOperation, "schema"> | undefined {
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

/**
 * A query or mutation, all of whose values are bound.
 * @param again plans and runs it anew, where what it was planned on does not hold any more
 */
function runOnce(
  basis: Basis,
  { kind, operation, schema, variables, plan }: PlannedOperation,
  session: Session,
  options: Pick<ExecuteOptions, "validator" | "explainRefusals">,
  again: (caller?: Caller) => Promise<string>,
): Exclude<PreparedOperation, { kind: "subscription" }> {
  const { generation } = basis;
  const input = { variables, session: session.variables };
  const timeLimit = generation.guard.timeLimitMilliseconds(session.role);
  if (kind === OperationTypeNode.MUTATION) {
    const run = runMutation(basis, plan, input, { validator: options.validator, session, timeLimit, again });
    if (!options.explainRefusals) return { kind: "mutation", run };
    const explained = (error: unknown): never => {
      throw explainCheck(error, session.role);
    };
    return { kind: "mutation", run: () => run().catch(explained) };
  }
  const statements = bindStatements(generation, plan, input);
  const { introspections } = plan;
  const mayWrite = statements.some(({ user }) => user !== undefined);
  if (plan.describesSchema) generation.guard.checkIntrospection(session.role);
  const introspect = ({ nodes }: IntrospectionPart) =>
    generation.introspections.answer(schema, nodes, operation(), variables);
  const read = (caller?: Caller, deadline?: Deadline) =>
    Promise.all(statements.map((statement) => oneRow(statement, basis, caller, deadline)));
  const run = async (caller?: Caller): Promise<string> => {
    const deadline = Deadline.of(timeLimit, caller);
    let rows: readonly (readonly SqlValue[])[];
    try {
      rows = await (deadline ? deadline.race(read(deadline, deadline)) : read(caller));
    } catch (error) {
      if (basis.hasRefused && statements.length === 1) return again(caller);
      throw error;
    }
    const holds = basis.holds();
    if (holds !== true && !(await holds)) {
      if (mayWrite) await basis.check();
      return again(caller);
    }
    const texts = introspections.length === 0 ? [] : await Promise.all(introspections.map(introspect));
    return answer(plan, rows, (part) => {
      if (part.kind === "sdl") return JSON.stringify(generation.subgraphOf(session));
      return texts[introspections.indexOf(part)] ?? "null";
    });
  };
  return { kind: "query", run };
}

function liveQueryOf(
  generation: Generation,
  { schema, variables, plan }: PlannedOperation,
  session: Session,
): LiveQuery | undefined {
  const input = { variables, session: session.variables };
  return liveQuery(generation, plan, schema.role, input, (row) => answer(plan, [row]));
}

const planners = {
  [OperationTypeNode.QUERY]: planQuery,
  [OperationTypeNode.MUTATION]: planMutation,
  [OperationTypeNode.SUBSCRIPTION]: planSubscription,
};

function checkKind(kind: OperationTypeNode, { subscriptions, readOnly }: PlanningOptions): void {
  if (kind === OperationTypeNode.MUTATION && readOnly) {
    throw new EngineError("not-supported", "$", "Mutations are not allowed when read-only mode is enabled");
  }
  if (kind !== OperationTypeNode.SUBSCRIPTION || subscriptions) return;
  const message = "subscriptions are not supported over HTTP, use websockets instead";
  throw new EngineError("unexpected-payload", "$", message);
}

interface BoundStatement {
  readonly source: DatabaseSource;
  readonly statement: CachedPlan["statements"][number];
  readonly values: readonly SqlValue[];
  /** The session variables, for functions that it calls. */
  readonly user: string | undefined;
}

/** All values are bound before anything runs, so that a bad one runs nothing. */
function bindStatements(
  generation: Generation,
  { plan, statements }: CachedPlan,
  input: BindInput,
): readonly BoundStatement[] {
  return plan.statements.map(({ source: name, slots, callsFunctions }, i) => {
    const statement = statements[i];
    invariant(statement, "every planned statement is prepared");
    const user = callsFunctions ? sessionText(input.session) : undefined;
    return { source: sourceOf(generation, name), statement, values: bind(slots, input), user };
  });
}

/** Functions may write, so what calls them is never run twice. */
async function oneRow(
  { source, statement, values, user }: BoundStatement,
  basis: Basis,
  caller: Caller | undefined,
  deadline: Deadline | undefined,
): Promise<readonly SqlValue[]> {
  if (user === undefined && deadline === undefined) return (await source.query(statement, values, caller))[0] ?? [];
  const timeoutMilliseconds = deadline?.timeoutMilliseconds();
  const beforeSending = user === undefined ? undefined : () => basis.check();
  const options = { readOnly: user === undefined, user, caller, timeoutMilliseconds, beforeSending };
  const [row] = await source.executeAlone(options, statement, values);
  return row ?? [];
}

function answer(
  { plan }: CachedPlan,
  rows: readonly (readonly SqlValue[])[],
  describe?: (part: SchemaPart) => string,
): string {
  return answerText(plan.parts, (part) => {
    switch (part.kind) {
      case "column":
        return rows[part.statement]?.[part.column] ?? "null";
      case "merged":
        return mergePlaced(part.columns.map(({ statement, column }) => rows[statement]?.[column] ?? null));
      case "introspection":
      case "sdl":
        return describe?.(part) ?? "null";
      case "write":
        throw new Error("invariant: a query writes nothing");
    }
  });
}

/** A field that is answered from the text of the schema. */
type SchemaPart = Extract<PlanPart, { kind: "introspection" | "sdl" }>;

interface MutationOptions {
  readonly validator: InputValidator;
  readonly session: Session;
  /** In milliseconds; what is not committed by then is rolled back. */
  readonly timeLimit: number | undefined;
  /** Plans and runs it anew. */
  readonly again: () => Promise<string>;
}

/** All values are bound at once, so that a bad one runs nothing. */
function runMutation(
  basis: Basis,
  { plan, writes }: CachedPlan,
  input: BindInput,
  { validator, session, timeLimit, again }: MutationOptions,
): () => Promise<string> {
  const bound = writes.map((each) => bindWrites(each, input));
  return async () => {
    const answers: string[] = [];
    const deadline = Deadline.of(timeLimit);
    for (const each of bound) {
      const source = sourceOf(basis.generation, each.writes.source);
      if (each.validations.length > 0) await validator.validate(each.validations, session);
      try {
        answers.push(...(await runWrites(each, source, { errors: "graphql", basis, deadline })));
      } catch (error) {
        // Nothing of it was committed.
        if (basis.hasRefused && answers.length === 0) return again();
        throw error;
      }
    }
    return answerText(plan.parts, (part) => (part.kind === "write" ? answers[part.write] : undefined) ?? "null");
  };
}
