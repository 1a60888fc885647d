/** The examples of metadata operations in the reference work on a server, and every operation has one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Example, eventId } from "../../.ci/reference/examples/example.ts";
import { exampleGroups } from "../../.ci/reference/examples/groups.ts";
import { decodeRequest } from "../../compiler/metadata/dispatch.ts";
import { operations } from "../../compiler/metadata/registry.ts";
import { type RemoteGraphql, startRemoteGraphql } from "../support/remote-graphql.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let people: RemoteGraphql;

beforeAll(async () => {
  people = await startRemoteGraphql("type Query { person(id: Int): Person } type Person { id: Int name: String }");
  server = await startTestServer({
    environment: {
      ENGINE_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: "true",
      // The examples change the metadata more than 100 times.
      ENGINE_GRAPHQL_METADATA_HISTORY_SIZE: "1000",
    },
  });
});
afterAll(async () => {
  await server?.close();
  await people?.close();
});

/** Removes everything that the examples of another group created. */
async function reset(): Promise<void> {
  await server.metadata("clear_metadata", {});
  const { status } = await server.post("/v2/query", {
    type: "run_sql",
    args: { sql: "DROP SCHEMA IF EXISTS archive CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public" },
  });
  expect(status).toBe(200);
}

/** Returns the id of the event in a response. */
function eventOf(json: unknown): string | undefined {
  const first = Array.isArray(json) ? json[0] : json;
  return first?.event_id ?? (Array.isArray(json) ? first?.id : undefined);
}

async function run({ endpoint, body, response, fails }: Example, event: string): Promise<string> {
  const text = JSON.stringify(body)
    .replaceAll("http://localhost:4000", `http://127.0.0.1:${people.port}`)
    .replaceAll(eventId, event);
  const answer = await server.post(endpoint, JSON.parse(text));
  expect(answer.status, `${body.type}: ${answer.text}`).toBe(fails ? 400 : 200);
  if (response === undefined)
    expect(answer.json.message ?? answer.json.result_type, body.type).toMatch(/^(success|CommandOk)$/);
  else if (Object.keys(response as object).length > 0)
    expect({ [body.type]: answer.json }).toMatchObject({ [body.type]: response });
  return eventOf(answer.json) ?? event;
}

describe("The reference of metadata operations", () => {
  it.each(exampleGroups)("The examples of a group work in order: $title", { timeout: 60_000 }, async (group) => {
    await reset();
    let event = eventId;
    for (const example of [...group.before, ...Object.values(group.examples)]) {
      if (example.isMssql) expect(decodeRequest(example.endpoint, example.body)).toMatchObject({ ok: true });
      else event = await run(example, event);
    }
  });

  it("Every operation has an example, under its own name", () => {
    const examples = exampleGroups.flatMap((group) => Object.entries(group.examples));
    expect(examples.map(([name]) => name).sort()).toEqual([...new Set(operations.map(({ name }) => name))].sort());
    const otherNames = examples.filter(([name, { body }]) => body.type.replace(/^(pg|mssql)_/, "") !== name);
    expect(otherNames).toEqual([]);
  });
});
