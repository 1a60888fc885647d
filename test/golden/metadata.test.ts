/**
 * Metadata operations on complete catalogs, with the real analysis. A case is a folder with `operation.json`: the endpoint
 * and the body of a request. Its `before.json` (a metadata document) and `shape.json` (Shapes by source) are in the same
 * folder or in a parent; the operation may name another metadata document, and `before.patch.json` is a JSON Patch of the
 * document. The expected output is `error.json`, or those of the following that apply: `answer.json` (a response other than
 * plain success), `after.diff` (the change of the metadata, as a patch), `effects.json`, `call.json` (the call of an
 * operation that is not pure).
 */
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildSchema, introspectionFromSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { readRemoteShape } from "../../compiler/1-introspect/read-remote-shape.ts";
import type { Analysis, SourceIntrospection } from "../../compiler/2-analyze/analysis.ts";
import { analyze } from "../../compiler/2-analyze/analyze.ts";
import { storeMetadata } from "../../compiler/catalog/canonical.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import type { RemoteSchema } from "../../compiler/catalog/outside-sources.ts";
import { parseMetadata } from "../../compiler/catalog/schema.ts";
import { type Diagnostic, ok, type Result } from "../../compiler/diagnostics/diagnostic.ts";
import { applyAtomically } from "../../compiler/metadata/bulk.ts";
import { type DecodedCall, decodeRequest } from "../../compiler/metadata/dispatch.ts";
import type { Endpoint } from "../../compiler/metadata/endpoint.ts";
import type { Change, State } from "../../compiler/metadata/operation.ts";
import { operations } from "../../compiler/metadata/registry.ts";
import { settle } from "../../compiler/metadata/settle.ts";
import type { RemoteIntrospection } from "../../compiler/shape/remote-shape.ts";
import type { Shape } from "../../compiler/shape/shape.ts";
import { unifiedHunks } from "../../runtime/cli/metadata/unified-diff.ts";
import { formatted } from "../../runtime/cli/project/output.ts";
import { parseWithNumberTexts } from "../../runtime/values/json/parse.ts";
import { compactJson } from "../support/compact-json.ts";
import { casesBelow, expectGolden } from "../support/golden.ts";
import { patched } from "../support/json-patch.ts";

const root = join(import.meta.dirname, "metadata");
const inputs = new Set(["before.json", "before.patch.json", "shape.json", "operation.json"]);

interface Posted {
  /** With `x`, the file `before.x.json` in the folder of all cases is used instead of `before.json`. */
  readonly before?: string;
  readonly post: Endpoint;
  readonly body: unknown;
  readonly experimental_features?: readonly string[];
  readonly without_remote_permissions?: boolean;
}

async function readJson<T>(path: string): Promise<T> {
  return parseWithNumberTexts(await readFile(path, "utf8")) as T;
}

/** Returns a function that computes each value once per key, since most cases start with the same metadata. */
function once<T>(): (key: string, make: () => T) => T {
  const made = new Map<string, T>();
  return (key, make) => {
    const value = made.get(key) ?? make();
    made.set(key, value);
    return value;
  };
}

/** Returns the path of the file with this name in the folder or its nearest parent. */
function nearest(folder: string, name: string): string {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  if (folder === root) throw new Error(`no ${name}`);
  return nearest(dirname(folder), name);
}

function okOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.path}: ${result.error.message}`);
  return result.value;
}

/**
 * Returns the schemas of remote schemas: `http://<name>.example` serves `remote.<name>.graphql`; others are not
 * introspected.
 */
function introspectionsOf({ name, definition: { url } }: RemoteSchema): [string, RemoteIntrospection][] {
  const server = url?.match(/^http:\/\/(\w+)\.example$/)?.[1];
  if (server === undefined) return [];
  return [[name, remoteShapes(server, () => remoteShapeOf(server))]];
}

const remoteShapes = once<RemoteIntrospection>();

function remoteShapeOf(server: string): RemoteIntrospection {
  const file = join(root, `remote.${server}.graphql`);
  if (!existsSync(file)) return { error: { message: "connection refused", internal: "refused" } };
  const schema = buildSchema(readFileSync(file, "utf8"), { assumeValid: true });
  const { __schema } = JSON.parse(JSON.stringify(introspectionFromSchema(schema)));
  return readRemoteShape(__schema);
}

/** A control plane without databases. A missing Shape means an unreachable source. */
class Control {
  readonly #shapes: Map<string, Shape>;
  readonly #features: ReadonlySet<string>;
  readonly #remoteSchemaPermissions: boolean;

  constructor(shapes: Readonly<Record<string, Shape>>, { experimental_features, without_remote_permissions }: Posted) {
    this.#shapes = new Map(Object.entries(shapes));
    this.#features = new Set(experimental_features);
    this.#remoteSchemaPermissions = without_remote_permissions !== true;
  }

  analyze(catalog: Catalog, previous?: Analysis): Result<Analysis> {
    return analyze({
      catalog,
      introspections: new Map(catalog.sources.map(({ name }) => [name, this.#introspect(name)])),
      remoteIntrospections: new Map(catalog.remote_schemas.flatMap(introspectionsOf)),
      options: {
        environment: { URL: "postgres://host/database" },
        experimentalFeatures: this.#features,
        defaultNamingConvention: "engine-default",
        inferFunctionPermissions: true,
        remoteSchemaPermissions: this.#remoteSchemaPermissions,
      },
      ...(previous !== undefined && { previous }),
    });
  }

  #introspect(source: string): SourceIntrospection {
    const shape = this.#shapes.get(source);
    if (shape !== undefined) return { shape };
    return { error: { message: "connection error", internal: "connection refused" } };
  }

  change(call: Parameters<typeof settle>[0], state: State, first: Change): Result<readonly [Change, unknown]> {
    let change = first;
    for (;;) {
      for (const effect of change.effects ?? []) {
        const shape = effect.kind === "rename_source" ? this.#shapes.get(effect.from) : undefined;
        if (effect.kind === "rename_source" && shape !== undefined) this.#shapes.set(effect.to, shape);
      }
      const after = this.analyze(change.catalog, state.analysis);
      if (!after.ok) return after;
      const settled = settle(call, change, state.analysis, after.value);
      if (!settled.ok) return settled;
      if (settled.value.kind === "accepted") return ok([change, settled.value.answer]);
      change = settled.value.change;
    }
  }
}

interface Outcome {
  /** The metadata before and after. */
  readonly change?: readonly [string, string];
  readonly [file: string]: unknown;
}

const jsonText = (value: unknown): string => formatted(value as Json, "json");

function run(control: Control, state: State, { post, body }: Posted): Result<Outcome> {
  const decoded = decodeRequest(post, body);
  if (!decoded.ok) return decoded;
  const { call } = decoded.value;
  switch (call.effect) {
    case "io":
      return ok({ call });
    case "read": {
      const answer = call.read(state);
      return answer.ok ? ok({ answer: withoutIntrospectionTypes(answer.value) }) : answer;
    }
    case "change":
    case "bulk": {
      const change = call.effect === "change" ? call.apply(state) : atomically(call, state);
      if (!change.ok) return change;
      const done = control.change({ check: "atomic", ...call }, state, change.value);
      return done.ok ? ok(outcomeOf(state, ...done.value)) : done;
    }
    default:
      throw new Error(`golden cases do not cover operations with the effect ${call.effect}`);
  }
}

function atomically(call: Extract<DecodedCall, { effect: "bulk" }>, state: State): Result<Change> {
  if (call.mode !== "bulk_atomic") throw new Error(`${call.mode} is for the control plane`);
  return applyAtomically(call, state);
}

function outcomeOf({ catalog: before }: State, change: Change, answer: unknown): Outcome {
  const { catalog, effects = [], transforms = [] } = change;
  const isPlain = JSON.stringify(answer) === JSON.stringify({ message: "success" });
  return {
    ...(catalog !== before && { change: [jsonText(storeMetadata(before)), jsonText(storeMetadata(catalog))] as const }),
    ...(!isPlain && { answer: withoutIntrospectionTypes(answer) }),
    ...(effects.length > 0 && { effects }),
    ...(transforms.some((each) => Object.keys(each).length > 0) && { transforms }),
  };
}

/**
 * Returns an introspected schema without the introspection types, which are equal in every schema; other responses
 * unchanged.
 */
function withoutIntrospectionTypes(answer: unknown): unknown {
  const schema = (answer as { data?: { __schema?: { types: readonly { readonly name: string }[] } } }).data?.__schema;
  if (schema === undefined) return answer;
  const types = schema.types.filter(({ name }) => !name.startsWith("__"));
  return { data: { __schema: { ...schema, types } } };
}

function errorOf({ status = 400, message, path, code, internal, hint }: Diagnostic): Outcome {
  return {
    error: {
      status,
      error: message,
      path,
      code,
      ...(internal !== undefined && { internal }),
      ...(hint !== undefined && { hint }),
    },
  };
}

/** Returns the files that define the metadata before the operation: a document, and the patch of the case if any. */
function beforeOf(folder: string, { before }: Posted): readonly string[] {
  const document = before === undefined ? nearest(folder, "before.json") : join(root, `before.${before}.json`);
  return [document, join(folder, "before.patch.json")].filter((path) => existsSync(path));
}

async function readBefore([document = "", patch]: readonly string[]): Promise<unknown> {
  const metadata = await readJson(document);
  return patch === undefined ? metadata : patched(metadata, await readJson(patch));
}

function filesOf({ change, ...outcome }: Outcome): Map<string, string> {
  const files = new Map(Object.entries(outcome).map(([name, value]) => [`${name}.json`, compactJson(value)]));
  const hunks = change === undefined ? [] : unifiedHunks(...change);
  if (hunks.length > 0) files.set("after.diff", `${hunks.join("\n")}\n`);
  return files;
}

const shapes = once<Promise<Readonly<Record<string, Shape>>>>();
const states = once<Promise<State>>();
const cases = await casesBelow(root, "operation.json");

describe("Metadata operations", () => {
  it.each(cases)("The metadata operation produces the golden files: %s", async (name) => {
    const folder = join(root, name);
    const posted = await readJson<Posted>(join(folder, "operation.json"));
    const [before, shape] = [beforeOf(folder, posted), nearest(folder, "shape.json")];
    const control = new Control(await shapes(shape, () => readJson(shape)), posted);
    const { experimental_features, without_remote_permissions } = posted;
    const key = JSON.stringify([before, shape, experimental_features, without_remote_permissions]);
    const state = await states(key, async (): Promise<State> => {
      const catalog = okOf(parseMetadata(await readBefore(before)));
      return { catalog, analysis: okOf(control.analyze(catalog)), context: { resourceVersion: 7 } };
    });
    const result = run(control, state, posted);
    const outcome = result.ok ? result.value : errorOf(result.error);
    expect(name.includes("/err-"), "a case of failure is named err-…").toBe(!result.ok);
    await expectGolden(folder, filesOf(outcome), { isInput: (path) => inputs.has(path) });
  });

  /** Operations on objects that this engine does not have. */
  const alwaysRefused = new Set(["get_source_kind_capabilities"]);

  // Data operations change rows, not metadata, and are tested in test/integration/.
  const onMetadata = operations.filter(({ effect }) => effect !== "data");

  it.each(onMetadata.map(({ name }) => name))("%s has golden cases of success and failure", (name) => {
    const outcomes = cases
      .filter((path) => path.startsWith(`${name}/`))
      .map((path) => existsSync(join(root, path, "error.json")));
    expect(new Set(outcomes)).toEqual(new Set(alwaysRefused.has(name) ? [true] : [true, false]));
  });
});
