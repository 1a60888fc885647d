/**
 * Links that open an operation in the console. The document is in the fragment, which browsers do not send. Role,
 * session variables and variables are not part of a link.
 */
import { Kind, parse } from "graphql";

const parameter = "operation";

/** Maximum length of a shared document in characters. Browsers and messengers cut longer addresses. */
const maxLength = 20_000;

/** Bounds the work for a hostile document. */
const maxTokens = 5000;

/** Control characters, and those that change the direction of text: what runs could differ from what is visible. */
const invisible = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** Returns the fragment for a document. @throws Error if it is too long */
export function fragmentOf(document: string): string {
  if (document.length > maxLength)
    throw new Error(
      `Only operations of up to ${maxLength.toLocaleString()} characters fit into a link. Save it instead.`,
    );
  const binary = Array.from(new TextEncoder().encode(document), (byte) => String.fromCharCode(byte)).join("");
  return `#${parameter}=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Returns the document in a fragment; `null` if it has none. @throws Error with the reason to refuse it */
export function documentIn(fragment: string): string | null {
  const encoded = new URLSearchParams(fragment.replace(/^#/, "")).get(parameter);
  if (encoded === null) return null;
  // Four characters for three bytes; a character has at most three bytes in UTF-8 for each UTF-16 unit.
  if (encoded.length > maxLength * 4) throw refused("it is too long");
  const document = decoded(encoded);
  if (document.length > maxLength) throw refused("it is too long");
  if (invisible.test(document.replace(/[\t\r\n]/g, ""))) throw refused("it contains invisible characters");
  for (const { kind } of definitionsOf(document)) {
    if (kind !== Kind.OPERATION_DEFINITION && kind !== Kind.FRAGMENT_DEFINITION)
      throw refused("it contains something other than operations and fragments");
  }
  return document;
}

const refused = (reason: string): Error => new Error(`The operation in the link was not opened: ${reason}.`);

function decoded(encoded: string): string {
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")), (each) =>
      each.charCodeAt(0),
    );
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refused("the link is damaged or cut");
  }
}

function definitionsOf(document: string) {
  try {
    return parse(document, { noLocation: true, maxTokens }).definitions;
  } catch {
    throw refused("it is not a GraphQL document");
  }
}
