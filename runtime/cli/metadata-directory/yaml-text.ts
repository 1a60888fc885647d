/** Prints JSON as YAML that `yaml-file.ts` reads back unchanged. */

import { Scalar, stringify } from "yaml";
import type { Json } from "../../../compiler/catalog/model.ts";
import { JsonNumber } from "../../values/json-number.ts";
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

export function yamlText(content: YamlContent): string {
  return stringify(prepared(content), {
    aliasDuplicateObjects: false,
    lineWidth: 0,
    // Readers of YAML 1.1 would parse an unquoted `yes` or `on` as a boolean.
    compat: "yaml-1.1",
    customTags: [exactNumber],
  });
}

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
