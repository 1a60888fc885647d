/** Tools for assistants on the current generation: saved operations, and queries and descriptions of the schema. */

import type { AgentTool, RoleTool } from "../../model/definitions/tools/agent-tool.ts";
import { budgetOf } from "../../model/planner/request/budget.ts";
import { describeOperation, type ResultField } from "../../model/planner/request/describe-operation.ts";
import { type Operation, readOperation } from "../../model/planner/request/document.ts";
import type { AgentToolService } from "../../ports/agent-tools.ts";
import type { GraphqlRequest } from "../../ports/graphql.ts";
import { EngineError } from "../../values/errors.ts";
import { decoded } from "../../values/response-text.ts";
import type { Session } from "../../values/session.ts";
import type { Generation } from "../generation.ts";
import type { ExecuteOptions, OperationOptions } from "../options.ts";
import { execute } from "../request.ts";
import { SchemaDescriptions } from "./describe.ts";
import { rehearseOperation } from "./rehearse-operation.ts";
import { checkResult, type ResultLimits } from "./result-limits.ts";

/** Limits of queries that an assistant writes. */
export interface QueryLimits extends ResultLimits {
  /** Maximum levels of selection sets below the root fields. */
  readonly depth: number;
  /** Maximum number of fields with a selection set. */
  readonly nodes: number;
  readonly seconds: number;
}

export function agentToolService(
  current: () => Generation,
  options: ExecuteOptions,
  queryLimits: QueryLimits,
): AgentToolService {
  const single: OperationOptions = { ...options, subscriptions: false };
  const toolOptions = new WeakMap<AgentTool, OperationOptions>();
  /** Fields of results; the tools of a generation are different objects. */
  const fields = new WeakMap<RoleTool, readonly ResultField[]>();
  const optionsOf = (tool: AgentTool): OperationOptions => {
    const known = toolOptions.get(tool) ?? { ...single, maxMilliseconds: tool.limits.seconds * 1000 };
    toolOptions.set(tool, known);
    return known;
  };
  const reading: OperationOptions = { ...single, onlyReads: true, maxMilliseconds: queryLimits.seconds * 1000 };
  const descriptions = new SchemaDescriptions();
  return {
    version: () => current().resourceVersion,
    list: (session) => current().agentTools(session),
    find: (session, name) => current().agentTool(session, name),
    async run(roleTool, values, by, caller, response) {
      const { tool } = roleTool;
      const request = requestOf(tool, values);
      const data = await decoded(await execute({ current, request, by, options: optionsOf(tool) }, caller, response));
      response?.noteEffect?.();
      checkResult(data, tool.limits, () => {
        const known = fields.get(roleTool) ?? fieldsOf(current(), readOperation(request.query, null), by.session);
        fields.set(roleTool, known);
        return known;
      });
      return data;
    },
    async rehearse({ tool }, values, by) {
      return rehearseOperation({ current, request: requestOf(tool, values), by, options: optionsOf(tool) });
    },
    async query({ query, operationName, variables }, by, caller, response) {
      const operation = readOperation(query, operationName, budgetOf(by.session.role));
      checkQuery(operation, queryLimits);
      const request = { query, operationName, variables };
      const data = await decoded(await execute({ current, request, by, options: reading }, caller, response));
      checkResult(data, queryLimits, () => fieldsOf(current(), operation, by.session));
      return data;
    },
    async describe(session, request) {
      await options.continuity.settled();
      const generation = current();
      generation.guard.checkIntrospection(session.role);
      return descriptions.page(generation.schemaOf(session), request);
    },
  };
}

function requestOf({ operation }: AgentTool, variables: GraphqlRequest["variables"]): GraphqlRequest {
  return { query: operation.text, operationName: null, variables };
}

function fieldsOf(generation: Generation, operation: Operation, session: Session): readonly ResultField[] {
  return describeOperation(operation, generation.schemaOf(session)).fields;
}

/** @throws EngineError unless the operation is a query within the limits */
function checkQuery({ definition, measure }: Operation, { depth, nodes }: QueryLimits): void {
  if (definition.operation !== "query") {
    const message = `a ${definition.operation} cannot run here, only a query: call a tool for changes`;
    throw new EngineError("not-supported", "$", message);
  }
  check("depth", measure.depth, depth);
  check("node", measure.nodes, nodes);
}

function check(name: "depth" | "node", value: number, limit: number): void {
  if (value <= limit) return;
  throw new EngineError(
    `${name}-limit-exceeded`,
    "$",
    `${name} of ${value} exceeds the limit of ${limit} for assistants`,
  );
}
