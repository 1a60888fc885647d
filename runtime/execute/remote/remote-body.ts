/** The body of a request to a remote server, as JSON text. */
import type { RemotePlan } from "../../model/planner/request/remote/remote-request.ts";
import { stringifyJson } from "../../values/json-number.ts";

/** What stands around the variables: the same for every request of a plan. */
interface Around {
  readonly before: string;
  readonly after: string;
}

const known = new WeakMap<RemotePlan, Around>();

function aroundOf(plan: RemotePlan): Around {
  let around = known.get(plan);
  if (around === undefined) {
    const { query, operationName } = plan;
    const name = operationName === undefined ? "" : `,"operationName":${JSON.stringify(operationName)}`;
    around = { before: `{"query":${JSON.stringify(query)},"variables":{`, after: `}${name}}` };
    known.set(plan, around);
  }
  return around;
}

/** @param variables names and values */
export function remoteBody(plan: RemotePlan, variables: readonly (readonly [name: string, value: unknown])[]): string {
  const { before, after } = aroundOf(plan);
  // Names of GraphQL have nothing to escape.
  const members = variables.map(([name, value]) => `"${name}":${stringifyJson(value)}`);
  return `${before}${members.join(",")}${after}`;
}
