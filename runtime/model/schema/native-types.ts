/** What requests give to native queries and stored procedures (`graphql-api.md` 5.9). */

import { lazy, sortedMap } from "../../values/lazy.ts";
import { isName } from "../definitions/naming.ts";
import type { TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import type { TypeRegistry } from "./registry.ts";
import type { InputField, InputObjectTypeDef } from "./types.ts";

/** `args`; nothing where the rows are those of a table, or of a query that takes nothing. */
export function* nativeArguments(types: TypeRegistry, { table }: TableView): Iterable<readonly [string, InputField]> {
  const { query, source } = table;
  // One that GraphQL cannot name is always NULL.
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
