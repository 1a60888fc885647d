/**
 * `node --import tsx test/bench/templates.ts FOLDER` compares the processor time of small request transforms with that
 * of another checkout, alternating in one process. Output: microseconds per transform of each, and the median of the
 * ratios of all rounds. A checkout from before transforms had budgets has no `budget.ts`.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { JsonObject } from "../../runtime/model/templates/json-value.ts";
import type { OutgoingRequest } from "../../runtime/model/templates/scope.ts";
import { root } from "../support/shared-checks.ts";

const turns = 41;
/** Number of transforms per round. */
const transforms = 5000;
/** Number of warm-up rounds of each checkout. */
const warmTurns = 10;

const session = { "x-engine-role": "user", "x-engine-user-id": "7" };
const input = {
  name: "Ada Lovelace",
  email: "ada@example.org",
  age: 36,
  address: { street: "12 St James's Square", city: "London" },
  items: [
    { id: 1, price: 12.5, count: 2 },
    { id: 2, price: 7, count: 1 },
    { id: 3, price: 30.25, count: 4 },
  ],
};
const request: OutgoingRequest = {
  method: "POST",
  url: "http://handler.example/users",
  headers: [
    ["Content-Type", "application/json"],
    ["User-Agent", "engine"],
  ],
  body: { action: { name: "addUser" }, input, session_variables: session, request_query: "mutation { addUser }" },
  sessionVariables: session,
};

const body = (template: string) => ({ version: 2, body: { action: "transform", template } });

const cases: Readonly<Record<string, JsonObject>> = {
  "body of five paths": body(`{
    "name": {{ $body.input.name }},
    "email": {{ $body.input.email }},
    "age": {{ $body.input.age }},
    "city": {{ $body.input.address.city }},
    "user": {{ $session_variables['x-engine-user-id'] }}
  }`),
  "body of texts and conditions": body(`{
    "greeting": "Hello {{ $body.input.name }} of {{ $body.input.address.city }}",
    "role": {{ $session_variables?['x-engine-role'] ?? "nobody" }},
    "isAdult": {{ $body.input.age >= 18 && $body.input.age < 150 }},
    "kind": {{ if $body.input.age > 65 }} "senior" {{ else }} "usual" {{ end }},
    "upper": {{ toUpper($body.input.name) }}
  }`),
  "body with a range over three items": body(`{
    "lines": {{ range _, x := $body.input.items }} { "id": {{ x.id }}, "count": {{ x.count }} } {{ end }}
  }`),
  "URL, query, headers and body": {
    version: 2,
    method: "PUT",
    url: "{{ $base_url }}/{{ $session_variables['x-engine-user-id'] }}",
    query_params: { city: "{{ $body.input.address.city }}", full: "true" },
    request_headers: { add_headers: { "X-Name": "{{ $body.input.email }}" }, remove_headers: ["User-Agent"] },
    body: { action: "transform", template: '{ "name": {{ $body.input.name }}, "age": {{ $body.input.age }} }' },
  },
};

type Transform = (definition: JsonObject) => () => unknown;

/** Imports the transforms of a checkout, bundled as `npm run build` does. */
async function transformsOf(folder: string): Promise<Transform> {
  const isBounded = existsSync(join(folder, "runtime/model/templates/budget.ts"));
  const modules = ["templates/definition", "templates/transform-request", "values/interruptible"];
  if (isBounded) modules.push("templates/budget");
  const contents = modules.map((name) => `export * from "./${name}.ts";`).join("\n");
  const stdin = { contents, resolveDir: join(folder, "runtime") };
  const built = await mkdtemp(join(tmpdir(), "bench-templates-"));
  const outfile = join(built, "transforms.mjs");
  await build({ stdin, bundle: true, format: "esm", platform: "node", target: "node20.19", outfile });
  const { compileRequestTransform, transformRequest, runUntilFirstYield, transformBudget } = await import(
    pathToFileURL(outfile).href
  );
  await rm(built, { recursive: true });
  return (definition) => {
    const { ok, value: transform, errors } = compileRequestTransform(definition);
    if (!ok) throw new Error(JSON.stringify(errors));
    if (!isBounded) return () => transformRequest(transform, request);
    return () => runUntilFirstYield(transformRequest(transform, request, transformBudget(30_000)));
  };
}

/** Returns the microseconds for one transform. */
function measure(transform: () => unknown): number {
  const { user, system } = process.cpuUsage();
  for (let i = 0; i < transforms; i++) transform();
  const spent = process.cpuUsage({ user, system });
  return (spent.user + spent.system) / transforms;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const other = process.argv[2];
if (other === undefined) throw new Error("The argument is missing: the folder of another checkout.");
const [ownTransforms, otherTransforms] = [await transformsOf(root), await transformsOf(resolve(other))];
console.log("µs for one transform                    this, other  ratio");
for (const [name, definition] of Object.entries(cases)) {
  const [own, others] = [ownTransforms(definition), otherTransforms(definition)];
  const outcomes = [JSON.stringify(own()), JSON.stringify(others())];
  if (outcomes[0] !== outcomes[1]) throw new Error(`The results differ: ${outcomes.join(" and ")}`);
  const pairs: [number, number][] = [];
  for (let turn = -warmTurns; turn < turns; turn++) {
    const isFirst = turn % 2 === 0;
    const before = isFirst ? measure(own) : undefined;
    const time = measure(others);
    const pair: [number, number] = [before ?? measure(own), time];
    if (turn >= 0) pairs.push(pair);
  }
  const ratio = median(pairs.map(([one, two]) => one / two)).toFixed(2);
  const [one, two] = [median(pairs.map(([time]) => time)), median(pairs.map(([, time]) => time))];
  console.log(`${name.padEnd(38)} ${one.toFixed(2).padStart(5)}, ${two.toFixed(2).padStart(5)}  ${ratio}`);
}
