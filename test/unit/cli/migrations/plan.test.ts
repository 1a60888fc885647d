import { describe, expect, it } from "vitest";
import type { Migration } from "../../../../runtime/cli/migrations/migration-files.ts";
import { type MigrationRequest, planMigrations, sqlOf } from "../../../../runtime/cli/migrations/plan.ts";
import { squash } from "../../../../runtime/cli/migrations/squash.ts";

const migration = (version: string, more: Partial<Migration> = {}): Migration => ({
  version,
  name: `m${version}`,
  folder: `migrations/default/${version}_m${version}`,
  up: { path: `${version}/up.sql`, sql: `up ${version}` },
  down: { path: `${version}/down.sql`, sql: `down ${version};` },
  replaces: new Map(),
  ...more,
});

const plan = (
  migrations: readonly Migration[],
  applied: readonly string[],
  request: MigrationRequest,
): readonly string[] =>
  planMigrations(migrations, new Map(applied.map((version) => [version, false])), request).map(
    ({ migration: { version }, action }) => `${action} ${version}`,
  );

const four = ["1", "2", "10", "11"].map((version) => migration(version));

describe("Planned migrations", () => {
  it.each<[MigrationRequest, readonly string[], readonly string[]]>([
    [{ kind: "pending" }, [], ["up 1", "up 2", "up 10", "up 11"]],
    [{ kind: "pending" }, ["1", "10"], ["up 2", "up 11"]],
    [{ kind: "up", count: 1 }, ["1"], ["up 2"]],
    [{ kind: "down", count: 2 }, ["1", "2", "10"], ["down 10", "down 2"]],
    [{ kind: "goto", version: "2" }, ["1", "10", "11"], ["up 2", "down 11", "down 10"]],
    [{ kind: "goto", version: "0" }, ["1", "2"], ["down 2", "down 1"]],
    [{ kind: "version", version: "10", direction: "up" }, [], ["up 10"]],
    [{ kind: "version", version: "10", direction: "up" }, ["10"], []],
    [{ kind: "version", version: "1", direction: "down" }, ["1", "2"], ["down 1"]],
  ])("The request %j with %j applied plans %j", (request, applied, steps) => {
    expect(plan(four, applied, request)).toEqual(steps);
  });

  it.each<[MigrationRequest, string]>([
    [{ kind: "goto", version: "3" }, "no file has migration 3: the files have 1, 2, 10, 11"],
    [{ kind: "version", version: "10", direction: "down" }, "migration 10 is not applied on the server"],
    [{ kind: "down", count: 1 }, "no file has migration 99"],
  ])("The migration request %j is refused: %s", (request, message) => {
    expect(() => plan(four, ["99"], request)).toThrow(message);
  });

  it("Planning refuses an interrupted migration until a person decides", () => {
    const applied = new Map([["1", true]]);
    expect(() => planMigrations(four, applied, { kind: "pending" })).toThrow("migration 1 was interrupted");
    expect(planMigrations(four, applied, { kind: "version", version: "1", direction: "up" })).toHaveLength(1);
  });

  it("Rolling back needs a down.sql with a statement", () => {
    const silent = migration("1", { down: { path: "1/down.sql", sql: "-- nothing\n/* to\ndo */" } });
    expect(() => sqlOf({ migration: silent, action: "down" })).toThrow("has a down.sql without statements");
    expect(() => sqlOf({ migration: migration("1", { up: undefined }), action: "up" })).toThrow("has no up.sql");
  });
});

describe("Squashed migrations", () => {
  const squashed = (migrations: readonly Migration[], from: string, to?: string): Migration => {
    const { result } = squash(migrations, { from, to, name: "all" });
    const { version, name, up, down, replaces = new Map() } = result;
    return migration(version, { name, up: { path: "", sql: up }, down: { path: "", sql: down }, replaces });
  };

  it("A squashed migration contains all SQL, with the down statements reversed, and takes the version after the last", () => {
    const all = squashed(four, "1", "2");
    expect(all.version).toBe("3");
    expect(all.up?.sql).toBe("-- 1_m1\nup 1\n;\n\n-- 2_m2\nup 2\n;\n");
    expect(all.down?.sql).toBe("-- 2_m2\ndown 2;\n\n-- 1_m1\ndown 1;\n");
  });

  it("A migration outside a transaction cannot be squashed", () => {
    const alone = migration("2", { up: { path: "2_b/up.sql", sql: "-- engine:no-transaction\nselect 1" } });
    expect(() => squashed([migration("1"), alone], "1")).toThrow("2_b/up.sql runs outside a transaction");
  });

  it("A squashed migration cannot be rolled back if one of its parts cannot", () => {
    const all = squashed([migration("1", { down: undefined }), migration("2")], "1");
    expect(() => sqlOf({ migration: all, action: "down" })).toThrow("without statements");
  });

  it("A squashed migration counts as applied if all its parts are, even if it was squashed before", () => {
    const once = squashed(four, "1", "2");
    const twice = squashed([once, migration("10")], "3");
    expect(twice.version).toBe("11");
    const pending: MigrationRequest = { kind: "pending" };
    for (const applied of [
      ["1", "2", "10"],
      ["3", "10"],
    ])
      expect(plan([twice], applied, pending)).toEqual(["adopt 11"]);
    expect(plan([twice], [], pending)).toEqual(["up 11"]);
    expect(() => plan([twice], ["1", "2"], pending)).toThrow("of which the server has 1, 2 and lacks 10");
  });

  it.each([
    ["1", "1", "cannot squash fewer than two migrations"],
    ["1", "5", "no file has migration 5"],
    ["1", "10", "the squashed migration would have version 11, which already exists"],
  ])("Squashing from %s to %s is refused: %s", (from, to, message) => {
    expect(() => squashed(four, from, to)).toThrow(message);
  });
});
