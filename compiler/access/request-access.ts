/** What a saved operation asks of remote servers → GraphQL text, and where the values of its variables come from. */

import { declarations, selectionText } from "../../runtime/model/planner/request/remote/remote-request.ts";
import type { JoinedArgumentIr, RemotePlaceIr, RemoteRequestIr, RemoteVariableIr } from "../5-plan/remotes-ir.ts";
import type { RequestAccess } from "./model.ts";

export function requestAccess({ remote, operation, name, fields, variables }: RemoteRequestIr): RequestAccess {
  const head = `${operation}${name === undefined ? "" : ` ${name}`}${declarations(variables)}`;
  const selection = selectionText(fields.map(({ field }) => field));
  return { remoteSchema: remote.as, query: `${head} ${selection}`, parameters: variables.map(variableText) };
}

/** The call for one key. */
export function callsAccess({ remote, call, selection, variables }: RemotePlaceIr): RequestAccess {
  const inner = selection === null ? "" : selectionText(selection);
  const text = call.reduceRight((below, { name, args }) => {
    const field = args.length === 0 ? name : `${name}(${membersText(args)})`;
    if (below === "") return field;
    return `${field} ${below.startsWith("{") ? below : `{ ${below} }`}`;
  }, inner);
  const query = `query${declarations(variables)} { ${text} }`;
  return { remoteSchema: remote.as, query, parameters: variables.map(variableText) };
}

function argumentText(argument: JoinedArgumentIr): string {
  switch (argument.kind) {
    case "text":
      return argument.text;
    case "key":
      return `<key ${argument.key + 1}>`;
    case "keys":
      return `[${argumentText(argument.item)}, …]`;
    case "list":
      return `[${argument.items.map(argumentText).join(", ")}]`;
    case "object":
      return `{${membersText(argument.fields)}}`;
    case "variable":
      return `<$${argument.name}, with what the relationship gives>`;
  }
}

const membersText = (members: readonly (readonly [name: string, value: JoinedArgumentIr])[]): string =>
  members.map(([name, value]) => `${name}: ${argumentText(value)}`).join(", ");

const variableText = (variable: RemoteVariableIr): string =>
  variable.kind === "session" ? `session variable ${variable.variable}` : `$${variable.name}`;
