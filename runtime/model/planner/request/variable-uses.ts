/** Where the variables of a request are used, and whether their declared types are those of their places. */
import { Kind, type TypeNode, type ValueNode } from "graphql";
import { EngineError } from "../../../values/errors.ts";
import { typeNodeText } from "../../definitions/saved/variable.ts";
import { type InputField, type InputTypeDef, typeText } from "../../schema/types.ts";

/** Where a variable is used: what its structure means. */
export interface VariableUse {
  readonly type: InputTypeDef;
  readonly list: boolean;
}

/** The uses of each variable, by name; no two of a variable mean the same. */
export type VariableUses = ReadonlyMap<string, readonly VariableUse[]>;

/**
 * Adds a use unless it is known. All uses count: the same variable can be a filter, whose structure decides the
 * statement, and a value inside a JSON literal, or a filter of equally named tables of two sources.
 */
export function addUse(uses: Map<string, VariableUse[]>, name: string, use: VariableUse): void {
  const known = uses.get(name);
  if (!known) uses.set(name, [use]);
  else if (!known.some((other) => isSameUse(other, use))) known.push(use);
}

/** A variable stands where its value is passed on as it is. */
export const passedOn: VariableUse = { type: { kind: "scalar", name: "" }, list: false };

function isSameUse(a: VariableUse, b: VariableUse): boolean {
  return (isPlain(a.type) && isPlain(b.type)) || (a.type === b.type && a.list === b.list);
}

/** Values of plain scalars are parameters, whatever the type. */
const isPlain = (type: InputTypeDef): boolean => type.kind === "scalar" && type.structure === undefined;

/** A variable's declared type must be that of its place (GraphQL specification, 5.8.5). */
export function checkVariableType(
  name: string,
  declared: TypeNode,
  defaultValue: ValueNode | undefined,
  field: InputField,
  path: string,
): void {
  const place = typeText(field);
  const text = typeNodeText(declared);
  const hasDefault =
    (defaultValue !== undefined && defaultValue.kind !== Kind.NULL) || field.defaultValue !== undefined;
  const isOfType = bare(text) === bare(place) || bare(text) === field.alsoDeclared;
  const fits = isOfType && (text.endsWith("!") || !place.endsWith("!") || hasDefault);
  if (!fits)
    throw new EngineError(
      "validation-failed",
      path,
      `variable '${name}' is declared as '${text}', but used where '${place}' is expected`,
    );
}

/** Without the outermost `!`; items of lists may be declared stricter or laxer than their place. */
export function bare(type: string): string {
  return type.replace(/!$/, "").replace(/!(?=\])/g, "");
}
