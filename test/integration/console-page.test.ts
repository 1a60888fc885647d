/** The commands of docs/console.md work in their order, and answer what the page says. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
});

afterAll(() => server.close());

it("docs/console.md", async () => {
  const page = await readFile(new URL("../../docs/console.md", import.meta.url), "utf8");
  const commands = [...page.matchAll(/^curl http:\/\/localhost:8080(\S+) -d '(.*)'$/gm)];
  const answers = new Map<string, string>();
  for (const [, path = "", body = ""] of commands) {
    const { status, text } = await server.post(path, JSON.parse(body));
    expect([body, status]).toEqual([body, 200]);
    answers.set(JSON.parse(body).type, text);
  }
  expect(commands.length).toBe(12);
  const plan = JSON.parse(answers.get("plan_metadata") ?? "");
  expect(Object.keys(plan).sort()).toEqual(["access", "inconsistent", "modules", "resource_version", "summary"]);
  expect(plan.summary.widens).toBe(1);
  expect(answers.get("export_generated_code")).toContain("What role writer may read of public.note");
});
