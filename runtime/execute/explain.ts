/** Explains operations: their statements, and the query plans of the databases. Nothing is executed. */
import { OperationTypeNode } from "graphql";
import type { DatabaseSource, PreparedStatement, SqlValue } from "../databases/sources/source.ts";
import { type BindInput, bind, type ParameterSlot } from "../model/definitions/parameters.ts";
import { type OutputRead, placeVariable } from "../model/planner/action-plan.ts";
import type { JoinStep } from "../model/planner/joins/join-plan.ts";
import { type PlannedStatement, planRootFields } from "../model/planner/plan.ts";
import { planSubscription } from "../model/planner/plan-subscription.ts";
import { budgetOf } from "../model/planner/request/budget.ts";
import { type Operation, readOperation } from "../model/planner/request/document.ts";
import type { ExplainedField, ExplainedJoin, ExplainRequest, ExplainService } from "../ports/administration.ts";
import type { GraphqlRequest } from "../ports/graphql.ts";
import { EngineError, invariant } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { crossSourceSlotsIn } from "./cross-source-slots.ts";
import { bindCrossSourceValues } from "./cross-source-values.ts";
import type { Generation } from "./generation.ts";
import type { ExecuteOptions } from "./options.ts";
import { joinQueryForm } from "./remote/join-query.ts";
import { routedOperation, routedSource, withRouting } from "./route.ts";
import { startOfStream } from "./stream-start.ts";
import { type TagStatement, tagStatements } from "./tag-statements.ts";
import { readVariables } from "./variables.ts";

/**
 * Returns the service that explains operations.
 * @param sessionOf returns the session for the headers of a request
 */
export function explainService(
  current: () => Generation,
  sessionOf: (user: ExplainRequest["user"]) => Session,
  options: ExecuteOptions,
): ExplainService {
  return {
    async explain({ request, user, api, joins }) {
      const generation = current();
      const planning = { ...options, api };
      const requestSession = sessionOf(user);
      const operation = readOperation(request.query, request.operationName, budgetOf(requestSession.role));
      // The same operations are allowed as on `/v1/graphql`.
      generation.guard.checkOperation(requestSession.role, operation);
      const session = withRouting(generation, requestSession, () => routedOperation(operation.definition));
      switch (operation.definition.operation) {
        case OperationTypeNode.QUERY:
          return explainQuery(generation, { operation, variables: request.variables, joins }, session, planning);
        case OperationTypeNode.MUTATION:
          throw new EngineError("invalid-params", "$", "only queries can be explained");
        case OperationTypeNode.SUBSCRIPTION: {
          const field = { operation, variables: request.variables, joins };
          const explained = await explainSubscription(generation, field, session, planning);
          const { source, statement, values, variables, declaredVariables, steps } = explained;
          const plan = await source.explain(statement, values);
          const input = { generation, variables: declaredVariables, session };
          const joined = steps.length === 0 ? {} : { joins: await explainJoins(steps, input) };
          return { sql: statement.text, plan, variables, ...joined };
        }
      }
    },
  };
}

/** Returns the slots of a field and of the joins of its source steps. */
const slotsOf = (statement: PlannedStatement | undefined, joins: readonly JoinStep[]): readonly ParameterSlot[] => [
  ...(statement?.slots ?? []),
  ...joins.flatMap((step) => (step.kind === "source" ? step.slots : [])),
];

/** Explains each root field separately, although the fields of one source run as one statement. */
async function explainQuery(
  generation: Generation,
  { operation, variables: declaredVariables, joins: showsJoins }: ExplainedOperation,
  session: Session,
  options: ExecuteOptions,
): Promise<readonly ExplainedField[]> {
  const variables = readVariables(operation.declared, declaredVariables, options);
  const tag = tagStatements(generation, { operation: () => operation }, session);
  const fields = planRootFields(operation, generation.schemaOf(session, options.api), variables, options);
  return Promise.all(
    fields.map(async ({ key, isRemote, joins = [], ...field }): Promise<ExplainedField> => {
      if (isRemote && !showsJoins) throw new EngineError("invalid-params", "$", "only engine queries can be explained");
      if (joins.length > 0 && !showsJoins) throw joinsNotExplained();
      const statement = field.reads === undefined ? field.statement : resultStatement(field.reads, joins);
      if (statement?.inSteps) throw severalSteps();
      const complete = await bindCrossSourceValues(session, crossSourceSlotsIn(slotsOf(statement, joins)), generation);
      const values = {
        variables: { ...variables, ...withoutObjects(field.reads) },
        session: complete.variables,
        crossSourceValues: complete.crossSourceValues,
      };
      const tagged: TagStatement = (source, planned) => tag(source, planned, () => [key]);
      const explained = statement
        ? await explainStatement({ generation, session }, statement, values, tagged)
        : { sql: null, plan: null };
      if (joins.length === 0) return { field: key, ...explained };
      return {
        field: key,
        ...explained,
        joins: await explainJoins(joins, { generation, variables, session: complete }),
      };
    }),
  );
}

const severalSteps = (): EngineError =>
  new EngineError("not-supported", "$", "queries which require multiple steps cannot be explained");

/**
 * Returns the statement for rows related to the result of an asynchronous action; `undefined` if there are only joins.
 */
function resultStatement(reads: readonly OutputRead[], joins: readonly JoinStep[]): PlannedStatement | undefined {
  const [only, ...others] = reads;
  if (others.length > 0) throw severalSteps();
  if (only !== undefined || joins.length > 0) return only;
  const message = "async action query fields without relationships to table cannot be explained";
  throw new EngineError("not-supported", "$", message);
}

/** Returns an empty result for the action, because the real one is not fetched. */
function withoutObjects(reads: readonly OutputRead[] = []): Readonly<Record<string, readonly []>> {
  return Object.fromEntries(reads.flatMap(({ places }) => places.map((place) => [placeVariable(place), []])));
}

// Subscriptions.

interface ExplainedOperation {
  readonly operation: Operation;
  readonly variables: GraphqlRequest["variables"];
  /** If true, joins are explained; otherwise operations with joins are refused. */
  readonly joins: boolean;
}

function joinsNotExplained(): EngineError {
  return new EngineError("invalid-params", "$", "queries with remote relationships cannot be explained");
}

interface ExplainedSubscription {
  readonly source: DatabaseSource;
  /**
   * The batched statement with the values of one subscription, or the single statement if the source does not support
   * batches.
   */
  readonly statement: PreparedStatement;
  readonly values: readonly SqlValue[];
  readonly variables: SubscriptionVariables;
  /** Variables of the operation, including defaults. */
  readonly declaredVariables: Readonly<Record<string, unknown>>;
  /** Joins of the rows. */
  readonly steps: readonly JoinStep[];
}

/** Values that distinguish subscriptions with the same statement, as sent to the database. */
interface SubscriptionVariables {
  /** Session variables used by the statement. */
  readonly session: Readonly<Record<string, SqlValue>>;
  /** Variables of the operation that are parameters of the statement. */
  readonly query: Readonly<Record<string, SqlValue>>;
  /** Values of all arguments, from literals and variables, in the order of the statement. */
  readonly synthetic: readonly SqlValue[];
  /** Start of a stream: values by cursor column. */
  readonly cursor: Readonly<Record<string, SqlValue>>;
}

/**
 * Plans a subscription without running it. A relative start of a stream, such as `now()`, is evaluated.
 * @throws EngineError the same as for the subscription itself
 */
async function explainSubscription(
  generation: Generation,
  { operation, variables, joins }: ExplainedOperation,
  session: Session,
  options: ExecuteOptions,
): Promise<ExplainedSubscription> {
  const declaredVariables = readVariables(operation.declared, variables, options);
  const { plan } = planSubscription(operation, generation.schemaOf(session, options.api), declaredVariables, options);
  if (plan.actions) throw new EngineError("invalid-params", "$", "subscriptions on actions cannot be explained");
  const { joins: steps = [] } = plan;
  if (steps.length > 0 && !joins) throw joinsNotExplained();
  const [statement] = plan.statements;
  if (!statement) throw new EngineError("not-supported", "$", "the operation has no statement to explain");
  const { multiplexed, cursor } = statement;
  invariant(multiplexed, "a subscription has a multiplexed statement");
  const bound = bind(multiplexed.slots, { variables: declaredVariables, session: session.variables });
  const source = routedSource(generation, statement.source, session);
  const start = await startOfStream(source, cursor, bound);
  const values = cursor && start !== undefined ? bound.with(cursor.slots[0] ?? -1, start) : bound;
  return {
    source,
    statement: { text: source.isUnbatched ? statement.text : multiplexed.text },
    values: source.isUnbatched ? values : multiplexed.values([values]),
    declaredVariables,
    steps,
    variables: {
      ...variablesOf(multiplexed.slots, values, session),
      cursor: cursor ? { [cursor.column]: values[cursor.slots[0] ?? -1] ?? null } : {},
    },
  };
}

function variablesOf(
  slots: readonly ParameterSlot[],
  values: readonly SqlValue[],
  session: Session,
): Omit<SubscriptionVariables, "cursor"> {
  const used: Record<string, SqlValue> = Object.create(null);
  const query: Record<string, SqlValue> = Object.create(null);
  const synthetic: SqlValue[] = [];
  for (const [i, slot] of slots.entries()) {
    const value = values[i] ?? null;
    if (slot.kind === "session") used[slot.variable] = value;
    else if (slot.kind === "whole_session") Object.assign(used, Object.fromEntries(session.variables));
    else if (slot.kind === "value") {
      synthetic.push(value);
      if (slot.source.kind === "variable" && slot.source.within.length === 0) query[slot.source.name] = value;
    }
  }
  return { session: used, query, synthetic };
}

// Joins, level by level. Neither sources nor remote schemas are queried.

interface ExplainedJoinsInput {
  readonly generation: Generation;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly session: Session;
}

function explainJoins(steps: readonly JoinStep[], input: ExplainedJoinsInput): Promise<readonly ExplainedJoin[]> {
  return Promise.all(steps.map((step) => explainJoin(step, input)));
}

/**
 * Explains a join without key values: statements are shown without keys, and requests to remote schemas with the names
 * of the keys.
 */
async function explainJoin(step: JoinStep, input: ExplainedJoinsInput): Promise<ExplainedJoin> {
  const { generation, variables, session } = input;
  const fields = step.places.map(({ path }) => fieldsOf(path));
  const values = { variables, session: session.variables, crossSourceValues: session.crossSourceValues };
  if (step.kind === "source") {
    return { fields, source: step.source, ...(await explainStatement({ generation, session }, step, values)) };
  }
  return { fields, remote_schema: step.server.name, query: joinQueryForm(step.places, values) };
}

/** `$.selectionSet.orders.selectionSet.customer` → `orders.customer` */
const fieldsOf = (path: string): string => path.split(".selectionSet.").slice(1).join(".");

// Statements with query plans.

interface ExplainedStatement {
  readonly sql: string;
  readonly plan: readonly string[];
}

/**
 * @param tag adds a query tag to the sent statement; the explained text has none
 * @throws EngineError
 */
async function explainStatement(
  { generation, session }: { readonly generation: Generation; readonly session: Session },
  { source, text, slots }: Pick<PlannedStatement, "source" | "text" | "slots">,
  input: BindInput,
  tag: (source: string, statement: PreparedStatement) => PreparedStatement = (_, statement) => statement,
): Promise<ExplainedStatement> {
  const values = bind(slots, input);
  const plan = await routedSource(generation, source, session).explain(tag(source, { text }), values);
  return { sql: withValues(text, values), plan };
}

/** Matches parameters, and quoted text, in which `$1` is not a parameter. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g;

/** Replaces parameters by literals. For display only: the result is never executed. */
function withValues(text: string, values: readonly (string | null)[]): string {
  return text.replace(tokens, (token, number: string | undefined) => {
    if (number === undefined) return token;
    const value = values[Number(number) - 1] ?? null;
    return value === null ? "null" : `'${value.replaceAll("'", "''")}'`;
  });
}
