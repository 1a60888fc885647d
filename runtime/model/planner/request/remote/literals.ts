/** GraphQL values that the metadata writes, as literals and as JSON. */
import { type ConstValueNode, parseConstValue } from "graphql";
import { defaultValue } from "../../../definitions/saved/variable.ts";

export function literalOfText(text: string): ConstValueNode {
  return parseConstValue(text, { noLocation: true });
}

/** Numbers keep their digits. */
export function jsonOfText(text: string): unknown {
  return defaultValue(literalOfText(text));
}
