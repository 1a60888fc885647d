/** JSON types → zod validators of them. */
import { propertyKey, stringLiteral } from "../4-emit/escape.ts";
import type { JsonMember, JsonType } from "../dialects/json-type.ts";

const step = "  ";

/** The validator as code that begins on a line with this margin. */
export function validatorText(type: JsonType, margin = ""): string {
  switch (type.kind) {
    case "string":
    case "boolean":
    case "number":
    case "null":
    case "unknown":
      return `z.${type.kind}()`;
    case "float":
      return "float";
    case "number_or_text":
      return "numberOrText";
    case "literal":
      return `z.literal(${stringLiteral(type.value)})`;
    case "enum":
      return type.values.length === 0 ? "z.never()" : `z.enum([${type.values.map(stringLiteral).join(", ")}])`;
    case "named":
      // A type and its validator share a name.
      return type.name;
    case "list":
      return `z.array(${validatorText(type.item, margin)})`;
    case "nullable":
      return `z.nullable(${validatorText(type.of, margin)})`;
    case "union":
      return `z.union([${type.of.map((each) => validatorText(each, margin)).join(", ")}])`;
    case "record":
      return `z.record(z.string(), ${validatorText(type.value, margin)})`;
    case "object":
      return objectText(type.members, margin);
  }
}

/** Members that every object of JavaScript has are looked for where nothing else is. */
function objectText(members: readonly JsonMember[], margin: string): string {
  const text = plainObjectText(members, margin);
  return members.some(({ name, optional }) => optional && name in Object.prototype) ? `ownMembers(${text})` : text;
}

function plainObjectText(members: readonly JsonMember[], margin: string): string {
  if (members.length === 0) return "z.record(z.string(), z.never())";
  const inner = margin + step;
  const lines = members.map(({ name, type, optional }) => {
    const text = validatorText(type, inner);
    return `${inner}${propertyKey(name)}: ${optional ? `z.exactOptional(${text})` : text},\n`;
  });
  const [only] = lines;
  if (lines.length === 1 && only && !only.trimEnd().includes("\n")) return `z.object({ ${only.trim().slice(0, -1)} })`;
  return `z.object({\n${lines.join("")}${margin}})`;
}
