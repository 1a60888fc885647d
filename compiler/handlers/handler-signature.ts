/** What the function of a handler looks like: the types that it names, and where it finds them. */
import { posix } from "node:path";
import type { JsonType } from "../dialects/json-type.ts";
import type { Handler } from "./handlers.ts";
import { typeText } from "./type-text.ts";

/** As NodeNext and bundlers resolve it. */
export const moduleSpecifier = (from: string, to: string): string => {
  const relative = posix.relative(posix.dirname(from), to).replace(/\.ts$/, ".js");
  return relative.startsWith("../") ? relative : `./${relative}`;
};

export const payloadType = ({ payload }: Handler): string => payload ?? "unknown";

/** `unknown`: nothing is read of the answer. */
export const resultType = ({ result }: Handler): string => (result === null ? "unknown" : typeText(result));

/** Types of the generated module that the signature of a handler names. */
export function typesInSignature(handler: Handler): readonly string[] {
  const named = (type: JsonType): readonly string[] => {
    switch (type.kind) {
      case "named":
        return [type.name];
      case "list":
        return named(type.item);
      case "nullable":
        return named(type.of);
      default:
        return [];
    }
  };
  return [
    ...(handler.payload === null ? [] : [handler.payload]),
    ...(handler.result ? named(handler.result) : []),
  ].sort();
}
