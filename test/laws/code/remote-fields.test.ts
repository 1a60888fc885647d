/**
 * The law of remote fields: for every remote schema, every permission and every request, the request that reaches the
 * server is valid there, and the result is that of graphql-js on the permitted schema. `LAWS_SEED` and `LAWS_REMOTES`
 * set the seed, which is printed, and the number of servers; each receives several requests.
 */
import fc from "fast-check";
import { buildSchema, introspectionFromSchema, parse, validate } from "graphql";
import { expect, it } from "vitest";
import { readRemoteShape } from "../../../compiler/1-introspect/read-remote-shape.ts";
import { analyze } from "../../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { compileAnalysis } from "../../../runtime/control/compile-analysis.ts";
import { GenerationBuilder } from "../../../runtime/control/generation-builder.ts";
import { CodeCache } from "../../../runtime/control/load/code-cache.ts";
import { RemoteRequests } from "../../../runtime/execute/remote/remote-requests.ts";
import { graphqlService } from "../../../runtime/execute/services.ts";
import { LiveQueries } from "../../../runtime/execute/subscribe/live-queries.ts";
import { uninterrupted } from "../../../runtime/ports/continuity.ts";
import { AdmittedSession } from "../../../runtime/values/admitted-session.ts";
import { EngineError } from "../../../runtime/values/errors.ts";
import { decoded } from "../../../runtime/values/response-text.ts";
import { analysisOptions } from "../../support/analysis-options.ts";
import { execution, must, polling } from "../../support/compiled.ts";
import { type Choices, chosen } from "../choices.ts";
import { type Naming, printTypes } from "./remote/model.ts";
import { type Operation, randomOperation } from "./remote/random-operation.ts";
import { randomPermission, randomTypes, session } from "./remote/random-remote.ts";
import { permitted, type Server, upstream } from "./remote/servers.ts";

const seed = Number(process.env.LAWS_SEED ?? Math.floor(Math.random() * 2 ** 31));
const remotes = Number(process.env.LAWS_REMOTES ?? 40);
const operationsPerRemote = 10;
const code = new CodeCache();

const plain: Naming = { type: (name) => name, field: (_, field) => field };
const customization = {
  type_names: { prefix: "My", mapping: { Obj1: "Second" } },
  field_names: [{ parent_type: "Obj0", mapping: { own0: "first" } }],
};
const customized: Naming = {
  type: (name) => {
    if (["Query", "Mutation", "Int", "Float", "String", "Boolean", "ID"].includes(name)) return name;
    return name === "Obj1" ? "Second" : `My${name}`;
  },
  field: (type, field) => (type === "Obj0" && field === "own0" ? "first" : field),
};

interface Case {
  readonly server: Server;
  readonly oracle: Server;
  readonly ask: (operation: Operation) => Promise<string>;
  readonly operations: readonly Operation[];
  /** Printed with a failure. */
  readonly [fc.toStringMethod]: () => string;
  /** The requests that reached the server. */
  readonly sent: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> }[];
}

function randomCase(choices: Choices): Case {
  const types = randomTypes(choices);
  const permission = randomPermission(choices, types);
  const isCustomized = choices.chance(40);
  const naming = isCustomized ? customized : plain;
  const server = upstream(types, permission);
  const oracle = permitted(types, permission, naming);
  const document = printTypes(permission.types, { presets: permission.presets, preset: "shown" });
  const sent: Case["sent"] = [];
  const client = {
    callThen: async ({ body = "" }: { readonly body?: string }, read: (reply: object) => unknown) => {
      const { query, variables } = JSON.parse(body);
      sent.push({ query, variables });
      return read({ status: 200, headers: {}, text: JSON.stringify(server.answer(query, variables)) });
    },
  };
  const operations = choices.list(operationsPerRemote, operationsPerRemote, () =>
    randomOperation(choices, permission, naming),
  );
  const { __schema } = introspectionFromSchema(buildSchema(printTypes(types)));
  const introspection = readRemoteShape(JSON.parse(JSON.stringify(__schema)));
  const ask = lazyAsk(document, isCustomized, introspection, client);
  const asText = () => `${printTypes(types)}\n\n${document}\n\n${isCustomized ? JSON.stringify(customization) : ""}`;
  return { server, oracle, ask, operations, sent, [fc.toStringMethod]: asText };
}

function lazyAsk(
  document: string,
  isCustomized: boolean,
  introspection: ReturnType<typeof readRemoteShape>,
  client: object,
) {
  const definition = { url: "http://remote", ...(isCustomized && { customization }) };
  const permissions = [{ role: "user", definition: { schema: document } }];
  const metadata = { version: 3, sources: [], remote_schemas: [{ name: "r", definition, permissions }] };
  const catalog = must(readMetadataDocument(metadata, emptyCatalog));
  const analysis = must(
    analyze({
      catalog,
      introspections: new Map(),
      remoteIntrospections: new Map([["r", introspection]]),
      options: analysisOptions,
    }),
  );
  expect(analysis.inconsistencies.map(({ reason }) => reason)).toEqual([]);
  const compiled = compileAnalysis({ analysis, planning: execution, code });
  const builder = new GenerationBuilder({
    sources: {
      database: () => {
        throw new Error("there is no database");
      },
    },
    planCacheSize: 100,
    relayCipher: null,
    guard: { allowList: null, unauthorized: null },
  });
  const generation = builder.build({ catalog, ...compiled, resourceVersion: 1 });
  const remote = new RemoteRequests({
    client: client as ConstructorParameters<typeof RemoteRequests>[0]["client"],
    environment: {},
    version: "test",
    prioritizeData: false,
    skipNulls: false,
  });
  const live = new LiveQueries({ settings: { live: polling, stream: polling }, continuity: uninterrupted });
  const service = graphqlService(() => generation, { ...execution, remote }, live);
  const by = { role: "user", variables: new Map(Object.entries(session)), backendOnly: false };
  return async ({ query, variables }: Operation) =>
    decoded(await service.execute({ query, operationName: null, variables }, new AdmittedSession(by)));
}

const counts = { answered: 0, refused: 0, sent: 0 };

async function checkOperation({ server, oracle, ask, sent }: Case, operation: Operation): Promise<void> {
  const isValid = validate(oracle.schema, parse(operation.query)).length === 0;
  const before = sent.length;
  let data: string | undefined;
  let refusal: unknown;
  try {
    data = await ask(operation);
    // Responses of frequently used plans are parsed differently.
    for (let use = 0; use < 3; use++) expect(await ask(operation), operation.query).toBe(data);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    refusal = error;
  }
  for (const { query, variables } of sent.slice(before)) {
    counts.sent++;
    expect(
      validate(server.schema, parse(query)).map(({ message }) => message),
      query,
    ).toEqual([]);
    expect(server.answer(query, variables).errors ?? [], query).toEqual([]);
  }
  // Invalid operations may be refused or run according to their apparent meaning.
  if (!isValid) return;
  const expected = oracle.answer(operation.query, operation.variables);
  if (expected.errors !== undefined) {
    counts.refused++;
    return;
  }
  if (refusal !== undefined) throw refusal;
  const description = `${operation.query}\n${JSON.stringify(operation.variables)}\n${JSON.stringify(sent.slice(before))}`;
  expect(data, description).toBe(JSON.stringify(expected.data));
  counts.answered++;
}

it(`Remote fields return the same results as graphql-js (LAWS_SEED=${seed})`, { timeout: 900_000 }, async () => {
  const law = fc.asyncProperty(chosen(randomCase), async (each) => {
    for (const operation of each.operations) await checkOperation(each, operation);
  });
  await fc.assert(law, {
    seed,
    numRuns: remotes,
    endOnFailure: true,
  });
  expect(counts.answered).toBeGreaterThan((remotes * operationsPerRemote) / 3);
});
