/**
 * The dashboard, checked against Grafana's documentation of its JSON:
 * https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/ and
 * kinds/dashboard/dashboard_kind.cue of its repository. The test also fails for errors that Grafana ignores silently.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { root } from "../support/shared-checks.ts";

const text = readFileSync(join(root, "docs/grafana/engine.json"), "utf8");

const dataSource = z.strictObject({ type: z.literal("prometheus"), uid: z.string().regex(/^\$\{datasource\}$/) });
const gridPos = z
  .strictObject({
    x: z.int().min(0).max(23),
    y: z.int().min(0),
    w: z.int().min(1).max(24),
    h: z.int().min(1),
  })
  .refine(({ x, w }) => x + w <= 24, "reaches over the right edge");
const thresholds = z.strictObject({
  mode: z.enum(["absolute", "percentage"]),
  steps: z
    .array(z.strictObject({ color: z.string(), value: z.number().nullable() }))
    .min(1)
    .refine(
      ([first, ...others]) => first?.value === null && others.every(({ value }) => value !== null),
      "the first step is that of no value, and the only one",
    )
    .refine(
      (steps) => steps.slice(1).every(({ value }, i) => i === 0 || Number(steps[i]?.value) < Number(value)),
      "sorted",
    ),
});
const target = z.looseObject({ datasource: dataSource, expr: z.string().min(1), refId: z.string().min(1) });
const place = { id: z.int().positive(), title: z.string().min(1), gridPos };
const chart = z.looseObject({
  ...place,
  type: z.enum(["timeseries", "stat"]),
  datasource: dataSource,
  fieldConfig: z.strictObject({
    defaults: z.looseObject({ unit: z.string().optional(), thresholds: thresholds.optional() }),
    overrides: z.array(z.unknown()),
  }),
  targets: z
    .array(target)
    .min(1)
    .refine((all) => new Set(all.map(({ refId }) => refId)).size === all.length, "each query has a refId of its own"),
  options: z.record(z.string(), z.unknown()),
});
/** An open row is followed by its panels and does not contain them. */
const row = z.strictObject({ ...place, type: z.literal("row"), collapsed: z.literal(false), panels: z.tuple([]) });
const variable = {
  name: z.string().regex(/^\w+$/),
  label: z.string(),
  hide: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  includeAll: z.boolean(),
  multi: z.boolean(),
};
const variables = z.discriminatedUnion("type", [
  z.looseObject({ ...variable, type: z.literal("datasource"), query: z.literal("prometheus") }),
  z.looseObject({
    ...variable,
    type: z.literal("query"),
    datasource: dataSource,
    query: z.strictObject({ query: z.string(), refId: z.string() }),
    // Requested when the dashboard opens, or when its time changes.
    refresh: z.union([z.literal(1), z.literal(2)]),
  }),
]);
const dashboard = z.strictObject({
  uid: z.string().regex(/^[\w-]{8,40}$/),
  title: z.string().min(1),
  description: z.string(),
  tags: z.array(z.string()),
  editable: z.boolean(),
  graphTooltip: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  refresh: z.string().regex(/^\d+[smhd]$/),
  schemaVersion: z.int().min(36),
  version: z.int().min(0),
  time: z.strictObject({ from: z.string().regex(/^now-\d+[mhd]$/), to: z.literal("now") }),
  timezone: z.string(),
  annotations: z.strictObject({ list: z.tuple([]) }),
  links: z.tuple([]),
  templating: z.strictObject({ list: z.array(variables) }),
  panels: z.array(z.discriminatedUnion("type", [row, chart])).min(1),
});

describe("The Grafana dashboard", () => {
  it("The dashboard contains only fields that Grafana reads", () => {
    const read = dashboard.safeParse(JSON.parse(text));
    expect(read.error?.issues ?? []).toEqual([]);
  });

  it("The panels of the dashboard do not overlap", () => {
    const { panels } = dashboard.parse(JSON.parse(text));
    const taken = new Map<string, string>();
    const overlaps: string[] = [];
    for (const { title, gridPos: at } of panels) {
      for (let x = at.x; x < at.x + at.w; x++) {
        for (let y = at.y; y < at.y + at.h; y++) {
          const other = taken.get(`${x} ${y}`);
          if (other !== undefined) overlaps.push(`${title} over ${other}`);
          taken.set(`${x} ${y}`, title);
        }
      }
    }
    expect([...new Set(overlaps)]).toEqual([]);
  });

  it("The dashboard uses exactly its own variables and those built into Grafana", () => {
    const names = dashboard.parse(JSON.parse(text)).templating.list.map(({ name }) => name);
    const used = new Set([...text.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)].map(([, braced, bare]) => braced ?? bare));
    expect([...used].filter((name) => !names.includes(name ?? "") && !name?.startsWith("__"))).toEqual([]);
    expect(names.filter((name) => !used.has(name))).toEqual([]);
  });
});
