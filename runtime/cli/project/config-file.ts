/** `config.yaml` of a project, version 3 (`operations.md` 17). Input: its path. Output: the settings that it makes. */
import { dirname } from "node:path";
import * as z from "zod";
import type { Json } from "../../../compiler/catalog/model.ts";
import { EngineError, pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { FileLoader } from "../metadata-directory/load-files.ts";
import { Locations } from "../metadata-directory/locations.ts";
import { printProblems } from "./output.ts";

const expected = (what: string) => ({ error: `expected ${what}` });
const text = z.string(expected("a text"));
/** `null`: the key stands there without a value. */
const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);

const schema = z.object(
  {
    version: z.literal(
      3,
      expected('"version: 3"; `engine import` makes a project of version 3 from one of version 1 or 2'),
    ),
    endpoint: optional(text),
    admin_secret: optional(text),
    admin_secrets: optional(z.array(text, expected("a list of texts"))),
    insecure_skip_tls_verify: optional(z.boolean(expected("true or false"))),
    certificate_authority: optional(text),
    metadata_directory: optional(text),
    migrations_directory: optional(text),
    seeds_directory: optional(text),
  },
  expected("an object"),
);

export type ConfigFile = Partial<Omit<z.output<typeof schema>, "version">>;

/** Keys of the file's format that no command here needs. */
const accepted = ["actions", "api_paths"];

/**
 * A missing file makes no settings; keys that nobody knows are told.
 * @throws EngineError with file, line and column for wrong syntax and wrong values
 */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const locations = new Locations();
  const read = await new FileLoader(dirname(path), locations).read(path);
  if (read === undefined) return {};
  const result = schema.safeParse(read.value);
  if (result.success) {
    warnOfUnknownKeys(path, read.value, locations);
    return result.data;
  }
  const [issue] = result.error.issues;
  const keys = (issue?.path ?? []).map((key) => (typeof key === "number" ? key : String(key)));
  const found = locations.find(read.value, pathTo("$", ...keys));
  const place = found === undefined ? path : `${found.file}:${found.line}:${found.column}`;
  const key = keys.length === 0 ? "" : `${keys.join(".")}: `;
  throw new EngineError("parse-failed", "$", `${place}: ${key}${issue?.message ?? ""}`);
}

function warnOfUnknownKeys(path: string, value: Json, locations: Locations): void {
  const known = [...Object.keys(schema.shape), ...accepted];
  const unknown = Object.keys(isObject<Json>(value) ? value : {}).filter((key) => !known.includes(key));
  const lines = unknown.map((key) => {
    const found = locations.find(value, pathTo("$", key));
    const place = found === undefined ? path : `${found.file}:${found.line}:${found.column}`;
    const hint = didYouMean(key, known);
    return `warning: ${place}: no setting has the name ${JSON.stringify(key)}${hint === undefined ? "" : `: ${hint}`}`;
  });
  printProblems(lines);
}
