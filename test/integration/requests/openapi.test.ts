/** The OpenAPI document of the sample library: valid, and every example in it returns the documented response. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { OpenAPIObject, OperationObject, ParameterObject, ReferenceObject, SchemaObject } from "openapi3-ts/oas30";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useLibrary } from "../../support/library.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

const library = join(import.meta.dirname, "../../../fixtures/library");

let server: TestServer;
let full: OpenAPIObject;

beforeAll(async () => {
  server = await startTestServer();
  await useLibrary(server);
  full = await document("?form=full");
});

afterAll(() => server.close());

async function document(query = ""): Promise<OpenAPIObject> {
  const answer = await fetch(`${server.url}/api/swagger/json${query}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as OpenAPIObject;
}

describe("The OpenAPI endpoint", () => {
  it.each(["", "?form=full", "?version=3.0", "?version=3.1", "?version=3.1&form=full"])(
    "The OpenAPI document %s is valid",
    async (query) => {
      const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(await document(query))));
      expect(errors).toBeUndefined();
      expect(valid).toBe(true);
    },
  );

  it("The OpenAPI document of version 3.1 has the type null for nullable values", async () => {
    const later = await document("?form=full&version=3.1");
    expect(later.openapi).toBe("3.1.0");
    const text = JSON.stringify(later);
    expect(text).not.toContain('"nullable"');
    expect(text).toContain('"type":["string","null"]');
    expect(Object.keys(later.paths)).toEqual(Object.keys(full.paths));
    expect(Object.keys(later.components?.schemas ?? {})).toEqual(Object.keys(full.components?.schemas ?? {}));
    expect(await document("?form=full&version=3.0")).toEqual(full);
  });

  it("The OpenAPI document has the minimal form unless the full form is requested", async () => {
    const plain = await document();
    const text = JSON.stringify(plain);
    expect(text).not.toContain('"example"');
    expect(text).not.toContain('"400"');
    expect(plain.components?.schemas).not.toHaveProperty("error");
    expect(plain.components).toHaveProperty("securitySchemes");
    expect(plain.paths["/api/rest/books"]?.post).toMatchObject({
      operationId: "post_Find_books",
      parameters: [
        { in: "header", name: "x-engine-admin-secret" },
        { in: "query", name: "limit", required: false },
        { in: "query", name: "title", required: false },
      ],
    });
    expect(plain.paths["/api/rest/books"]?.get?.parameters).toContainEqual(
      expect.objectContaining({ name: "title", required: true }),
    );
  });

  it("The OpenAPI document of a role contains the endpoints and fields that the role may use", async () => {
    const member = await document("?form=full&role=member");
    const visitor = await document("?role=visitor");
    const paths = ["/api/rest/books", "/api/rest/books/{id}", "/api/rest/loans/{loan}", "/api/rest/my/loans"];
    expect(Object.keys(member.paths).sort()).toEqual(expect.arrayContaining(paths));
    expect(Object.keys(member.paths)).not.toContain("/api/rest/loans");
    expect(Object.keys(visitor.paths)).not.toContain("/api/rest/my/loans");
    // Members see neither the fines of other members nor objects related to fines.
    expect(JSON.stringify(full)).toContain("fines_due");
    expect(JSON.stringify(member)).not.toContain("fines_due");
    expect(JSON.stringify(visitor)).not.toContain("member_bool_exp");
    const { valid } = await new Validator().validate(JSON.parse(JSON.stringify(member)));
    expect(valid).toBe(true);
    expect(await document("?role=admin&form=full")).toEqual(full);
  });

  it.each([
    ["role=nobody", "role", "not-exists", "no permission exists for the role"],
    ["role=membr", "role", "not-exists", 'did you mean "member"?'],
    ["role=member&role=visitor", "role", "not-exists", "occurs more than once"],
    ["version=3.2", "version", "bad-request", "expected one OpenAPI version of 3.0, 3.1"],
    ["version=3.0&version=3.1", "version", "bad-request", "expected one OpenAPI version of 3.0, 3.1"],
  ])("The parameters ?%s are refused", async (query, parameter, code, message) => {
    const answer = await fetch(`${server.url}/api/swagger/json?${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code,
      path: `$.${parameter}`,
      error: expect.stringContaining(message),
    });
  });

  it("The OpenAPI document is restricted to admins", async () => {
    const answer = await fetch(`${server.url}/api/swagger/json`, { headers: { "x-engine-role": "member" } });
    expect(answer.status).toBe(400);
  });

  it("The OpenAPI document describes the value of data alone if endpoints return only that", async () => {
    const other = await startTestServer({ on: server, environment: { ENGINE_GRAPHQL_REST_RESPONSE: "data" } });
    try {
      for (const query of ["", "?form=full"]) {
        const answer = await fetch(`${other.url}/api/swagger/json${query}`);
        const { paths } = (await answer.json()) as OpenAPIObject;
        expect(resultSchema(paths)).toEqual(resultSchema((await document(query)).paths).properties?.data);
      }
    } finally {
      await other.stop();
    }
  });

  it("The OpenAPI document equals the compiled one", async () => {
    const written = JSON.parse(await readFile(join(library, "../../generated/openapi.json"), "utf8"));
    expect(full).toEqual(written);
  });
});

function resultSchema(paths: OpenAPIObject["paths"]): SchemaObject {
  return paths["/api/rest/books"]?.post?.responses["200"]?.content["application/json"].schema;
}

interface Example {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

function examples(): readonly Example[] {
  const methods = ["get", "post", "put", "patch", "delete"] as const;
  return Object.entries(full.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as OperationObject | undefined;
      return operation ? [{ method: method.toUpperCase(), path, operation }] : [];
    }),
  );
}

/** Returns the violations of a value, by the JSON Schema keywords that the documents use. */
function violations(schema: SchemaObject | ReferenceObject, value: unknown, at: string): string[] {
  if ("$ref" in schema) {
    const name = decodeURIComponent(schema.$ref.split("/").at(-1) ?? "");
    const component = full.components?.schemas?.[name];
    return component ? violations(component, value, at) : [`${at}: no component ${name}`];
  }
  if (value === null) return schema.nullable === true ? [] : [`${at}: null`];
  if (schema.enum && !schema.enum.includes(value)) return [`${at}: ${value}`];
  const types: Record<string, boolean> = {
    integer: Number.isInteger(value),
    number: typeof value === "number",
    string: typeof value === "string",
    boolean: typeof value === "boolean",
    array: Array.isArray(value),
    object: typeof value === "object" && !Array.isArray(value),
  };
  if (typeof schema.type === "string" && types[schema.type] !== true) return [`${at}: not ${schema.type}`];
  if (Array.isArray(value)) return value.flatMap((item, i) => violations(schema.items ?? {}, item, `${at}[${i}]`));
  if (typeof value !== "object") return [];
  const properties = schema.properties ?? {};
  return Object.entries(value).flatMap(([key, member]) => {
    const known = properties[key];
    return known ? violations(known, member, `${at}.${key}`) : [`${at}: ${key} is not documented`];
  });
}

it("Every example of the OpenAPI document works as documented", async () => {
  expect(examples().length).toBeGreaterThan(5);
  for (const { method, path, operation } of examples()) {
    const parameters = (operation.parameters ?? []) as ParameterObject[];
    const inPath = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(parameters.find((each) => each.name === name)?.example)),
    );
    const body = (operation.requestBody as { content: Record<string, { example?: unknown }> } | undefined)?.content[
      "application/json"
    ]?.example;
    const query = new URLSearchParams(
      parameters
        .filter(({ in: place, example }) => place === "query" && example !== undefined && body === undefined)
        .map(({ name, example }): [string, string] => [name, String(example)]),
    );
    const answer = await fetch(`${server.url}${inPath}?${query}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json: unknown = await answer.json();
    const documented = operation.responses[String(answer.status)] as {
      content: Record<string, { schema: SchemaObject }>;
    };
    expect(documented, `${method} ${path}: ${answer.status} ${JSON.stringify(json)}`).toBeDefined();
    const schema = documented.content["application/json"]?.schema ?? {};
    expect(violations(schema, json, `${method} ${path}`)).toEqual([]);
  }
});
