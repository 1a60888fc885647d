/**
 * The only way of text from metadata or databases into a generated module: as a string, inside an SQL template, in a
 * comment, or as the name of a property. Names of variables are made in `identifiers.ts`.
 */

/** Characters that end lines, steer terminals and editors, or cannot be seen. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

function escapeHidden(text: string): string {
  return text.replace(hidden, (character) => {
    if (character === "\n") return "\\n";
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** A string in double quotes. */
export function stringLiteral(text: string): string {
  return escapeHidden(JSON.stringify(text));
}

/** What stands between the backticks of a template, apart from its interpolations. */
export function templateText(text: string): string {
  return escapeHidden(text.replace(/[\\`]|\$(?=\{)/g, "\\$&"));
}

/** A template without interpolations. */
export function templateLiteral(text: string): string {
  return `\`${templateText(text)}\``;
}

/** The same with the lines of the text. */
export function templateLines(text: string): string {
  return text.split("\n").map(templateText).join("\n");
}

/**
 * Text inside a comment, on one line. It cannot end the comment, nor begin with what tools read as an instruction
 * (`@ts-expect-error`, `#__PURE__`, `# sourceMappingURL`).
 */
export function commentText(text: string): string {
  return escapeHidden(text.trim().replace(/\s+/g, " "))
    .replaceAll("*/", "*\\/")
    .replace(/(?<![\w\\])[@#](?=[ A-Za-z_])/g, "\\$&");
}

const simpleKey = /^[A-Za-z_$][\w$]*$/;
/** In an object literal this key means the prototype, unless it is computed. */
const prototypeKey = "__proto__";

/** The key of a property in an object literal. */
export function propertyKey(name: string): string {
  if (name === prototypeKey) return `["${prototypeKey}"]`;
  return simpleKey.test(name) ? name : stringLiteral(name);
}

/** The property of a variable. */
export function propertyAccess(variable: string, name: string): string {
  return simpleKey.test(name) && name !== prototypeKey ? `${variable}.${name}` : `${variable}[${stringLiteral(name)}]`;
}
