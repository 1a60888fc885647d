/** Enum types of the database: documents write their values as strings or as GraphQL enum values. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../support/server.ts";

const schema = `
  create type mood as enum ('sad', 'ok', 'happy');
  create table person (id integer primary key, mood mood not null default 'ok', past mood[] not null default '{}');
  insert into person values (1, 'sad', '{ok}'), (2, 'happy', '{sad,happy}');
`;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await server.post("/v2/query", { type: "run_sql", args: { sql: schema } });
  await server.metadata("pg_track_table", { source: "default", table: "person" });
});

afterAll(() => server.close());

describe("Values of database enums", () => {
  it.each(["happy", '"happy"'])("A database enum value filters rows as %s", async (value) => {
    expect(await server.graphql(`{ person(where: {mood: {_in: [${value}]}}) { id mood } }`)).toEqual({
      data: { person: [{ id: 2, mood: "happy" }] },
    });
  });

  it("A database enum value filters rows as an array item", async () => {
    expect(await server.graphql("{ person(where: {past: {_contains: [happy, sad]}}) { id } }")).toEqual({
      data: { person: [{ id: 2 }] },
    });
  });

  it("A mutation writes a database enum value, even as a variable default", async () => {
    const text = `mutation ($mood: mood = happy) {
      insert_person_one(object: {id: 3, mood: $mood, past: [sad]}) { mood past }
      update_person_by_pk(pk_columns: {id: 1}, _set: {mood: ok}) { mood }
    }`;
    expect(await server.graphql(text)).toEqual({
      data: { insert_person_one: { mood: "happy", past: ["sad"] }, update_person_by_pk: { mood: "ok" } },
    });
  });

  it("The database refuses an unknown enum value", async () => {
    expect(await server.graphql("{ person(where: {mood: {_eq: bored}}) { id } }")).toMatchObject({
      errors: [{ message: 'invalid input value for enum mood: "bored"', extensions: { code: "data-exception" } }],
    });
  });
});

it("An enum value is refused for a column that is not an enum", async () => {
  expect(await server.graphql("{ person(where: {id: {_eq: happy}}) { id } }")).toMatchObject({
    errors: [{ extensions: { code: "validation-failed" } }],
  });
});
