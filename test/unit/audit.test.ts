/** `npm run audit`: packages of a lock file against advisories in the OSV format. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "audit-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};

const advisory = (affected: object, more: object = {}) => ({
  id: "TEST-1",
  aliases: ["CVE-0000-1"],
  modified: "2020-02-03T00:00:00Z",
  summary: "A hole",
  affected: [{ package: { ecosystem: "npm", name: "left" }, ...affected }],
  ...more,
});

const range = (...events: object[]) => ({ ranges: [{ type: "SEMVER", events }] });

function audit(version: string, list: unknown, ...more: string[]): { status: number | null; stdout: string } {
  const lock = file("lock.json", {
    packages: {
      "": { version: "1.0.0" },
      "node_modules/other": { version: "1.0.0" },
      "node_modules/other/node_modules/left": { version },
    },
  });
  const args = [".ci/audit.mjs", "--lock", lock, "--advisories", file("list.json", list), ...more];
  return spawnSync(process.execPath, args, { encoding: "utf8" });
}

const exception = (expires: string) => [{ id: "CVE-0000-1", package: "left", reason: "unused here", expires }];

describe("The npm run audit command", () => {
  it("The audit lists each affected package with its advisory, location and fixed version", () => {
    const { status, stdout } = audit("1.2.0", advisory(range({ introduced: "1.0.0" }, { fixed: "1.2.3" })));
    expect(status).toBe(1);
    expect(stdout).toContain(
      "TEST-1, CVE-0000-1: left@1.2.0\n  A hole\n  in node_modules/other/node_modules/left\n  fixed in 1.2.3\n",
    );
    expect(stdout).toMatch(
      /1 advisories, the newest of 2020-02-03T00:00:00Z \(\d+ days old\), compared with 2 packages/,
    );
  });

  it.each([
    ["1.2.3", range({ fixed: "1.2.3" }, { introduced: "0" }), 0],
    ["1.2.3-rc.1", range({ introduced: "0" }, { fixed: "1.2.3" }), 1],
    ["2.1.0", range({ introduced: "0" }, { fixed: "1.2.3" }, { introduced: "2.0.0" }), 1],
    ["1.9.0", range({ introduced: "0" }, { fixed: "1.2.3" }, { introduced: "2.0.0" }), 0],
    ["1.5.0", range({ introduced: "1.0.0" }, { last_affected: "1.5.0" }), 1],
    ["1.5.1", range({ introduced: "1.0.0" }, { last_affected: "1.5.0" }), 0],
    ["1.5.0", range({ introduced: "0" }, { limit: "1.5.0" }), 0],
    ["1.5.0", { versions: ["1.5.0"] }, 1],
    ["1.5.0", { versions: ["1.5.1"] }, 0],
    ["1.5.0", { ranges: [{ type: "GIT", events: [{ introduced: "0" }] }] }, 0],
    ["1.5.0", { ranges: [{ type: "GIT", events: [{ introduced: "0" }] }], versions: ["1.5.0"] }, 1],
    ["1.5.0", { ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "1.5.1" }] }] }, 1],
    ["2.0.0-beta.1", range({ introduced: "2.0.0-alpha.1" }, { fixed: "2.0.0-rc.3" }), 1],
    ["2.0.0-rc.3", range({ introduced: "2.0.0-alpha.1" }, { fixed: "2.0.0-rc.3" }), 0],
    ["0.0.1-alpha", range({ introduced: "0" }), 1],
    ["1.5.0", range({ introduced: "v1.0" }, { fixed: "v2.0.0" }), 1],
    ["2.5.0", range({ introduced: "v1.0" }, { fixed: "v2" }), 0],
    ["1.5.0", { package: { ecosystem: "PyPI", name: "left" }, ...range({ introduced: "0" }) }, 0],
  ])("The audit compares %s with %j and exits with %i", (version, affected, code) => {
    expect(audit(version, [advisory(affected)]).status).toBe(code);
  });

  it.each([range({ introduced: "0" }, { fixed: "latest" }), { ranges: [{ type: "SEMVER" }] }])(
    "The audit treats a range that it cannot compare as affected: %j",
    (affected) => {
      const { status, stdout } = audit("1.0.0", [advisory(affected), advisory({}, { id: "TEST-2", affected: null })]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringMatching(/TEST-1.*cannot be compared/s) });
    },
  );

  it("The audit shows the last affected version if no fix is known", () => {
    const known = { database_specific: { last_known_affected_version_range: "<= 1.2.2" } };
    const { stdout } = audit("1.0.0", advisory({ ...range({ introduced: "0" }), ...known }));
    expect(stdout).toContain("no fixed version is known; last known to be affected: <= 1.2.2");
  });

  it("The audit reads a folder of exported files", () => {
    mkdirSync(join(folder, "osv", "npm"), { recursive: true });
    file("osv/npm/TEST-1.json", advisory(range({ introduced: "0" }, { fixed: "1.2.3" })));
    file(
      "osv/npm/TEST-2.json",
      advisory(range({ introduced: "0" }), { id: "TEST-2", withdrawn: "2021-01-01T00:00:00Z" }),
    );
    file("osv/MAL-1.json", advisory({ versions: ["1.2.0"] }, { id: "MAL-1", aliases: [] }));
    const { status, stdout } = audit("1.2.0", [], "--advisories", join(folder, "osv"));
    expect(status).toBe(1);
    expect(stdout.match(/^[A-Z]+-\d/gm)).toEqual(["MAL-1", "TEST-1"]);
    expect(stdout).toContain("3 advisories");
  });

  it("The audit skips a withdrawn advisory", () => {
    const withdrawn = advisory(range({ introduced: "0" }), { withdrawn: "2021-01-01T00:00:00Z" });
    expect(audit("1.0.0", withdrawn).status).toBe(0);
  });

  it("The audit accepts an exception until it expires", () => {
    const list = advisory(range({ introduced: "0" }));
    expect(audit("1.0.0", list, "--exceptions", file("valid.json", exception("2999-01-31"))).status).toBe(0);
    const late = audit("1.0.0", list, "--exceptions", file("late.json", exception("2020-01-31")));
    expect(late).toMatchObject({ status: 1, stdout: expect.stringContaining("expired on 2020-01-31") });
  });

  it("The audit explains how to get a missing list, and fails for an unreadable one", () => {
    const without = spawnSync(process.execPath, [".ci/audit.mjs"], { encoding: "utf8" });
    expect(without).toMatchObject({ status: 2, stderr: expect.stringContaining("npm/all.zip") });
    expect(audit("1.0.0", [{ id: "TEST-1" }]).status).toBe(2);
    expect(audit("1.0.0", []).status).toBe(2);
  });
});
