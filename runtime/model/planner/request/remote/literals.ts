/** GraphQL literals of the metadata. */
import { type ConstValueNode, parseConstValue } from "graphql";
import { defaultValue } from "../../../definitions/saved/variable.ts";

export function literalOfText(text: string): ConstValueNode {
  return parseConstValue(text, { noLocation: true });
}

/** Converts a GraphQL literal to JSON, preserving the digits of numbers. */
export function jsonOfText(text: string): unknown {
  return defaultValue(literalOfText(text));
}
