/** The commands of docs/how-to/console.md work in order and print the output that the page shows. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
});

afterAll(() => server.close());

it("The commands of docs/how-to/console.md work", async () => {
  const page = await readFile(new URL("../../docs/how-to/console.md", import.meta.url), "utf8");
  const commands = [...page.matchAll(/^curl http:\/\/localhost:8080(\S+) -d '(.*)'$/gm)];
  /** The responses of each operation, in order. */
  const answers = new Map<string, string[]>();
  for (const [, path = "", body = ""] of commands) {
    const { status, text } = await server.post(path, JSON.parse(body));
    expect([body, status]).toEqual([body, 200]);
    const { type } = JSON.parse(body);
    answers.set(type, [...(answers.get(type) ?? []), text]);
  }
  expect(commands.length).toBe(20);
  expect(JSON.parse(answers.get("get_saved_operation_roles")?.[0] ?? "")).toMatchObject({ roles: ["admin", "writer"] });
  const plan = JSON.parse(answers.get("plan_metadata")?.[0] ?? "");
  expect(Object.keys(plan).sort()).toEqual([
    "access",
    "inconsistent",
    "metadata",
    "modules",
    "resource_version",
    "summary",
  ]);
  expect(plan.summary.widens).toBe(1);
  const [all, named, saved] = answers.get("export_generated_code") ?? [];
  expect(JSON.parse(all ?? "").paths).toContain("roles/writer/default/public.note.ts");
  expect(named).toContain("Select permission of role writer on public.note");
  expect(Object.keys(JSON.parse(saved ?? ""))).toContain("paths");
});
