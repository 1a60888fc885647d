/** Syntax nodes for SDL: names, descriptions, `@deprecated`, `@oneOf`. */
import { type ConstDirectiveNode, Kind, type NameNode, type StringValueNode } from "graphql";

export const nameNode = (value: string): NameNode => ({ kind: Kind.NAME, value });

/** Matches text that a block string cannot represent, or that would not survive a round trip through one. */
const needsQuotes = /[\p{Cc}\p{Cs}]|^\s|\s$/u;

export function descriptionOf(description: string | undefined): { readonly description?: StringValueNode } {
  if (description === undefined || description === "") return {};
  const value = description.replace(/\p{Cs}/gu, "\ufffd");
  return { description: { kind: Kind.STRING, value, block: !needsQuotes.test(value.replaceAll("\n", " ")) } };
}

export const oneOf: ConstDirectiveNode = { kind: Kind.DIRECTIVE, name: nameNode("oneOf") };

export function deprecated(reason: string | undefined): readonly ConstDirectiveNode[] {
  if (reason === undefined) return [];
  const value = { kind: Kind.STRING, value: reason.replace(/\p{Cs}/gu, "\ufffd") } as const;
  const args = [{ kind: Kind.ARGUMENT, name: nameNode("reason"), value } as const];
  return [{ kind: Kind.DIRECTIVE, name: nameNode("deprecated"), arguments: args }];
}
