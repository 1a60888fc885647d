/** A subscription for one role → the Plan of the query that is asked again and again (`graphql-api.md` 7.4). */
import type { DirectiveNode, OperationDefinitionNode } from "graphql";
import { EngineError } from "../errors.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import type { PlanOptions } from "../select/context.ts";
import type { Operation } from "./document.ts";
import { InputReader } from "./input.ts";
import { type Planned, planFields } from "./plan.ts";
import { selectFields } from "./selection.ts";

/** Hidden: lets a test ask for several root fields in one subscription. */
const severalFields = "_multiple_top_level_fields";

/** Directives that have other places than a subscription. */
const misplaced: ReadonlySet<string> = new Set(["include", "skip", "cached"]);

/**
 * Plans a subscription as one statement.
 * @throws EngineError `validation-failed`, `not-supported` and what a query may fail with
 */
export function planSubscription(
  operation: Operation,
  schema: RoleSchema,
  variables: Readonly<Record<string, unknown>>,
  options: PlanOptions,
): Planned {
  const type = schema.subscription;
  if (!type) throw invalid("no subscriptions exist");
  checkRootFields(operation.definition);
  const inputs = new InputReader(operation, variables, options);
  const context = { operation, variables, inputs, queryType: schema.query };
  const fields = selectFields(context, type, [operation.definition.selectionSet], "$.selectionSet");
  if (fields.some(({ name }) => name === "__typename")) {
    throw notSupported("Introspection at root field level is not supported over subscriptions");
  }
  const plan = planFields(fields, variables, options, "live");
  if (plan.statements.length > 1) throw notSupported("all fields of a subscription must be from the same source");
  return { plan, uses: inputs.uses };
}

/** The selections of the document count: a fragment is one, whatever is in it. */
function checkRootFields({ selectionSet, directives = [] }: OperationDefinitionNode): void {
  checkDirectives(directives);
  if (directives.length === 0 && selectionSet.selections.length !== 1) {
    throw invalid("subscriptions must select one top level field");
  }
}

function checkDirectives(directives: readonly DirectiveNode[]): void {
  for (const { name } of directives) {
    if (name.value === severalFields) continue;
    throw invalid(
      misplaced.has(name.value)
        ? `directive '${name.value}' is not allowed on a subscription`
        : `directive '${name.value}' is not defined in the schema`,
    );
  }
  if (directives.length > 1) throw invalid(`the following directives are used more than once: ['${severalFields}']`);
}

function invalid(message: string): EngineError {
  return new EngineError("validation-failed", "$", message);
}

function notSupported(message: string): EngineError {
  return new EngineError("not-supported", "$", message);
}
