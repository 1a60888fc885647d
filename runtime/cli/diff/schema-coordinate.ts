/** Schema coordinates of changes of the API (GraphQL, September 2025, appendix "Schema Coordinates"). */
import type { Change } from "../../../compiler/access/change.ts";

type ApiChange = Pick<Change, "area" | "subject" | "aspect" | "name">;

/** Aspects whose names are members of the type. Others, such as its kind or the types of a union, belong to the type. */
const members: ReadonlySet<string> = new Set(["root field", "field", "value", "argument"]);

/** Returns `Type`, `Type.member` or `Type.field(argument:)`; `undefined` for changes outside of the API. */
export function schemaCoordinate({ area, subject, aspect, name }: ApiChange): string | undefined {
  if (area !== "api") return undefined;
  // A type of the Relay API has a suffix.
  const [type = ""] = subject.split(" ", 1);
  if (name === undefined || !members.has(aspect)) return type;
  return `${type}.${aspect === "argument" ? name.replace(/\)$/, ":)") : name}`;
}
