/** The files for Prometheus and Grafana in `docs/`, against a real server and a real Prometheus that scrapes it. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { metricTable } from "../../../runtime/ports/metric-table.ts";
import { missingProgram } from "../../support/missing-program.ts";
import { type Prometheus, promtool, startPrometheus } from "../../support/prometheus.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/shared-checks.ts";

const alerts = readFileSync(join(root, "docs/prometheus/alerts.yaml"), "utf8");
const dashboard = JSON.parse(readFileSync(join(root, "docs/grafana/engine.json"), "utf8"));

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const panels: readonly Panel[] = dashboard.panels;
const expressions = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

const rows = Object.values(metricTable);
/** Labels of the series that the server exports, by name. */
const served = new Map<string, readonly string[]>(
  rows.flatMap(({ name, kind, labels }) =>
    kind === "histogram"
      ? ["_bucket", "_sum", "_count"].map((part): [string, readonly string[]] => [
          `engine_${name}${part}`,
          part === "_bucket" ? [...labels, "le"] : labels,
        ])
      : [[`engine_${name}`, labels]],
  ),
);
const named = (text: string): readonly string[] => [...new Set(text.match(/\bengine_\w+/g) ?? [])];

describe("The example dashboard", () => {
  it("The dashboard names exactly the served metrics", () => {
    const names = expressions.flatMap(({ expr }) => named(expr));
    expect(names.filter((name) => !served.has(name))).toEqual([]);
    const shown = new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, "")));
    const all = rows.map(({ name }) => `engine_${name}`.replace(/_(bucket|sum|count)$/, ""));
    expect(all.filter((name) => !shown.has(name))).toEqual([]);
  });

  it("The dashboard groups by existing labels", () => {
    const ofPrometheus = ["job", "instance"];
    for (const { title, expr } of expressions) {
      const allowed = named(expr).flatMap((name) => [...(served.get(name) ?? [])]);
      const groups = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", "));
      const selected = [...expr.matchAll(/(\w+)(?:=~?|!=)"/g)].map(([, label = ""]) => label);
      const unknown = [...groups, ...selected].filter((each) => ![...allowed, ...ofPrometheus].includes(each));
      expect(unknown, title).toEqual([]);
    }
  });

  it("The panels of the dashboard have distinct places and ids", () => {
    const ids = dashboard.panels.map(({ id }: { readonly id: number }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const places = dashboard.panels.map(({ gridPos }: { readonly gridPos: object }) => JSON.stringify(gridPos));
    expect(new Set(places).size).toBe(places.length);
  });
});

describe("The example alerts", () => {
  it("The alerts name served metrics", () => {
    expect(named(alerts).length).toBeGreaterThan(10);
    expect(named(alerts).filter((name) => !served.has(name))).toEqual([]);
  });

  it("The alerts link to existing sections", () => {
    const links = [...alerts.matchAll(/runbook: "([^#]*)#([^"]*)"/g)];
    expect(links.length).toBe(alerts.match(/- alert:/g)?.length);
    for (const [, page = "", part = ""] of links) {
      const headings = [...readFileSync(join(root, page), "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w ]/g, "")
          .replaceAll(" ", "-"),
      );
      expect(headings, page).toContain(part);
    }
  });
});

describe.skipIf(missingProgram("promtool"))("promtool", () => {
  it("promtool accepts the alert rules and detects a changed one", async () => {
    expect(promtool(["check", "rules", "--lint-fatal", "docs/prometheus/alerts.yaml"])).toMatchObject({ isFine: true });
    const folder = await mkdtemp(join(tmpdir(), "engine-alerts-"));
    await writeFile(join(folder, "alerts.yaml"), alerts.replace("== 0", "=== 0"));
    expect(promtool(["check", "rules", join(folder, "alerts.yaml")]).isFine).toBe(false);
    await rm(folder, { recursive: true });
  });

  it("Each alert fires in its own test case and not on a healthy server", () => {
    const { isFine, said } = promtool(["test", "rules", "test/integration/telemetry/alerts.yaml"]);
    expect(isFine, said).toBe(true);
    const cases = readFileSync(join(root, "test/integration/telemetry/alerts.yaml"), "utf8");
    for (const [, name] of alerts.matchAll(/- alert: (\w+)/g)) {
      expect(cases).toMatch(new RegExp(`alertname: ${name}\n +exp_alerts:`));
    }
  });
});

describe.skipIf(missingProgram("prometheus"))("Prometheus", () => {
  const secret = "read-the-metrics";
  let server: TestServer;
  let prometheus: Prometheus;

  beforeAll(async () => {
    server = await startTestServer({
      sealed: false,
      environment: {
        ENGINE_GRAPHQL_ENABLED_APIS: "metadata,graphql,metrics",
        ENGINE_GRAPHQL_METRICS_SECRET: secret,
      },
    });
    await server.graphql("query Seen { __typename }");
    prometheus = await startPrometheus({ target: new URL(server.url).host, secret });
  }, 90_000);

  afterAll(async () => {
    await prometheus?.close();
    await server?.close();
  });

  const waiting = { timeout: 30_000, interval: 200 };

  it("Prometheus scrapes with the documented configuration", async () => {
    await expect
      .poll(() => prometheus.ask("targets"), waiting)
      .toMatchObject({ activeTargets: [{ health: "up", lastError: "", labels: { job: "engine" } }] });
    await expect
      .poll(() => prometheus.ask("query", { query: 'engine_graphql_requests_total{operation_name="Seen"}' }), waiting)
      .toMatchObject({ result: [{ metric: { response_status: "success" }, value: [expect.anything(), "1"] }] });
  });

  it("promtool accepts the served metrics except for names that are fixed", async () => {
    const headers = { authorization: `Bearer ${secret}` };
    const { said } = promtool(
      ["check", "metrics"],
      await (await fetch(`${server.url}/v1/metrics`, { headers })).text(),
    );
    const fixed = /^engine_(cache_request_count|otel_(sent|dropped)_\w+) counter metrics should have "_total" suffix$/;
    expect(said.split("\n").filter((line) => line !== "" && !fixed.test(line))).toEqual([]);
  });

  it("Prometheus reads type and description of every metric", async () => {
    const metadata = (await prometheus.ask("targets/metadata")) as readonly Record<
      "metric" | "type" | "help",
      string
    >[];
    const read = metadata.map(({ metric, type, help }) => ({ metric, type, help }));
    for (const { name, kind, help } of rows) {
      expect(read).toContainEqual({ metric: `engine_${name}`, type: kind, help });
    }
  });

  it("Prometheus evaluates every panel of the dashboard", async () => {
    for (const { title, expr } of expressions) {
      const query = expr
        .replaceAll("$job", "engine")
        .replaceAll("$instance", ".*")
        .replaceAll("$__rate_interval", "1m");
      expect(query, title).not.toContain("$");
      expect(await prometheus.ask("query", { query }), title).toHaveProperty("result");
    }
    const overview = { query: 'count(engine_process_uptime_seconds{job="engine"})' };
    expect(await prometheus.ask("query", overview)).toMatchObject({ result: [{ value: [expect.anything(), "1"] }] });
  });

  it("Prometheus evaluates every alert, and none fires", async () => {
    const read = async () => {
      const { groups } = (await prometheus.ask("rules")) as {
        readonly groups: readonly { readonly rules: readonly Record<"name" | "health" | "state", string>[] }[];
      };
      return groups.flatMap(({ rules }) => rules);
    };
    await expect.poll(async () => (await read()).every(({ health }) => health === "ok"), waiting).toBe(true);
    const states = (await read()).map(({ name, state }) => `${name} ${state}`);
    expect(states).toHaveLength(alerts.match(/- alert:/g)?.length ?? 0);
    expect(states.filter((each) => !each.endsWith(" inactive"))).toEqual([]);
  });
});
