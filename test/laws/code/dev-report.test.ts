/** Laws of the report of `engine dev`: it marks everything that a role gains, and contains no SQL unless it is verbose. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { compareAccess } from "../../../compiler/access/compare.ts";
import { changeReport } from "../../../runtime/cli/dev/change-report.ts";
import { access } from "../../unit/access/sample.ts";
import type { MetadataInput } from "../../unit/analyze/sample.ts";
import { metadata } from "./random-permissions.ts";

// Each run compiles metadata, which takes time.
vi.setConfig({ testTimeout: 60_000 });

const style = { verbose: false, red: (text: string) => `<red>${text}`, bold: (text: string) => text };

const report = (before: MetadataInput, after: MetadataInput, verbose = false) =>
  changeReport(compareAccess(access(before), access(after)), [], { ...style, verbose });

const isRed = (line: string): boolean => line.startsWith("<red>");

// A model of access that shares no code with the comparison: the cells of sample rows that a role can read, and the
// rows and columns that it can write.

const rows = [
  { author_id: "me", title: "a" },
  { author_id: "me", title: null },
  { author_id: "other", title: "a" },
  { author_id: "other", title: null },
];

function holds(filter: unknown, row: (typeof rows)[number]): boolean {
  return Object.entries(Object(filter)).every(([key, value]) => {
    if (key === "_or") return (value as readonly unknown[]).some((each) => holds(each, row));
    return key === "author_id" ? row.author_id === "me" : row.title === null;
  });
}

interface Permission {
  readonly columns?: readonly string[];
  readonly filter?: unknown;
  readonly limit?: number | null;
  readonly allow_aggregations?: boolean;
  readonly backend_only?: boolean;
}

/** Returns what a role may do with articles, as a set of facts: more facts mean more access. */
function factsOf({ tables = [] }: MetadataInput, role: string): ReadonlySet<string> {
  const facts = new Set<string>();
  const article = (tables as readonly Readonly<Record<string, unknown>>[]).find(
    ({ table }) => (table as { readonly name: string }).name === "article",
  );
  for (const kind of ["select", "insert", "update", "delete"]) {
    const list = article?.[`${kind}_permissions`] as readonly { role: string; permission: Permission }[] | undefined;
    const permission = list?.find((each) => each.role === role)?.permission;
    if (permission === undefined) continue;
    facts.add(kind);
    if (permission.allow_aggregations) facts.add("aggregates");
    for (const size of [1, 5, 100])
      if (kind === "select" && size <= (permission.limit ?? 100)) facts.add(`${size} rows`);
    if (kind !== "select" && !permission.backend_only) facts.add(`${kind} from browsers`);
    for (const [index, row] of rows.entries()) {
      if (kind === "insert" || !holds(permission.filter, row)) continue;
      for (const column of ["", ...(permission.columns ?? [])]) facts.add(`${kind} ${column} of row ${index}`);
    }
    if (kind === "insert") for (const column of permission.columns ?? []) facts.add(`insert ${column}`);
  }
  return facts;
}

describe("The report of engine dev", () => {
  it("A role that can read or write more is marked in the report", () => {
    fc.assert(
      fc.property(metadata, metadata, (before, after) => {
        const red = report(before, after).filter(isRed);
        for (const role of ["one", "two"]) {
          const known = factsOf(before, role);
          const gained = [...factsOf(after, role)].filter((fact) => !known.has(fact));
          const marked = red.filter((line) => line.includes(`role ${role}: default.public.article: `));
          if (gained.length > 0)
            expect({ role, gained, marked: marked.length > 0 }).toEqual({ role, gained, marked: true });
        }
      }),
      { numRuns: 25 },
    );
  });

  it("Every change that widens access or may widen it is marked, before all other lines", () => {
    fc.assert(
      fc.property(metadata, metadata, fc.boolean(), (before, after, verbose) => {
        const lines = report(before, after, verbose);
        const red = lines.filter(isRed);
        expect(lines.slice(0, red.length)).toEqual(red);
        const text = red.join("\n");
        const changes = compareAccess(access(before), access(after)).filter(
          ({ effect }) => effect === "widens" || effect === "may widen",
        );
        for (const { role, area, subject, aspect, name = "" } of changes) {
          if (area === "api" && !verbose) continue;
          const about = role === undefined ? "all roles" : `role ${role}`;
          const words = [about, aspect, name, ...(area === "role" ? [] : [subject])];
          expect(words.filter((word) => !text.includes(word))).toEqual([]);
        }
        // A short line names some root fields of a role and counts the others.
        const counted = [...text.matchAll(/: root fields: (.*)$/gm)].flatMap(([, list = ""]) => list.split(", "));
        const fields = counted.reduce(
          (sum, part) => sum + Number(/^(\d+) more \(--verbose\)$/.exec(part)?.[1] ?? 1),
          0,
        );
        if (!verbose) expect(fields).toBe(changes.filter(({ area }) => area === "api").length);
      }),
      { numRuns: 15 },
    );
  });

  it("The short report has one line for each role, table and mark, and no SQL", () => {
    fc.assert(
      fc.property(metadata, metadata, (before, after) => {
        const lines = report(before, after);
        const subjects = lines.map(
          (line) => /^(.*?role \w+(?:: (?:default\.public\.\w+|root fields))?|.*?all roles: [^:]*):/.exec(line)?.[1],
        );
        expect(new Set(subjects).size).toBe(lines.length);
        expect(lines.filter((line) => /"author_id"|is null|session\(|::/.test(line))).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  it("The verbose report contains the SQL of row filters", () => {
    const reading = (filter: object): MetadataInput => ({
      tables: [
        {
          table: { schema: "public", name: "article" },
          select_permissions: [{ role: "one", permission: { columns: ["id"], filter } }],
        },
      ],
    });
    const [own, all] = [reading({ author_id: { _eq: "X-Engine-User-Id" } }), reading({})];
    expect(report(own, all)).toEqual([
      "<red>widens role one: default.public.article: ~ select rows: a condition → every row",
    ]);
    expect(report(own, all, true)).toEqual([
      "<red>widens role one: default.public.article",
      expect.stringMatching(/^<red> {2}~ select rows: article\."author_id" = .* → every row$/),
    ]);
    expect(report(all, own)).toEqual(["role one: default.public.article: ~ select rows: every row → a condition"]);
  });
});
