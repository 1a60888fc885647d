/** Directives of requests and their allowed locations. */
import { type DirectiveNode, OperationTypeNode } from "graphql";
import { EngineError } from "../../../values/errors.ts";
import { didYouMean } from "../../../values/nearest-name.ts";

/** Directive locations, as named in messages. */
export type DirectivePlace =
  | "a query"
  | "a mutation"
  | "a subscription"
  | "a fragment definition"
  | "a fragment spread"
  | "an inline fragment"
  | "a field";

interface Directive {
  readonly places: ReadonlySet<DirectivePlace>;
  readonly arguments: ReadonlySet<string>;
}

const ofSelections: Directive = {
  places: new Set(["a fragment spread", "an inline fragment", "a field"]),
  arguments: new Set(["if"]),
};

const directives: ReadonlyMap<string, Directive> = new Map([
  ["include", ofSelections],
  ["skip", ofSelections],
  ["cached", { places: new Set(["a query"]), arguments: new Set(["ttl", "refresh"]) }],
  // Hidden: allows tests to select several root fields in one subscription.
  ["_multiple_top_level_fields", { places: new Set(["a subscription"]), arguments: new Set<string>() }],
]);

/** Directives that hints may name. */
const shownDirectives: readonly string[] = [...directives.keys()].filter((name) => !name.startsWith("_"));

export const placeOf = {
  [OperationTypeNode.QUERY]: "a query",
  [OperationTypeNode.MUTATION]: "a mutation",
  [OperationTypeNode.SUBSCRIPTION]: "a subscription",
} as const;

/** @throws EngineError `validation-failed` if a directive is unknown, not allowed at this location, or repeated */
export function checkDirectives(given: readonly DirectiveNode[], place: DirectivePlace, path: string): void {
  const seen = new Set<string>();
  for (const { name: node, arguments: args = [] } of given) {
    const name = node.value;
    const directive = directives.get(name);
    if (!directive) {
      const error = invalid(path, `directive '${name}' is not defined in the schema`);
      throw error.withHint(() => didYouMean(name, shownDirectives));
    }
    if (!directive.places.has(place)) throw invalid(path, `directive '${name}' is not allowed on ${place}`);
    if (seen.has(name)) throw invalid(path, `the following directives are used more than once: ['${name}']`);
    seen.add(name);
    const unknown = args.find((argument) => !directive.arguments.has(argument.name.value));
    if (unknown) throw invalid(path, `'${name}' has no argument named '${unknown.name.value}'`);
  }
}

const invalid = (path: string, message: string): EngineError => new EngineError("validation-failed", path, message);
