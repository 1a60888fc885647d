/** Types of the argument of a native query or stored procedure. */

import { lazy, sortedMap } from "../../values/lazy.ts";
import { isName } from "../definitions/naming.ts";
import type { TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import type { TypeRegistry } from "./registry.ts";
import type { InputField, InputObjectTypeDef } from "./types.ts";

/** Yields `args`; nothing for tables, and for queries without arguments. */
export function* nativeArguments(types: TypeRegistry, { table }: TableView): Iterable<readonly [string, InputField]> {
  const { query, source } = table;
  // An argument without a valid GraphQL name is always NULL.
  const given = query?.arguments.filter(({ name }) => isName(name)) ?? [];
  if (!query || given.length === 0) return;
  const name = source.naming.type(query.name, "arguments");
  const fields = lazy(() =>
    sortedMap(
      given.map(({ name, type, nullable, description }): [string, InputField] => [
        name,
        {
          ...argument(() => types.scalarOf(type), description, {
            list: type.element !== undefined,
            required: !nullable,
          }),
          ...(nullable ? { nullIsValue: true } : {}),
        },
      ]),
    ),
  );
  const type = () => types.of(source).get<InputObjectTypeDef>(name, () => ({ kind: "input", name, fields }));
  const of = "procedure" in query ? "Stored Procedure" : "Native Query";
  yield ["args", argument(type, `${of} argument ${query.name}`, { required: true })];
}
