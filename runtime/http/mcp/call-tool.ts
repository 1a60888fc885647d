/** `tools/call`: checks the arguments, has writes confirmed, and runs the tool. Failures of tools are results. */
import type { RoleTool } from "../../model/definitions/tools/agent-tool.ts";
import type { QueryDocument } from "../../ports/agent-tools.ts";
import type { ToolCallOutcome } from "../../ports/services.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { quoted } from "../../values/quoted.ts";
import { checkScopes, InsufficientScope } from "./authorization.ts";
import { checkArguments } from "./check-arguments.ts";
import { confirmWrite } from "./confirm-write.ts";
import type { Exchange, Method } from "./exchange.ts";
import { invalidParams, McpError } from "./mcp-error.ts";
import { completeResult, dataMembers, errorMembers, errorText, textMembers } from "./result-text.ts";
import { describeInput, findTool, queryInput, type VisibleTool, visibleTools } from "./visible-tools.ts";

type Values = Readonly<Record<string, unknown>>;

/** A whole result, and its kind for the log. */
interface Called {
  readonly result: string;
  readonly outcome: ToolCallOutcome;
}

export const callTool: Method = async (exchange) => {
  const { services, settings, admitted, params, request, dialect } = exchange;
  const start = performance.now();
  const { session } = admitted;
  const { role } = session;
  const { name } = params;
  if (typeof name !== "string") throw invalidParams('"name" is not a string');
  const tool = findTool(services.agentTools, settings, session, name);
  const note = (outcome: ToolCallOutcome, code: string | null): void => {
    services.toolCalls?.note({
      tool: tool?.name ?? null,
      role,
      outcome,
      code,
      milliseconds: performance.now() - start,
      requestId: request.requestId,
      client: dialect.client,
    });
  };
  if (tool === undefined) {
    note("error", "not-found");
    throw unknownTool(exchange, name);
  }
  try {
    const { result, outcome } = await run(exchange, tool, argumentsOf(exchange));
    note(outcome, null);
    return result;
  } catch (thrown) {
    if (thrown instanceof McpError || thrown instanceof InsufficientScope) {
      note("error", thrown instanceof McpError ? "invalid-params" : thrown.code);
      throw thrown;
    }
    const error = thrown instanceof EngineError ? thrown : services.reportBug(thrown, request.requestId);
    exchange.noteError(error);
    note("error", error.code);
    const mayHaveWritten = exchange.collected.hasEffect && mayWrite(tool);
    const text = errorText(error, request.requestId, mayHaveWritten);
    return completeResult(errorMembers(text), dialect, exchange.meta);
  }
};

const mayWrite = (tool: VisibleTool): boolean => tool.kind === "saved" && !tool.tool.hints.readOnly;

const maxShownLength = 100;

/** Suggests only names that the caller can see. */
function unknownTool({ services, settings, admitted }: Exchange, name: string): McpError {
  const shown = name.slice(0, maxShownLength);
  const names = visibleTools(services.agentTools, settings, admitted.session).map((tool) => tool.name);
  const hint = didYouMean(shown, names) ?? "list the tools again";
  return invalidParams(`unknown tool ${quoted(shown)}; ${hint}`);
}

function argumentsOf({ params: { arguments: values = {} } }: Exchange): Values {
  if (isObject(values)) return values;
  throw invalidParams('"arguments" is not an object');
}

function run(exchange: Exchange, tool: VisibleTool, values: Values): Promise<Called> {
  switch (tool.kind) {
    case "saved":
      return runSaved(exchange, tool.tool, values);
    case "query":
      return runQuery(exchange, values);
    case "describe":
      return describe(exchange, values);
  }
}

async function runSaved(exchange: Exchange, tool: RoleTool, values: Values): Promise<Called> {
  const { services, admitted, request, collected, dialect, meta } = exchange;
  checkScopes(admitted.session, tool.tool.scopes);
  let passed = values;
  if (!tool.hints.readOnly && exchange.settings.mcpWrites === "confirm") {
    const confirmation = await confirmWrite(exchange, tool, values);
    if (confirmation.kind === "result") return { result: confirmation.result, outcome: "unconfirmed" };
    if (confirmation.kind === "text") {
      return { result: completeResult(errorMembers(confirmation.text), dialect, meta), outcome: "unconfirmed" };
    }
    passed = confirmation.values;
  } else {
    checkArguments(tool.input, values);
  }
  return withData(exchange, await services.agentTools.run(tool, passed, admitted, request.caller, collected));
}

async function runQuery(exchange: Exchange, values: Values): Promise<Called> {
  checkArguments(queryInput, values);
  const { services, admitted, request, collected } = exchange;
  const { query, variables, operation_name: operationName } = values;
  const document: QueryDocument = {
    query: String(query),
    operationName: typeof operationName === "string" ? operationName : null,
    variables: isObject(variables) ? variables : null,
  };
  return withData(exchange, await services.agentTools.query(document, admitted, request.caller, collected));
}

async function describe({ services, admitted, dialect, meta }: Exchange, values: Values): Promise<Called> {
  checkArguments(describeInput, values);
  const { text, nextCursor } = await services.agentTools.describe(admitted.session, values);
  const more = nextCursor === undefined ? "" : `\n\nMore: call describe again with cursor ${quoted(nextCursor)}`;
  return { result: completeResult(textMembers(text + more), dialect, meta), outcome: "success" };
}

/** @throws EngineError if a field failed, because the result would not match the output schema */
function withData({ collected, dialect, meta }: Exchange, data: string): Called {
  const [error] = collected.errors;
  if (error !== undefined) throw error;
  return { result: completeResult(dataMembers(data), dialect, meta), outcome: "success" };
}
