/** Handlers → the generated module. */
import { docComment, headerText, lineWidth } from "../4-emit/comments.ts";
import { stringLiteral } from "../4-emit/escape.ts";
import { type Code, group, layOut, object, sequence } from "../4-emit/layout.ts";
import { hash } from "../catalog/canonical.ts";
import { moduleSpecifier, payloadType, resultType } from "./handler-signature.ts";
import { type DeclaredType, generatedModulePath, type Handler, type Handlers } from "./handlers.ts";
import { defineText, routerText } from "./text/router.ts";
import { serversText } from "./text/servers.ts";
import { floatText, numberOrTextText, ownMembersText, sharedTypesText } from "./text/shared-types.ts";
import { signatureText } from "./text/signature.ts";
import { declarationText } from "./type-text.ts";
import { validatorText } from "./validator-text.ts";

export function emitGenerated(model: Handlers): string {
  const { types, handlers } = model;
  const checked = types.filter(({ isSent }) => isSent).map(validatorDeclaration);
  const uses = (helper: string) => checked.some((text) => new RegExp(`\\b${helper}\\b`).test(text));
  return [
    headerText("//", { from: "actions, event triggers and cron triggers", slice: hash(model) }) + importsText(handlers),
    "// ---------------------------------------------------------------- types\n",
    sharedTypesText,
    ...types.map((type) => docComment([type.comment]) + declarationText(type)),
    "// ---------------------------------------------------------------- validators, each named like its type\n",
    ...(uses("float") ? [floatText] : []),
    ...(uses("numberOrText") ? [numberOrTextText] : []),
    ...(uses("ownMembers") ? [ownMembersText] : []),
    ...checked,
    "// ---------------------------------------------------------------- handlers\n",
    ...(handlers.length === 0 ? [] : [defineText]),
    handlersText(handlers),
    routerText,
    serversText,
    signatureText,
  ].join("\n");
}

const isLine = (text: string): boolean => !text.trimEnd().includes("\n") && text.length <= lineWidth;

function validatorDeclaration({ name, type }: DeclaredType): string {
  const declared = `export const ${name}: z.ZodType<${name}> = z.lazy(() =>`;
  const flat = `${declared} ${validatorText(type)});\n`;
  return isLine(flat) ? flat : `${declared}\n  ${validatorText(type, "  ")},\n);\n`;
}

function importsText(handlers: readonly Handler[]): string {
  const lines = handlers.map(({ functionName, localName, path }) => {
    const specifier = stringLiteral(moduleSpecifier(generatedModulePath, path));
    const named = functionName === localName ? functionName : `${functionName} as ${localName}`;
    return `import { ${named} } from ${specifier};\n`;
  });
  return ['import { z } from "zod";\n', ...lines].join("");
}

function handlersText(handlers: readonly Handler[]): string {
  const items = handlers.map((handler) => `  ${layOut(definition(handler), 1)},\n`);
  const list = items.length === 0 ? "[]" : `[\n${items.join("")}]`;
  return `const handlers: readonly Handler[] = ${list};\n`;
}

/** The type arguments are what the user's function is checked against. */
function definition(handler: Handler): Code {
  const { kind, name, label, source, table, secrets, payload, localName } = handler;
  const text = (key: string, value: string) => `${key}: ${stringLiteral(value)}`;
  const about = object([
    text("kind", kind),
    text("name", name),
    text("label", label),
    ...(source === undefined ? [] : [text("source", source)]),
    ...(table ? [sequence("table: ", object([text("schema", table.schema), text("name", table.name)]))] : []),
    sequence("secrets: ", group("[", secrets.map(stringLiteral), "]")),
  ]);
  const types = `${payloadType(handler)}, ${resultType(handler)}`;
  return sequence(`define<${types}>`, group("(", [about, payload ?? "z.unknown()", localName], ")"));
}
