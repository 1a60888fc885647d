/** Variables of requests to remote servers: where their values come from, and what checks them. */

import { lazy } from "../../../../values/lazy.ts";
import type { RemoteSchema } from "../../../definitions/remote/remote-schema.ts";
import type { InputTypeDef } from "../../../schema/types.ts";
import type { RemoteVariable } from "./remote-request.ts";
import { sessionReader, valueReader } from "./values.ts";

/** What is read of the variable of the operation that has the same name. */
export interface GivenVariable extends Pick<RemoteVariable, "name" | "type" | "defaultValue"> {
  readonly remote: RemoteSchema;
  /** As the operation declares it, in the names of the role. */
  readonly declared: string;
  /** The type that is declared, without lists; asked for when a value comes. */
  readonly input: () => InputTypeDef;
  /** Of the place where the variable stands. */
  readonly path: string;
  /** What stands in where a request gives no value; absent: what the server is told, or nothing. */
  readonly otherwise?: unknown;
}

export function givenVariable(variable: GivenVariable): RemoteVariable {
  const { remote, name, type, defaultValue, declared, input, path } = variable;
  const reader = lazy(() => valueReader({ remote, path }, input(), declared));
  return {
    name,
    type,
    ...(defaultValue !== undefined && { defaultValue }),
    value: {
      kind: "request",
      declared,
      path,
      read: (value, session) => reader()(value, session),
      ...(variable.otherwise !== undefined && { otherwise: variable.otherwise }),
    },
  };
}

/** @param variable of the session @param type of the place, as the server calls it */
export function sessionVariable(name: string, variable: string, type: string): RemoteVariable {
  const read = sessionReader({ kind: "session", variable, type });
  return { name, type, value: { kind: "session", variable, read } };
}
