/** Prints JSON as YAML that `yaml-file.ts` reads back unchanged. */

import {
  type CreateNodeOptions,
  Document,
  type DocumentOptions,
  Scalar,
  type SchemaOptions,
  type ToStringOptions,
  visit,
} from "yaml";
import type { Json } from "../../compiler/catalog/model.ts";
import { escapeDirectionControls, hasDirectionControls } from "../values/direction-controls.ts";
import { JsonNumber } from "../values/json-number.ts";
import { stringTag } from "./yaml-file.ts";

/** A part of the value in another file, with a path relative to this one. */
export class IncludedFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }
}

export type YamlContent = Json | IncludedFile | readonly YamlContent[] | { readonly [key: string]: YamlContent };

const exactNumber = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value: unknown) => value instanceof JsonNumber,
  resolve: (text: string) => new JsonNumber(text),
  stringify: ({ value }: { readonly value: unknown }) => String(value),
};

export const yamlOptions = {
  aliasDuplicateObjects: false,
  lineWidth: 0,
  // Readers of YAML 1.1 would parse an unquoted `yes` or `on` as a boolean.
  compat: "yaml-1.1" as const,
  customTags: [exactNumber],
} satisfies DocumentOptions & SchemaOptions & CreateNodeOptions & ToStringOptions;

export function yamlText(content: YamlContent): string {
  return documentText(yamlDocument(content));
}

export function yamlDocument(content: YamlContent): Document {
  return new Document(prepared(content), yamlOptions);
}

/** Direction controls in the result are escapes, so that they cannot reorder the text around them. */
export function documentText(document: Document, options: ToStringOptions = {}): string {
  const toText = (): string => document.toString({ ...yamlOptions, ...options });
  const text = toText();
  if (!hasDirectionControls(text)) return text;
  // Only double quotes have escapes.
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && hasDirectionControls(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return escapeDirectionControls(toText());
}

/** Returns the value to print: texts that look like an include are marked as strings. */
function prepared(content: YamlContent): unknown {
  if (content instanceof IncludedFile) return quoted(`!include ${content.path}`);
  if (typeof content === "string" && content.startsWith("!include")) return literal(content);
  if (typeof content !== "object" || content === null || content instanceof JsonNumber) return content;
  if (Array.isArray(content)) return content.map(prepared);
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, prepared(value)]));
}

function quoted(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/** Marks text that looks like an include as a string. */
function literal(text: string): Scalar {
  const scalar = quoted(text);
  scalar.tag = stringTag;
  return scalar;
}
