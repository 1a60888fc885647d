/** Metadata in a text that a user has chosen or pasted. */
import { LostNumber, parseRaw } from "../../http/json.ts";
import type { JsonObject } from "../../http/metadata-types.ts";

/**
 * Parses metadata as JSON or YAML: the document itself, or the response of `export_metadata` that contains it.
 * @param name name of the text in messages
 * @throws Error with a message for the user
 */
export async function readDocument(name: string, text: string): Promise<JsonObject> {
  const value = /^\s*[{[]/.test(text) ? parseJson(text) : (await import("./yaml.ts")).readYaml(name, text);
  if (!isObject(value)) throw new Error("This is not metadata. Expected an object with version and sources.");
  return isObject(value.metadata) ? value.metadata : value;
}

function parseJson(text: string): unknown {
  try {
    return parseRaw(text);
  } catch (thrown) {
    if (thrown instanceof LostNumber || !(thrown instanceof Error)) throw thrown;
    throw new Error(`This is not JSON: ${thrown.message}`);
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
