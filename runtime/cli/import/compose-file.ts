/** Reads the environment of the original engine's service from a Compose file. */
import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isAlias, visit } from "yaml";
import type { Json } from "../../../compiler/catalog/model.ts";
import type { Environment } from "../../config/options.ts";
import { Locations } from "../../metadata-text/locations.ts";
import { parseYaml, yamlValue } from "../../metadata-text/yaml-file.ts";
import { EngineError, pathTo } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { JsonNumber } from "../../values/json-number.ts";
import { isBelow } from "../metadata-directory/load-files.ts";
import { readEnvironmentFile, readSmallFile } from "./env-file.ts";
import { interpolate } from "./interpolation.ts";
import { isPeerVariable } from "./peer-names.ts";

export const isComposeFile = (path: string): boolean =>
  /^(?:docker-)?compose(?:\.[\w.-]+)?\.ya?ml$/i.test(basename(path));

export interface ComposeInput {
  /** Name of the service; default the service of the original engine. */
  readonly service?: string | undefined;
  /** Takes precedence over `.env` beside the file, as in Compose. */
  readonly environment: Environment;
}

export interface ServiceEnvironment {
  readonly service: string;
  readonly variables: Environment;
  /** Names of variables without a value and a default, which are empty. */
  readonly missing: readonly string[];
}

/** @throws EngineError with file, line and column for an invalid file, and for an unknown or ambiguous service */
export async function readComposeFile(
  path: string,
  { service, environment }: ComposeInput,
): Promise<ServiceEnvironment> {
  const file = new ComposeFile(path, await readSmallFile(path));
  const beside = await file.besideEnvironment();
  const lookup = (name: string): string | undefined => environment[name] ?? beside[name];
  return file.environmentOf(file.chosenService(service), lookup);
}

type Members = ReadonlyMap<string, Json>;
type Lookup = (name: string) => string | undefined;

/** Aliases of real files are far fewer. Merging costs time for each of them. */
const maxAliases = 256;

class ComposeFile {
  readonly #path: string;
  readonly #folder: string;
  readonly #locations = new Locations();
  readonly #root: Json;
  readonly #merged = new WeakMap<object, Members>();

  constructor(path: string, text: string) {
    this.#path = path;
    this.#folder = dirname(path);
    try {
      const yaml = parseYaml({ file: path, text });
      let aliases = 0;
      visit(yaml.document, (_key, node) => {
        if (isAlias(node)) aliases++;
      });
      if (aliases > maxAliases) throw this.#refused(`it has more than ${maxAliases} aliases`);
      // The tag of metadata directories is a plain text here.
      this.#root = yamlValue(yaml, this.#locations, (target) => ({
        value: `!include ${target}`,
        place: undefined,
      })).value;
    } catch (error) {
      if (error instanceof RangeError) throw this.#refused("it is nested too deeply");
      throw error;
    }
  }

  /** Returns the variables of `.env` beside the file, which values may refer to. */
  async besideEnvironment(): Promise<Environment> {
    const path = join(this.#folder, ".env");
    const target = await realpath(path).catch(() => undefined);
    if (target === undefined || !isBelow(await realpath(this.#folder), target)) return {};
    return readEnvironmentFile(path);
  }

  chosenService(name: string | undefined): string {
    const services = this.#members(this.#members(this.#root).get("services"));
    if (services.size === 0) throw this.#refused("it has no services");
    if (name !== undefined) {
      if (services.has(name)) return name;
      throw this.#refused(
        `it has no service ${JSON.stringify(name)}; its services are ${[...services.keys()].join(", ")}`,
      );
    }
    const byImage = [...services].filter(([, service]) => this.#runsPeer(service));
    const found = byImage.length > 0 ? byImage : [...services].filter(([, service]) => this.#hasPeerVariables(service));
    const [first, ...others] = found.map(([each]) => each);
    if (first === undefined) throw this.#refused("no service runs the original engine; name one with --service");
    if (others.length > 0) {
      throw this.#refused(
        `several services run the original engine; choose one with --service: ${[first, ...others].join(", ")}`,
      );
    }
    return first;
  }

  async environmentOf(service: string, lookup: Lookup): Promise<ServiceEnvironment> {
    const members = this.#members(this.#members(this.#members(this.#root).get("services")).get(service));
    const missing = new Set<string>();
    const at = ["services", service];
    const filled = (text: string, ...keys: readonly string[]): string => {
      const { value, unset, problem } = interpolate(text, lookup);
      for (const name of unset) missing.add(name);
      if (problem !== undefined) throw this.#error([...at, ...keys], `${keys.join(".")}: ${problem}`);
      return value;
    };
    const variables = new Map<string, string>();
    for (const { path, isRequired } of this.#environmentFiles(members, at)) {
      const target = await this.#fileBeside(filled(path, "env_file"), [...at, "env_file"]);
      if (target === undefined && !isRequired) continue;
      const read = await readEnvironmentFile(target ?? join(this.#folder, path));
      for (const [name, value] of Object.entries(read)) if (value !== undefined) variables.set(name, value);
    }
    for (const [name, text] of this.#assignments(members.get("environment"), [...at, "environment"])) {
      // Without a value, the variable has that of the shell.
      const value = text === null ? lookup(name) : filled(text, "environment", name);
      if (value !== undefined) variables.set(name, value);
    }
    return { service, variables: Object.fromEntries(variables), missing: [...missing].sort() };
  }

  #runsPeer(service: Json): boolean {
    const image = this.#members(service).get("image");
    return typeof image === "string" && /(?:^|\/)graphql-engine(?:$|[:@$])/.test(image);
  }

  #hasPeerVariables(service: Json): boolean {
    const environment = this.#members(service).get("environment");
    const names = Array.isArray(environment) ? environment : [...this.#members(environment).keys()];
    return names.some((name) => typeof name === "string" && isPeerVariable(name));
  }

  /** Returns the variables with their texts, `null` for a variable without a value. */
  #assignments(environment: Json | undefined, at: readonly string[]): readonly (readonly [string, string | null])[] {
    if (!Array.isArray(environment)) {
      return [...this.#members(environment)].map(([name, value]) => [name, this.#text(value, [...at, name])]);
    }
    return environment.map((item, index) => {
      const text = this.#text(item, [...at, String(index)]) ?? "";
      const end = text.indexOf("=");
      return end < 0 ? [text, null] : [text.slice(0, end), text.slice(end + 1)];
    });
  }

  #text(value: Json, at: readonly string[]): string | null {
    if (value === null || typeof value === "string") return value;
    if (value instanceof JsonNumber) return value.text;
    if (typeof value !== "object") return String(value);
    throw this.#error(at, `${at.slice(2).join(".")}: expected a text`);
  }

  #environmentFiles(members: Members, at: readonly string[]): readonly { path: string; isRequired: boolean }[] {
    const files = members.get("env_file");
    return (Array.isArray(files) ? files : files === undefined || files === null ? [] : [files]).map((file) => {
      const entry = this.#members(file);
      const path = typeof file === "string" ? file : entry.get("path");
      if (typeof path !== "string") throw this.#error([...at, "env_file"], "env_file: expected a path");
      return { path, isRequired: entry.get("required") !== false };
    });
  }

  /**
   * Returns a path in the folder of the file, because the file may be untrusted: it must not copy other files of the
   * user into the result. Returns `undefined` if the path does not exist.
   */
  async #fileBeside(path: string, at: readonly string[]): Promise<string | undefined> {
    const refuse = () => {
      const message = `env_file: ${JSON.stringify(path)} is not in the folder of the Compose file; copy it there`;
      return this.#error(at, message);
    };
    const target = resolve(this.#folder, path);
    if (isAbsolute(path) || !isBelow(this.#folder, target)) throw refuse();
    const real = await realpath(target).catch(() => undefined);
    if (real === undefined) return undefined;
    if (!isBelow(await realpath(this.#folder), real)) throw refuse();
    return join(this.#folder, relative(resolve(this.#folder), target));
  }

  /** Returns the members of a map, with those of the maps that `<<` merges into it. */
  #members(value: Json | undefined): Members {
    if (!isObject<Json>(value)) return new Map();
    const known = this.#merged.get(value);
    if (known !== undefined) return known;
    const { "<<": merged = [], ...own } = value;
    const members = new Map<string, Json>();
    for (const base of [merged].flat().reverse()) for (const [key, each] of this.#members(base)) members.set(key, each);
    for (const [key, each] of Object.entries(own)) members.set(key, each);
    this.#merged.set(value, members);
    return members;
  }

  #refused(reason: string): EngineError {
    return new EngineError("bad-request", "$", `cannot read ${this.#path}: ${reason}`);
  }

  #error(keys: readonly string[], message: string): EngineError {
    const found = this.#locations.find(this.#root, pathTo("$", ...keys));
    const place = found === undefined ? this.#path : `${found.file}:${found.line}:${found.column}`;
    return new EngineError("parse-failed", "$", `${place}: ${message}`);
  }
}
