/** Requests of REST endpoints from their OpenAPI document, and changes of endpoints. */
import { describe, expect, it } from "vitest";
import type { OpenApi } from "../../../runtime/console/http/rest-api.ts";
import {
  defaultMethods,
  replacement,
  signatureOf,
  urlProblem,
} from "../../../runtime/console/pages/api/endpoint-change.ts";
import { fieldsOf, operationOf, problemOf, requestOf } from "../../../runtime/console/pages/rest/rest-request.ts";
import { schemaText } from "../../../runtime/console/pages/rest/schema-text.ts";

const integer = { type: "integer" };
const parameters = [
  { in: "path", name: "id", required: true, schema: integer },
  { in: "query", name: "title", required: false, schema: { type: "string" } },
  { in: "query", name: "loud", required: false, schema: { type: "boolean" } },
];
const document: OpenApi = {
  paths: {
    "/api/rest/books/{id}": {
      get: { summary: "Book", parameters },
      post: {
        summary: "Book",
        parameters,
        requestBody: {
          content: {
            "application/json": {
              schema: {
                properties: {
                  id: integer,
                  title: { type: "string" },
                  loud: { type: "boolean" },
                  big: integer,
                  tags: { type: "array", items: { type: "string" } },
                  kind: { $ref: "#/components/schemas/kind" },
                },
              },
            },
          },
        },
      },
    },
  },
  components: { schemas: { kind: { enum: ["a", "b"] } } },
};

function prepared(method: "GET" | "POST") {
  const found = operationOf(document, "Book", method);
  if (!found) throw new Error("the document has the operation");
  return { found, fields: fieldsOf(found, document) };
}

describe("Requests of endpoints", () => {
  it("A GET request has its values in the path and the query string, encoded", () => {
    const { found, fields } = prepared("GET");
    expect(fields.map(({ name, place, kind }) => [name, place, kind])).toEqual([
      ["id", "path", "number"],
      ["title", "query", "text"],
      ["loud", "query", "boolean"],
    ]);
    expect(requestOf("GET", found, fields, { id: "a/?#{title}", title: "ü & 1=1" })).toEqual({
      method: "GET",
      path: "/api/rest/books/a%2F%3F%23%7Btitle%7D?title=%C3%BC+%26+1%3D1",
      body: null,
    });
  });

  it("A POST request has its values in the body, and long numbers keep their digits", () => {
    const { found, fields } = prepared("POST");
    expect(fields.map(({ name, place, kind }) => `${name} ${place} ${kind}`)).toEqual([
      "id path number",
      "title body text",
      "loud body boolean",
      "big body number",
      "tags body json",
      "kind body enum",
    ]);
    const values = { id: "1", title: 'say "hi"', loud: "true", big: "9007199254740993", tags: '["x"]', kind: "a" };
    expect(requestOf("POST", found, fields, values)).toEqual({
      method: "POST",
      path: "/api/rest/books/1",
      body: '{"title": "say \\"hi\\"", "loud": true, "big": 9007199254740993, "tags": ["x"], "kind": "a"}',
    });
  });

  it("A value that cannot be sent has a reason", () => {
    const field = { name: "a", place: "path", kind: "text", choices: [], isRequired: true } as const;
    expect(problemOf(field, "")).toMatch(/Enter a value/);
    for (const text of [".", ".."]) expect(problemOf(field, text)).toMatch(/cannot be/);
    expect(problemOf(field, "...")).toBeNull();
    expect(problemOf({ ...field, kind: "number" }, "0x1")).toMatch(/number/);
    expect(problemOf({ ...field, place: "body", kind: "json" }, "{")).toMatch(/JSON/);
    expect(problemOf({ ...field, place: "body", isRequired: false }, "")).toBeNull();
  });

  it("An endpoint that the document lacks has no operation", () => {
    expect(operationOf(document, "Book", "DELETE")).toBeUndefined();
    expect(operationOf({}, "Book", "GET")).toBeUndefined();
  });
});

describe("Changes of endpoints", () => {
  it("A renamed endpoint is replaced in one change", () => {
    const draft = { name: "B", url: "b", methods: ["GET"], comment: "", collection: "c", query: "q" } as const;
    const definition = { query: { collection_name: "c", query_name: "q" } };
    const created = { name: "B", url: "b", methods: ["GET"], comment: null, definition };
    expect(replacement("A", draft)).toEqual({
      type: "bulk",
      args: [
        { type: "drop_rest_endpoint", args: { name: "A" } },
        { type: "create_rest_endpoint", args: created },
      ],
    });
  });

  it("The variables of a path are those of the operation, each once", () => {
    const { variables } = signatureOf("query A($id: Int, $n: Int) { a }") ?? { variables: [] };
    expect(variables).toEqual(["id", "n"]);
    expect(urlProblem("books/:id/:n", variables)).toBeNull();
    expect(urlProblem("books/:other", variables)).toBe("The operation has no variable other, only id, n.");
    expect(urlProblem(":id/:id", variables)).toMatch(/twice/);
    for (const url of ["/books", "books/", "a//b", "a/:"]) expect(urlProblem(url, variables)).toMatch(/empty segments/);
    expect(urlProblem("a?b", variables)).toMatch(/question marks/);
  });

  it("Only a document with one operation can be an endpoint", () => {
    expect(signatureOf("mutation A { a }")?.operation).toBe("mutation");
    expect(defaultMethods("mutation")).toEqual(["POST"]);
    for (const text of ["{", "query A { a } query B { b }", "query A { ...F } fragment F on A { a }"]) {
      expect(signatureOf(text)).toBeNull();
    }
  });
});

describe("Schemas as text", () => {
  it("Objects, lists, references and nullable types are written in short", () => {
    const schema = {
      required: ["id"],
      properties: {
        id: integer,
        "odd name": { type: "array", items: { $ref: "#/components/schemas/kind" }, nullable: true },
        tags: { type: "array", items: { type: "string", nullable: true } },
        any: { title: "uuid" },
      },
    };
    expect(schemaText(schema)).toBe(
      '{\n  id: integer\n  "odd name"?: kind[] | null\n  tags?: (string | null)[]\n  any?: uuid\n}',
    );
    expect(schemaText({ enum: ["a", "<b>"] })).toBe('"a" | "<b>"');
  });

  it("A schema that is very deep or long is cut", () => {
    let deep = {};
    for (let i = 0; i < 50; i++) deep = { properties: { a: deep } };
    expect(schemaText(deep)).toContain("…");
    const wide = { properties: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`member${i}`, integer])) };
    expect(schemaText(wide).length).toBeLessThan(20_010);
  });
});
