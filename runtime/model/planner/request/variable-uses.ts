/** Records uses of a request's variables and checks their declared types. */
import { Kind, type TypeNode, type ValueNode } from "graphql";
import { EngineError } from "../../../values/errors.ts";
import { typeNodeText } from "../../definitions/saved/variable.ts";
import { type InputField, type InputTypeDef, typeText } from "../../schema/types.ts";

/** A use of a variable, which gives its structure a meaning. */
export interface VariableUse {
  readonly type: InputTypeDef;
  readonly list: boolean;
}

/** Distinct uses of each variable, by name. */
export type VariableUses = ReadonlyMap<string, readonly VariableUse[]>;

/**
 * Adds a use if it is new. All uses count: the same variable can be a filter, whose structure determines the
 * statement, and a value inside a JSON literal, or a filter of tables with equal names in two sources.
 */
export function addUse(uses: Map<string, VariableUse[]>, name: string, use: VariableUse): void {
  const known = uses.get(name);
  if (!known) uses.set(name, [use]);
  else if (!known.some((other) => isSameUse(other, use))) known.push(use);
}

/** Use of a variable whose value is passed on unchanged. */
export const rawUse: VariableUse = { type: { kind: "scalar", name: "" }, list: false };

function isSameUse(a: VariableUse, b: VariableUse): boolean {
  return (isPlain(a.type) && isPlain(b.type)) || (a.type === b.type && a.list === b.list);
}

/** Returns true for scalars without structure, whose values are parameters. */
const isPlain = (type: InputTypeDef): boolean => type.kind === "scalar" && type.structure === undefined;

/** Checks that a variable's declared type is allowed at its location (GraphQL specification, 5.8.5). */
export function checkVariableType(
  name: string,
  declared: TypeNode,
  defaultValue: ValueNode | undefined,
  field: InputField,
  path: string,
): void {
  const expected = typeText(field);
  const text = typeNodeText(declared);
  const hasDefault =
    (defaultValue !== undefined && defaultValue.kind !== Kind.NULL) || field.defaultValue !== undefined;
  const isOfType = bare(text) === bare(expected) || bare(text) === field.alsoDeclared;
  const fits = isOfType && (text.endsWith("!") || !expected.endsWith("!") || hasDefault);
  if (!fits)
    throw new EngineError(
      "validation-failed",
      path,
      `variable '${name}' is declared as '${text}', but used where '${expected}' is expected`,
    );
}

/** Removes `!` at the end and from list items, whose nullability is not compared. */
export function bare(type: string): string {
  return type.replace(/!$/, "").replace(/!(?=\])/g, "");
}
