/**
 * What an operation asks the databases, and how they would go about it; nothing is run (`graphql-api.md` 9).
 */
import { OperationTypeNode } from "graphql";
import type { ParameterSlot } from "../model/definitions/parameters.ts";
import { type OutputRead, placeVariable } from "../model/planner/action-plan.ts";
import type { JoinStep } from "../model/planner/joins/join-plan.ts";
import { type PlannedStatement, planRootFields } from "../model/planner/plan.ts";
import { budgetOf } from "../model/planner/request/budget.ts";
import { readOperation } from "../model/planner/request/document.ts";
import type { ExplainedField, ExplainRequest, ExplainService } from "../ports/administration.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { withElsewhere } from "./elsewhere.ts";
import { elsewhereIn } from "./elsewhere-slots.ts";
import { explainStatement } from "./explain-statement.ts";
import { type ExplainedOperation, explainSubscription, joinsNotExplained } from "./explain-subscription.ts";
import type { Generation } from "./generation.ts";
import { explainJoins } from "./joins/explain-joins.ts";
import type { ExecuteOptions } from "./options.ts";
import { routedOperation, withRouting } from "./route.ts";
import { type TagStatement, tagStatements } from "./tag-statements.ts";
import { readVariables } from "./variables.ts";

/** @param sessionOf the session of a request with these headers */
export function explainService(
  current: () => Generation,
  sessionOf: (user: ExplainRequest["user"]) => Session,
  options: ExecuteOptions,
): ExplainService {
  return {
    async explain({ request, user, api, joins }) {
      const generation = current();
      const planning = { ...options, api };
      const asking = sessionOf(user);
      const operation = readOperation(request.query, request.operationName, budgetOf(asking.role));
      // What the role may not send is refused here as it would be there.
      generation.guard.checkOperation(asking.role, operation);
      const session = withRouting(generation, asking, () => routedOperation(operation.definition));
      switch (operation.definition.operation) {
        case OperationTypeNode.QUERY:
          return explainQuery(generation, { operation, variables: request.variables, joins }, session, planning);
        case OperationTypeNode.MUTATION:
          throw new EngineError("invalid-params", "$", "only queries can be explained");
        case OperationTypeNode.SUBSCRIPTION: {
          const asked = { operation, variables: request.variables, joins };
          const explained = await explainSubscription(generation, asked, session, planning);
          const { source, statement, values, variables, given, steps } = explained;
          const plan = await source.explain(statement, values);
          const input = { generation, variables: given, session };
          const joined = steps.length === 0 ? {} : { joins: await explainJoins(steps, input) };
          return { sql: statement.text, plan, variables, ...joined };
        }
      }
    },
  };
}

/** Those of one field, with what is joined to it. */
const slotsOf = (statement: PlannedStatement | undefined, joins: readonly JoinStep[]): readonly ParameterSlot[] => [
  ...(statement?.slots ?? []),
  ...joins.flatMap((step) => (step.kind === "source" ? step.slots : [])),
];

/** Each root field by itself, although those of one source will be one statement. */
async function explainQuery(
  generation: Generation,
  { operation, variables: given, joins: showsJoins }: ExplainedOperation,
  session: Session,
  options: ExecuteOptions,
): Promise<readonly ExplainedField[]> {
  const variables = readVariables(operation.declared, given, options);
  const tag = tagStatements(generation, { operation: () => operation }, session);
  const fields = planRootFields(operation, generation.schemaOf(session, options.api), variables, options);
  return Promise.all(
    fields.map(async ({ key, isRemote, joins = [], ...asked }): Promise<ExplainedField> => {
      if (isRemote && !showsJoins) throw new EngineError("invalid-params", "$", "only engine queries can be explained");
      if (joins.length > 0 && !showsJoins) throw joinsNotExplained();
      const statement = asked.reads === undefined ? asked.statement : resultStatement(asked.reads, joins);
      if (statement?.inSteps) throw severalSteps();
      const complete = await withElsewhere(session, elsewhereIn(slotsOf(statement, joins)), generation);
      const values = {
        variables: { ...variables, ...withoutObjects(asked.reads) },
        session: complete.variables,
        elsewhere: complete.elsewhere,
      };
      const tagged: TagStatement = (source, planned) => tag(source, planned, () => [key]);
      const own = statement
        ? await explainStatement({ generation, session }, statement, values, tagged)
        : { sql: null, plan: null };
      if (joins.length === 0) return { field: key, ...own };
      return { field: key, ...own, joins: await explainJoins(joins, { generation, variables, session: complete }) };
    }),
  );
}

const severalSteps = (): EngineError =>
  new EngineError("not-supported", "$", "queries which require multiple steps cannot be explained");

/** What is read beside the result of an asynchronous action; absent: other sources and servers are asked alone. */
function resultStatement(reads: readonly OutputRead[], joins: readonly JoinStep[]): PlannedStatement | undefined {
  const [only, ...others] = reads;
  if (others.length > 0) throw severalSteps();
  if (only !== undefined || joins.length > 0) return only;
  const message = "async action query fields without relationships to table cannot be explained";
  throw new EngineError("not-supported", "$", message);
}

/** The result is not looked up: its objects are not known. */
function withoutObjects(reads: readonly OutputRead[] = []): Readonly<Record<string, readonly []>> {
  return Object.fromEntries(reads.flatMap(({ places }) => places.map((place) => [placeVariable(place), []])));
}
