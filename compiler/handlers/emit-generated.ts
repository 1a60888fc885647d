/** Emits the generated module of handlers. */
import { docComment, headerText, lineWidth } from "../4-emit/comments.ts";
import { propertyKey, stringLiteral } from "../4-emit/escape.ts";
import { type Code, group, layOut, object, sequence } from "../4-emit/layout.ts";
import { hash } from "../catalog/canonical.ts";
import type { JsonMember, JsonType } from "../dialects/json-type.ts";
import { declarationText, moduleSpecifier, payloadType, resultType } from "./handler-signature.ts";
import { type DeclaredType, generatedModulePath, type Handler, type Handlers } from "./handlers.ts";
import { defineText, routerText } from "./text/router.ts";
import { serversText } from "./text/servers.ts";

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

/** Emits the definition of a handler. The user's function is checked against the type arguments. */
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

// Prints JSON types as zod validators.

const step = "  ";

/** Prints a validator that starts on a line with this margin. */
function validatorText(type: JsonType, margin = ""): string {
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

/** Prints an object. Optional members with names of `Object.prototype` are read from own properties only. */
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

/** Fixed part of the generated module: types in the calls of all handlers, and their validators. */
export const sharedTypesText = `/** Session variables of an action's caller or of a change, with names in lower case. */
export type SessionVariables = Readonly<Record<string, string>>;

/** Trace context of a change. */
export type TraceContext = Readonly<Record<string, string>>;

/** Number of earlier attempts of an event, and maximum number of retries. */
export interface DeliveryInfo {
  readonly current_retry: number;
  readonly max_retries: number;
}

export const SessionVariables: z.ZodType<SessionVariables> = z.record(z.string(), z.string());
export const TraceContext: z.ZodType<TraceContext> = z.record(z.string(), z.string());
export const DeliveryInfo: z.ZodType<DeliveryInfo> = z.object({
  current_retry: z.number(),
  max_retries: z.number(),
});
`;

/** JSON cannot represent these numbers. */
export const floatText = `const float = z.union([z.number(), z.enum(["NaN", "Infinity", "-Infinity"]).transform(Number)]);
`;

export const numberOrTextText = `const numberOrText = z.union([z.number(), z.string()]);
`;

/** JavaScript objects inherit members such as `constructor`, which must not count as optional members of JSON. */
export const ownMembersText = `const ownMembers = <T>(type: z.ZodType<T>): z.ZodType<T> =>
  z.preprocess((value) => (isRecord(value) ? Object.assign(Object.create(null), value) : value), type);
`;

/** Fixed part of the generated module: verifies signatures of calls (Standard Webhooks 1.0). */
export const signatureText = `// ---------------------------------------------------------------- signatures

/** A received call. */
export interface SignedCall {
  readonly headers: Headers;
  /** The bytes of the body: a body that was parsed and serialized again has another signature. */
  readonly body: Uint8Array;
}

export interface SignatureOptions {
  /** Maximum difference between the times of the call and of this machine; default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Returns milliseconds since 1970; default: the clock of this machine. */
  readonly now?: (() => number) | undefined;
}

/**
 * Returns true if one of the secrets signed the call recently (https://www.standardwebhooks.com).
 * @param secrets base64, with or without "whsec_"
 * @throws TypeError for a malformed secret
 */
export async function isSigned(
  call: SignedCall,
  secrets: readonly string[],
  { toleranceSeconds = 300, now = Date.now }: SignatureOptions = {},
): Promise<boolean> {
  const id = call.headers.get("webhook-id");
  const timestamp = call.headers.get("webhook-timestamp");
  const given = (call.headers.get("webhook-signature") ?? "").split(" ").flatMap((each) => {
    const [version, signature] = each.split(",", 2);
    return version === "v1" && signature !== undefined ? [signature] : [];
  });
  if (id === null || timestamp === null || !/^\\d{1,12}$/.test(timestamp)) return false;
  // Negated, so that a tolerance that is not a number refuses every call.
  if (!(Math.abs(now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const start = new TextEncoder().encode(\`\${id}.\${timestamp}.\`);
  const message = new Uint8Array(start.length + call.body.length);
  message.set(start);
  message.set(call.body, start.length);
  let found = false;
  for (const secret of secrets) {
    const expected = await signatureOf(message, keyOf(secret));
    // All signatures are compared, so that the duration reveals nothing.
    for (const each of given) found = isSameText(each, expected) || found;
  }
  return found;
}

async function signatureOf(message: Uint8Array<ArrayBuffer>, key: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
  return btoa(String.fromCharCode(...signature));
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.trim().replace(/^whsec_/, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new TypeError("a signing secret is whsec_ and base64");
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Compares in a time that does not depend on the position of a difference. */
function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < other.length; i++) difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  return difference === 0;
}
`;
