/**
 * The template of a source that selects a connection for each request (`docs/how-to/scaling.md`). Its result must be one of
 * the values in `$`, compared by identity: no text of a request can select a connection, and no template can read
 * connection details.
 */
import type { ConnectionTarget, RoutedRequest } from "../../values/connection-target.ts";
import { runToCompletion } from "../../values/interruptible.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { Budget } from "./budget.ts";
import { programOf } from "./compile-template.ts";
import { evaluate, outcomeOf, type Program } from "./evaluator.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";
import { parseTemplate } from "./parser.ts";
import type { Node, Step } from "./syntax.ts";
import { attempt, type Outcome, type TemplateError, TemplateFailure } from "./template-error.ts";

/** Connections of a source besides its primary. */
export interface Connections {
  readonly hasReplicas: boolean;
  /** Member names of the connection set. */
  readonly members: readonly string[];
}

export interface ConnectionTemplate {
  /** Selects a connection. Errors: errors of the evaluation, and a result that is not a connection. */
  resolve(request: RoutedRequest): Outcome<ConnectionTarget>;
}

/** Credentials are hidden: authentication has already turned them into session variables. */
const hiddenHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "x-engine-admin-secret",
  "x-engine-access-key",
]);

/** Compiles the template. Errors: syntax errors, and connections that the source does not have. */
export function compileConnectionTemplate(source: string, connections: Connections): Outcome<ConnectionTemplate> {
  const parsed = parseTemplate(source, "expressions");
  if (!parsed.ok) return parsed;
  const checked = attempt(source, () => checkNames(parsed.value.root, connections));
  if (!checked.ok) return checked;
  const program = programOf(parsed.value);
  const targets = new Map<JsonValue, ConnectionTarget>();
  const place = (target: ConnectionTarget): JsonObject => {
    const own = {};
    targets.set(own, target);
    return own;
  };
  const { hasReplicas, members } = connections;
  const fixed = {
    default: place({ routing_to: "default", value: null }),
    primary: place({ routing_to: "primary", value: null }),
    ...(hasReplicas && { read_replicas: place({ routing_to: "read_replicas", value: null }) }),
    connection_set: Object.fromEntries(
      members.map((value) => [value, place({ routing_to: "connection_set", value })] as const),
    ),
  };
  return { ok: true, value: { resolve: (request) => resolve(program, { fixed, targets }, request) } };
}

/** Formats errors on one line. */
export function connectionTemplateReason(errors: readonly TemplateError[]): string {
  return `connection template: ${errors.map(({ message }) => message).join(" ")}`;
}

/** Routing is not interrupted, so it is limited to about a millisecond. */
const routingLimits = {
  steps: 10_000,
  outputCharacters: 64 * 1024,
  outputValues: 1000,
  milliseconds: Number.POSITIVE_INFINITY,
};

interface Places {
  readonly fixed: JsonObject;
  /** Targets by identity of the values in `$`. */
  readonly targets: ReadonlyMap<JsonValue, ConnectionTarget>;
}

function resolve(program: Program, { fixed, targets }: Places, request: RoutedRequest): Outcome<ConnectionTarget> {
  const root: JsonObject = { ...fixed, request: requestValue(request) };
  const scope = { variables: new Map([["$", root]]), functions: new Map() };
  const found = outcomeOf(program, runToCompletion(evaluate([program], scope, new Budget(routingLimits))));
  if (!found.ok) return found;
  const target = targets.get(found.value);
  if (target !== undefined) return { ok: true, value: target };
  const message = "It has to give one of $.default, $.primary, $.read_replicas and $.connection_set.<name>.";
  return { ok: false, errors: [{ error_code: "Type Error", message }] };
}

function requestValue({ headers, session, query }: RoutedRequest): JsonObject {
  const shown = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !hiddenHeaders.has(entry[0]),
  );
  return {
    headers: Object.fromEntries(shown),
    session: Object.fromEntries(session),
    ...(query && { query: { ...query } }),
  };
}

const requestMembers = ["headers", "session", "query"];
const queryMembers = ["operation_type", "operation_name"];

/** Reports names that can never exist, in all branches, when the template is compiled. */
function checkNames(root: Node, { hasReplicas, members }: Connections): void {
  const top = ["request", "default", "primary", "connection_set", ...(hasReplicas ? ["read_replicas"] : [])];
  const check = (steps: readonly Step[], at: number, known: readonly string[], start: number): string | undefined => {
    const step = steps[at];
    if (step === undefined || typeof step.accessor === "object") return undefined;
    const name = String(step.accessor);
    if (known.includes(name) || step.optional) return name;
    const hint = didYouMean(name, known);
    const lacks = name === "read_replicas" ? "The source has no read replicas." : `There is no '${name}'.`;
    const message = hint === undefined ? lacks : `${lacks} ${hint}`;
    throw new TemplateFailure("Attribute Error", message, { start, end: step.end });
  };
  for (const { node, bound } of nodesOf(root, new Set())) {
    if (node.kind === "variable" && node.name !== "$" && !bound.has(node.name)) {
      throw new TemplateFailure("Name Error", `Variable '${node.name}' not in scope.`, node);
    }
    if (node.kind !== "path" || node.base.kind !== "variable" || node.base.name !== "$") continue;
    const { steps, start } = node;
    const first = check(steps, 0, top, start);
    if (first === "connection_set") check(steps, 1, members, start);
    if (first === "request" && check(steps, 1, requestMembers, start) === "query") check(steps, 2, queryMembers, start);
  }
}

interface Place {
  readonly node: Node;
  /** Variables of the enclosing `range` blocks. */
  readonly bound: ReadonlySet<string>;
}

function* nodesOf(node: Node, bound: ReadonlySet<string>): Iterable<Place> {
  yield { node, bound };
  if (node.kind === "range") {
    yield* nodesOf(node.list, bound);
    const inside = new Set([...bound, node.item, ...(node.index === undefined ? [] : [node.index])]);
    yield* nodesOf(node.body, inside);
    return;
  }
  for (const child of childrenOf(node)) yield* nodesOf(child, bound);
}

function childrenOf(node: Exclude<Node, { kind: "range" }>): readonly Node[] {
  switch (node.kind) {
    case "constant":
    case "variable":
      return [];
    case "interpolation":
      return node.parts.filter((part) => typeof part !== "string");
    case "array":
      return node.items;
    case "object":
      return node.members.map(([, member]) => member);
    case "path":
      return [node.base, ...node.steps.flatMap(({ accessor }) => (typeof accessor === "object" ? [accessor] : []))];
    case "call":
      return [node.argument];
    case "not":
      return [node.operand];
    case "operation":
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case "if":
      return [...node.branches.flatMap(({ condition, value }) => [condition, value]), node.otherwise];
  }
}
