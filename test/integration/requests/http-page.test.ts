/** The requests in `docs/reference/http.md` return the responses shown there. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { examplesOf, requestOf } from "../../support/curl.ts";
import { useLibrary } from "../../support/library.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/shared-checks.ts";

const examples = examplesOf(await readFile(join(root, "docs/reference/http.md"), "utf8"));

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await useLibrary(server);
}, 60_000);

afterAll(() => server?.close());

it("The HTTP page has at least two requests with responses", () => expect(examples.length).toBeGreaterThanOrEqual(2));

it.each(examples)("The request on the HTTP page returns the shown response: $command", async ({ command, answer }) => {
  const { path, init } = requestOf(command);
  const response = await fetch(`${server.url}${path}`, init);
  expect((await response.text()).trimEnd()).toBe(answer.trimEnd());
});
