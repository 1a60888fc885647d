/**
 * Metadata operations on whole catalogs, with the real analysis. A case is a folder with `operation.json`: the endpoint
 * it is posted to and the body. Its `before.json` (a metadata document) and `shape.json` (what introspection finds, by
 * source) stand in the same folder or in one above; the operation may name another metadata document beside the cases. Expected are `error.json`, or of these what there is:
 * `answer.json` (unless it is the plain success), `after.diff` (what the operation changed, as a patch of `before.json`),
 * `effects.json`, `call.json` (of an operation that is not pure).
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
import { parseAsWritten } from "../../runtime/values/parse-json.ts";
import { casesBelow, expectGolden } from "../support/golden.ts";

const root = join(import.meta.dirname, "metadata");
const inputs = new Set(["before.json", "shape.json", "operation.json"]);

interface Posted {
  /** `x`: instead of `before.json` the file `before.x.json` of the folder of all cases. */
  readonly before?: string;
  readonly post: Endpoint;
  readonly body: unknown;
  readonly experimental_features?: readonly string[];
  readonly without_remote_permissions?: boolean;
}

async function readJson<T>(path: string): Promise<T> {
  return parseAsWritten(await readFile(path, "utf8")) as T;
}

/** Makes a value once for each key: most cases begin with the same metadata. */
function once<T>(): (key: string, make: () => T) => T {
  const made = new Map<string, T>();
  return (key, make) => {
    const value = made.get(key) ?? make();
    made.set(key, value);
    return value;
  };
}

/** The file of this name in the folder or the nearest one above it. */
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

/** What remote servers offer: at `http://<name>.example` the SDL `remote.<name>.graphql`; nobody asks those elsewhere. */
function asked({ name, definition: { url } }: RemoteSchema): [string, RemoteIntrospection][] {
  const server = url?.match(/^http:\/\/(\w+)\.example$/)?.[1];
  if (server === undefined) return [];
  return [[name, answers(server, () => answerOf(server))]];
}

const answers = once<RemoteIntrospection>();

function answerOf(server: string): RemoteIntrospection {
  const file = join(root, `remote.${server}.graphql`);
  if (!existsSync(file)) return { error: { message: "nobody is there", internal: "refused" } };
  const schema = buildSchema(readFileSync(file, "utf8"), { assumeValid: true });
  const { __schema } = JSON.parse(JSON.stringify(introspectionFromSchema(schema)));
  return readRemoteShape(__schema);
}

/** What the control plane does, without databases: a Shape that is not there is a source that cannot be reached. */
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
      remoteIntrospections: new Map(catalog.remote_schemas.flatMap(asked)),
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
      return answer.ok ? ok({ answer: answer.value }) : answer;
    }
    default: {
      const change = call.effect === "change" ? call.apply(state) : atomically(call, state);
      if (!change.ok) return change;
      const done = control.change({ check: "atomic", ...call }, state, change.value);
      return done.ok ? ok(outcomeOf(state, ...done.value)) : done;
    }
  }
}

function atomically(call: Extract<DecodedCall, { effect: "bulk" }>, state: State): Result<Change> {
  if (call.mode !== "bulk_atomic") throw new Error(`${call.mode} is for the control plane`);
  return applyAtomically(call, state);
}

function outcomeOf({ catalog: before }: State, change: Change, answer: unknown): Outcome {
  const { catalog, effects = [], transforms = {} } = change;
  const isPlain = JSON.stringify(answer) === JSON.stringify({ message: "success" });
  return {
    ...(catalog !== before && { change: [jsonText(storeMetadata(before)), jsonText(storeMetadata(catalog))] as const }),
    ...(!isPlain && { answer }),
    ...(effects.length > 0 && { effects }),
    ...(Object.keys(transforms).length > 0 && { transforms }),
  };
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

function beforeOf(folder: string, { before }: Posted): string {
  return before === undefined ? nearest(folder, "before.json") : join(root, `before.${before}.json`);
}

function filesOf({ change, ...outcome }: Outcome): Map<string, string> {
  const files = new Map(Object.entries(outcome).map(([name, value]) => [`${name}.json`, jsonText(value)]));
  const hunks = change === undefined ? [] : unifiedHunks(...change);
  if (hunks.length > 0) files.set("after.diff", `${hunks.join("\n")}\n`);
  return files;
}

const shapes = once<Promise<Readonly<Record<string, Shape>>>>();
const states = once<Promise<State>>();
const cases = await casesBelow(root, "operation.json");

describe("metadata operations", () => {
  it.each(cases)("%s", async (name) => {
    const folder = join(root, name);
    const posted = await readJson<Posted>(join(folder, "operation.json"));
    const [before, shape] = [beforeOf(folder, posted), nearest(folder, "shape.json")];
    const control = new Control(await shapes(shape, () => readJson(shape)), posted);
    const { experimental_features, without_remote_permissions } = posted;
    const key = JSON.stringify([before, shape, experimental_features, without_remote_permissions]);
    const state = await states(key, async (): Promise<State> => {
      const catalog = okOf(parseMetadata(await readJson(before)));
      return { catalog, analysis: okOf(control.analyze(catalog)), context: { resourceVersion: 7 } };
    });
    const result = run(control, state, posted);
    const outcome = result.ok ? result.value : errorOf(result.error);
    expect(name.includes("/err-"), "a case of failure is named err-…").toBe(!result.ok);
    await expectGolden(folder, filesOf(outcome), { isInput: (path) => inputs.has(path) });
  });

  /** What it is about does not exist in this engine. */
  const alwaysRefused = new Set(["get_source_kind_capabilities"]);

  // The data operations change rows, not metadata: test/integration/ has them.
  const onMetadata = operations.filter(({ effect }) => effect !== "data");

  it.each(onMetadata.map(({ name }) => name))("%s has a case of success and one of failure", (name) => {
    const outcomes = cases
      .filter((path) => path.startsWith(`${name}/`))
      .map((path) => existsSync(join(root, path, "error.json")));
    expect(new Set(outcomes)).toEqual(new Set(alwaysRefused.has(name) ? [true] : [true, false]));
  });
});
