/** Creates variables of upstream requests from variables of the operation or the session. */

import { lazy } from "../../../../values/lazy.ts";
import type { RemoteSchema } from "../../../definitions/remote/remote-schema.ts";
import type { InputTypeDef } from "../../../schema/types.ts";
import type { RemoteVariable } from "./remote-request.ts";
import { sessionReader, valueReader } from "./values.ts";

/** An upstream variable with the value of the operation's variable of the same name. */
export interface OperationVariable extends Pick<RemoteVariable, "name" | "type" | "defaultValue"> {
  readonly remote: RemoteSchema;
  /** Type as declared by the operation, in the role's names. */
  readonly declared: string;
  /** Returns the declared type without lists; called for the first value. */
  readonly input: () => InputTypeDef;
  /** Request path of the variable. */
  readonly path: string;
  /** JSON default that the upstream request cannot declare, if any. */
  readonly otherwise?: unknown;
}

export function operationVariable(variable: OperationVariable): RemoteVariable {
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

/**
 * Returns an upstream variable with the value of a session variable.
 * @param variable name of the session variable
 * @param type upstream type of the argument or input field
 */
export function sessionVariable(name: string, variable: string, type: string): RemoteVariable {
  const read = sessionReader({ kind: "session", variable, type });
  return { name, type, value: { kind: "session", variable, read } };
}
