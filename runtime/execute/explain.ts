/**
 * What an operation asks the databases, and how they would go about it; nothing is run (`graphql-api.md` 9).
 */
import { OperationTypeNode } from "graphql";
import { bind } from "../definitions/parameters.ts";
import { planRootFields } from "../planner/plan.ts";
import { budgetOf } from "../planner/request/budget.ts";
import { readOperation } from "../planner/request/document.ts";
import type { ExplainedField, ExplainRequest, ExplainService } from "../ports/administration.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";
import { type ExplainedOperation, explainSubscription } from "./explain-subscription.ts";
import { type Generation, sourceOf } from "./generation.ts";
import type { ExecuteOptions } from "./options.ts";
import { readVariables } from "./variables.ts";

/** @param sessionOf the session of a request with these headers */
export function explainService(
  current: () => Generation,
  sessionOf: (user: ExplainRequest["user"]) => Session,
  options: ExecuteOptions,
): ExplainService {
  return {
    async explain({ request, user, api }) {
      const generation = current();
      const planning = { ...options, api };
      const session = sessionOf(user);
      const operation = readOperation(request.query, request.operationName, budgetOf(session.role));
      // What the role may not send is refused here as it would be there.
      generation.guard.checkOperation(session.role, operation);
      switch (operation.definition.operation) {
        case OperationTypeNode.QUERY:
          return explainQuery(generation, { operation, variables: request.variables }, session, planning);
        case OperationTypeNode.MUTATION:
          throw new EngineError("invalid-params", "$", "only queries can be explained");
        case OperationTypeNode.SUBSCRIPTION: {
          const asked = { operation, variables: request.variables };
          const { source, statement, values, variables } = explainSubscription(generation, asked, session, planning);
          return { sql: statement.text, plan: await source.explain(statement, values), variables };
        }
      }
    },
  };
}

/** Each root field by itself, although those of one source will be one statement. */
async function explainQuery(
  generation: Generation,
  { operation, variables: given }: ExplainedOperation,
  session: Session,
  options: ExecuteOptions,
): Promise<readonly ExplainedField[]> {
  const variables = readVariables(operation.declared, given, options);
  const fields = planRootFields(operation, generation.schemaOf(session, options.api), variables, options);
  return Promise.all(
    fields.map(async ({ key, statement }): Promise<ExplainedField> => {
      if (!statement) return { field: key, sql: null, plan: null };
      if (statement.inSteps) {
        throw new EngineError("not-supported", "$", "queries which require multiple steps cannot be explained");
      }
      const source = sourceOf(generation, statement.source);
      const values = bind(statement.slots, { variables, session: session.variables });
      const plan = await source.explain({ text: statement.text }, values);
      return { field: key, sql: withValues(statement.text, values), plan };
    }),
  );
}

/** Quoted text, where a `$1` means nothing, and parameters. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)/g;

/** The statement as people can run it: with its values as literals. It is shown, never run. */
function withValues(text: string, values: readonly (string | null)[]): string {
  return text.replace(tokens, (token, number: string | undefined) => {
    if (number === undefined) return token;
    const value = values[Number(number) - 1] ?? null;
    return value === null ? "null" : `'${value.replaceAll("'", "''")}'`;
  });
}
