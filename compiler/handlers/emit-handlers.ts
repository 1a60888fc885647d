/** Emits all files of handlers, as in an empty folder. */

import { docComment } from "../4-emit/comments.ts";
import { stringLiteral } from "../4-emit/escape.ts";
import { group, layOut, sequence } from "../4-emit/layout.ts";
import { emitGenerated } from "./emit-generated.ts";
import { moduleSpecifier, payloadType, resultType, typesInSignature } from "./handler-signature.ts";
import { generatedModulePath, type Handler, type Handlers } from "./handlers.ts";

/**
 * Returns texts by path, with slashes. Existing files of the user take precedence over all files except the generated
 * module.
 */
export function emitHandlers(model: Handlers): ReadonlyMap<string, string> {
  const own = model.handlers.map((handler) => [handler.path, emitHandlerFile(handler)] as const);
  return new Map([[generatedModulePath, emitGenerated(model)], ...own]);
}

/** Returns the initial text of a file that the user edits afterwards. */
export function emitHandlerFile(handler: Handler): string {
  const { name, label, functionName, path } = handler;
  const types = typesInSignature(handler);
  const specifier = stringLiteral(moduleSpecifier(path, generatedModulePath));
  const imports =
    types.length === 0
      ? ""
      : `${layOut(sequence("import type ", group("{ ", types, " }"), ` from ${specifier};`))}\n\n`;
  const result = handler.result === null ? "void" : resultType(handler);
  const verb = handler.kind === "action" ? "Answers" : "Is called for";
  const signature = sequence(
    `export async function ${functionName}`,
    group("(", [`_payload: ${payloadType(handler)}`], ")"),
    `: Promise<${result}> {`,
  );
  return [
    "// Yours: `engine handlers` keeps types and imports of the function up to date, and nothing else.\n",
    imports,
    docComment([`${verb} ${label}.`]),
    `${layOut(signature)}\n  throw new Error(${stringLiteral(`${name} is not written yet`)});\n}\n`,
  ].join("");
}
