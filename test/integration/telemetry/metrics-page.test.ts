/** The instructions of `docs/reference/metrics.md` are carried out, and its statements about the metrics hold. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { metricTable } from "../../../runtime/ports/metric-table.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/shared-checks.ts";

const page = await readFile(join(root, "docs/reference/metrics.md"), "utf8");
const [, start = ""] = /```sh\n(ENGINE.*?) npm start\n```/s.exec(page) ?? [];
const requests = [...page.matchAll(/^curl (?:[^'\n]|'[^']*')*/gm)].map(([text]) => text);
const [, shown = ""] = /```text\n(.*?)\n```/s.exec(page) ?? [];

let server: TestServer;
beforeAll(async () => {
  const environment = Object.fromEntries(start.split(" ").map((each) => each.split("=")));
  server = await startTestServer({ sealed: false, environment });
});
afterAll(() => server?.close());

it("The requests of the metrics page return the shown metrics", async () => {
  expect(requests).toHaveLength(3);
  const texts: string[] = [];
  for (const request of requests) {
    const [, path = ""] = /http:\/\/localhost:8080(\S+)/.exec(request) ?? [];
    const [, body] = /-d '([^']*)'/.exec(request) ?? [];
    const [, header] = /-H '([^']*)'/.exec(request) ?? [];
    const headers = header === undefined ? {} : { authorization: header.replace("authorization: ", "") };
    const response = await fetch(`${server.url}${path}`, body === undefined ? { headers } : { method: "POST", body });
    expect(response.status).toBe(200);
    texts.push(await response.text());
  }
  expect(texts[1]).toContain(`${shown}\n`);
});

it("The metrics page lists every metric", () => {
  const lines = page.split("\n").filter((line) => /^\| `\w+` \| (counter|gauge|histogram) /.test(line));
  const rows = Object.values(metricTable).map(({ name, kind, labels, help }) => {
    const names = labels.map((label) => `\`${label}\``).join(", ") || "–";
    return `| \`${name}\` | ${kind} | ${names} | ${help} |`;
  });
  expect(lines).toEqual(rows);
});
