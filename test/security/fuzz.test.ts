/**
 * Mutated tokens, headers and bodies against the request handlers: no invalid input is accepted, and no input makes the
 * server fail. The handlers are those of the server, with generated code behind them and a database that returns
 * nothing. `FUZZ_SEED` repeats a run.
 */
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { analyze } from "../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import { readShapeFile } from "../../runtime/cli/compile/shape-file.ts";
import { readMetadataDirectory } from "../../runtime/cli/metadata-directory/read.ts";
import { parseOptions } from "../../runtime/config/options.ts";
import { compileAnalysis } from "../../runtime/control/compile-analysis.ts";
import { GenerationBuilder } from "../../runtime/control/generation-builder.ts";
import type { DatabaseSource } from "../../runtime/databases/sources/source.ts";
import { admissionService, graphqlService } from "../../runtime/execute/services.ts";
import { LiveQueries } from "../../runtime/execute/subscribe/live-queries.ts";
import { startAuthenticator } from "../../runtime/http/auth/authenticate.ts";
import { decideAuthMode } from "../../runtime/http/auth/mode.ts";
import { createRoutes } from "../../runtime/http/routes.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import { uninterrupted } from "../../runtime/ports/continuity.ts";
import type { PlainRequest, PlainResponse } from "../../runtime/ports/request.ts";
import { anyText } from "../support/any-text.ts";
import { execution, must, polling } from "../support/compiled.ts";
import { request, stubServices } from "../support/stub-services.ts";
import {
  encode,
  otherRsa,
  payload,
  rsa,
  seconds,
  sharedSecret,
  token,
  userClaims,
} from "../unit/http/auth/jwt/tokens.ts";

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
process.stdout.write(`fuzz: FUZZ_SEED=${seed}\n`);

const library = join(import.meta.dirname, "../../fixtures/library");
const shared = sharedSecret("a shared secret of sixty-four bytes, which even HS512 finds long");
const claims = { ...userClaims, "x-engine-allowed-roles": ["member"], "x-engine-default-role": "member" };
const owned = { aud: "engine", iss: "https://issuer.test" };

async function endpoint() {
  const { metadata } = await readMetadataDirectory(join(library, "metadata"));
  const catalog = must(readMetadataDocument(metadata, emptyCatalog));
  const saved = await readShapeFile(join(library, "shape.json"));
  if (!("shape" in saved)) throw new Error("the sample library has one source");
  const { shape } = saved;
  const options = {
    environment: { ENGINE_GRAPHQL_DATABASE_URL: "postgres://unused" },
    experimentalFeatures: new Set<string>(),
    defaultNamingConvention: "engine-default",
    inferFunctionPermissions: true,
    remoteSchemaPermissions: true,
  } as const;
  const analysis = must(analyze({ catalog, introspections: new Map([["default", { shape }]]), options }));
  const database = { name: "default", query: async () => [[]], executeAlone: async () => [[]] };
  const sources = { database: () => database as unknown as DatabaseSource };
  const builder = new GenerationBuilder({
    sources,
    planCacheSize: 200,
    relayCipher: null,
    guard: { allowList: null, unauthorized: null },
  });
  const planning = { stringifyNumbers: false, nullCollapse: false };
  const generation = builder.build({ catalog, ...compileAnalysis({ analysis, planning }), resourceVersion: 1 });
  const settings = parseOptions(
    {},
    {
      ENGINE_GRAPHQL_ADMIN_SECRET: "the admin secret",
      ENGINE_GRAPHQL_JWT_SECRETS: JSON.stringify([
        { type: "RS256", key: rsa.key, audience: owned.aud, issuer: owned.iss },
        { type: "HS256", key: shared.key, audience: owned.aud, issuer: "https://shared.test" },
      ]),
    },
  );
  const log = createLog(settings, { write: () => undefined });
  const authenticator = await startAuthenticator(decideAuthMode(settings), {
    log,
    version: "1",
    origins: settings.corsDomains,
  });
  const stub = stubServices({
    authenticator,
    admission: admissionService(() => generation),
    graphql: graphqlService(
      () => generation,
      execution,
      new LiveQueries({ settings: { live: polling, stream: polling }, continuity: uninterrupted }),
    ),
  });
  const routes = createRoutes(stub.services, { ...settings, version: "1" });
  const handle = (path: string, body: unknown, headers: PlainRequest["headers"]): Promise<PlainResponse> => {
    const route = routes.find((each) => each.method === "POST" && each.path === path);
    if (!route) throw new Error(`no route ${path}`);
    return route.handler(request(body, { path, headers }));
  };
  return { handle, bugs: stub.bugs, close: () => authenticator.close() };
}

const server = await endpoint();
afterAll(() => server.close());

const query = "query Q($id: Int!) { author(where: {id: {_eq: $id}}, limit: 2) { id } }";
const good = { query, variables: { id: 1 }, operationName: "Q" };
const signed = (signer = rsa as { sign(a: string, b: string): Buffer } & typeof shared, more = {}, head = {}) =>
  token(signer, signer === shared ? "HS256" : "RS256", payload(claims, { ...owned, ...more }), head);
const valid = signed();
const validShared = signed(shared, { iss: "https://shared.test" });

const mutated = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.record({ at: fc.nat(text.length), cut: fc.nat(4), put: fc.string({ maxLength: 4 }) }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((changes) =>
      changes.reduce((changed, { at, cut, put }) => changed.slice(0, at) + put + changed.slice(at + cut), text),
    );

const rarely = (weight: number, arbitrary: fc.Arbitrary<string>) => ({ weight, arbitrary });
const [head = "", body = "", signature = ""] = valid.split(".");

/** Tokens that must be refused. */
const badToken: fc.Arbitrary<string> = fc.oneof(
  rarely(
    8,
    mutated(valid).filter((text) => text.trim() !== valid),
  ),
  rarely(
    8,
    mutated(validShared).filter((text) => text.trim() !== validShared),
  ),
  // no algorithm, or not the algorithm of the key
  rarely(
    2,
    fc.constantFrom("none", "None", "NONE", "", "HS256", "HS512", "ES256", "RS512", "EdDSA").map((alg) => {
      return `${encode({ alg, typ: "JWT" })}.${body}.${alg === "RS512" ? signature : ""}`;
    }),
  ),
  // signed with a public value: the public key as a shared secret
  rarely(
    2,
    fc.constantFrom(rsa.key, rsa.key.trim(), JSON.stringify(rsa.jwk), "", "the admin secret").map((known) => {
      return token(sharedSecret(known), "HS256", payload(claims, owned));
    }),
  ),
  rarely(
    1,
    fc.constant(otherRsa).map((other) => token(other, "RS256", payload(claims, owned))),
  ),
  // keys inside the token
  rarely(1, fc.constant(token(otherRsa, "RS256", payload(claims, owned), { jwk: otherRsa.jwk, kid: "../../key" }))),
  // invalid dates and parties
  rarely(
    2,
    fc
      .integer({ min: 1, max: 10 ** 9 })
      .map((ago) => signed(shared, { iss: "https://shared.test", exp: seconds(-ago) })),
  ),
  rarely(
    2,
    fc
      .integer({ min: 60, max: 10 ** 9 })
      .map((ahead) => signed(shared, { iss: "https://shared.test", nbf: seconds(ahead) })),
  ),
  rarely(
    1,
    fc
      .integer({ min: 60, max: 10 ** 9 })
      .map((ahead) => signed(shared, { iss: "https://shared.test", iat: seconds(ahead) })),
  ),
  rarely(
    2,
    fc
      .string()
      .filter((aud) => aud !== owned.aud)
      .map((aud) => signed(shared, { iss: "https://shared.test", aud })),
  ),
  rarely(
    2,
    fc
      .string()
      .filter((iss) => iss !== "https://shared.test")
      .map((iss) => signed(shared, { iss })),
  ),
  // the same token twice, and longer than the limit
  rarely(
    1,
    fc.constantFrom(`${valid} ${valid}`, `${valid}, Bearer ${valid}`, `${valid},${valid}`, `${valid}.${valid}`),
  ),
  rarely(1, fc.constantFrom(`${head}.${body}.${signature.repeat(3000)}`, `${head}.${body.repeat(300)}.${signature}`)),
);

const junkHeaders = fc.dictionary(
  fc.oneof(
    fc.constantFrom(
      "x-engine-user-id",
      "x-engine-role",
      "X-Engine-Role",
      "cookie",
      "x-engine-allowed-roles",
      "__proto__",
    ),
    fc.string().map((name) => `x-engine-${name.toLowerCase()}`),
  ),
  anyText(),
  { maxKeys: 4 },
);

interface Outcome {
  readonly status: number;
  readonly json: {
    readonly data?: unknown;
    readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
  };
}

async function ask(path: string, sent: unknown, headers: Record<string, string>): Promise<Outcome> {
  const { status, body: text } = await server.handle(path, sent, headers);
  return { status, json: JSON.parse(text) };
}

const authenticationCodes = [
  "access-denied",
  "invalid-headers",
  "invalid-jwt",
  "jwt-invalid-claims",
  "jwt-missing-role-claims",
  "bad-request",
];

describe("Mutated requests", () => {
  it("The original requests are served", async () => {
    for (const each of [valid, validShared]) {
      const answer = await ask("/v1alpha1/graphql", good, { authorization: `Bearer ${each}` });
      expect(answer).toMatchObject({ status: 200, json: { data: {} } });
    }
  });

  it("A request without a valid token receives no data", { timeout: 120_000 }, async () => {
    const roles = fc.option(fc.constantFrom("admin", "member", "librarian", "member, admin", ""), { nil: undefined });
    const law = fc.asyncProperty(badToken, junkHeaders, roles, async (bad, more, role) => {
      const headers = { ...more, ...(role !== undefined && { "x-engine-role": role }), authorization: `Bearer ${bad}` };
      const { status, json } = await ask("/v1alpha1/graphql", good, headers);
      expect(json).not.toHaveProperty("data");
      expect([400, 401]).toContain(status);
      expect(authenticationCodes).toContain(json.errors?.[0]?.extensions.code);
    });
    await fc.assert(law, { numRuns: 40_000, seed });
  });

  it("A request with a wrong secret or a role outside of its token receives no data", {
    timeout: 60_000,
  }, async () => {
    const secret = fc.oneof(
      fc.string(),
      mutated("the admin secret"),
      fc.constantFrom("the admin secret, the admin secret"),
    );
    const role = fc.string({ minLength: 1 }).filter((name) => Buffer.from(name, "latin1").toString() !== "member");
    const law = fc.asyncProperty(
      fc.oneof(
        secret.filter((text) => text !== "the admin secret").map((text) => ({ "x-engine-admin-secret": text })),
        secret.filter((text) => text !== "the admin secret").map((text) => ({ "x-engine-access-key": text })),
        fc.constantFrom("admin", "librarian", "Member", "member,admin").map((name) => ({ "x-engine-role": name })),
        role.map((name) => ({ "x-engine-role": name })),
      ),
      async (headers) => {
        const { status, json } = await ask("/v1alpha1/graphql", good, { authorization: `Bearer ${valid}`, ...headers });
        expect(json).not.toHaveProperty("data");
        expect([400, 401]).toContain(status);
        expect(json.errors?.[0]?.extensions.code).toBe("access-denied");
      },
    );
    await fc.assert(law, { numRuns: 20_000, seed });
  });

  it("A request with any body gets a response without an internal error", { timeout: 120_000 }, async () => {
    const text = JSON.stringify(good);
    const anyBody = fc.oneof(
      { weight: 6, arbitrary: mutated(text) },
      { weight: 4, arbitrary: mutated(query).map((changed) => JSON.stringify({ ...good, query: changed })) },
      { weight: 2, arbitrary: fc.jsonValue().map((id) => JSON.stringify({ ...good, variables: { id } })) },
      { weight: 1, arbitrary: fc.json() },
      {
        weight: 1,
        arbitrary: fc
          .array(fc.constantFrom(good, {}, null, [good]), { maxLength: 5 })
          .map((all) => JSON.stringify(all)),
      },
      { weight: 1, arbitrary: fc.constantFrom("[".repeat(50_000), `{"query":"${"{a".repeat(20_000)}"}`, "\ud800", "") },
    );
    const law = fc.asyncProperty(
      anyBody,
      junkHeaders,
      async (sent, { "x-engine-role": _, "X-Engine-Role": __, ...more }) => {
        const { status } = await ask("/v1alpha1/graphql", sent, { ...more, authorization: `Bearer ${valid}` });
        expect([200, 400]).toContain(status);
      },
    );
    await fc.assert(law, { numRuns: 30_000, seed });
    expect(server.bugs).toEqual([]);
  });

  it("No mutated request reaches an admin operation", { timeout: 60_000 }, async () => {
    const operation = { type: "export_metadata", args: {}, version: 2 };
    const anyBody = fc.oneof(fc.constant(JSON.stringify(operation)), mutated(JSON.stringify(operation)), fc.json());
    const paths = fc.constantFrom("/v1/metadata", "/v1/query", "/v2/query", "/v1/graphql/explain", "/v1alpha1/pg_dump");
    const who = fc.oneof(
      badToken.map((bad) => ({ authorization: `Bearer ${bad}` })),
      fc.constantFrom<Record<string, string>>({}, { "x-engine-role": "admin" }, { "x-engine-admin-secret": "" }),
    );
    const law = fc.asyncProperty(paths, anyBody, who, async (path, sent, headers) => {
      const { status } = await ask(path, sent, headers);
      expect([400, 401]).toContain(status);
    });
    await fc.assert(law, { numRuns: 10_000, seed });
    expect(server.bugs).toEqual([]);
  });
});
