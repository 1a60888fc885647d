/** Constructions that this repository avoids, each with a better form (`docs/internals/terms.md`). */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Text, textsOfCode, textsOfPage } from "./texts.ts";

const root = join(import.meta.dirname, "../..");

export interface Construction {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Kinds of text; default: all. */
  readonly kinds?: readonly Text["kind"][];
}

export const constructions: readonly Construction[] = [
  {
    pattern: /^(What|Whether|Who|Whoever|Whose|Of|Those|Which)\b/,
    kinds: ["docstring"],
    instead: "begin with a verb (Returns, Parses) or with the noun that is described",
  },
  { pattern: /\b(is|are|was|were|be|been|being) asked\b/i, instead: "is requested, is called, receives" },
  { pattern: /\b(is|are|was|were|be|been|being) told\b/i, instead: "receives, is notified of" },
  { pattern: /\b(nobody|somebody|anybody|everybody|no one)\b/i, instead: "name the caller, client, role or component" },
  { pattern: /\bwho(so)?ever\b/i, instead: "the caller, a client that …" },
  { pattern: /\banew\b/i, instead: "again, from the start" },
  { pattern: /\bmeanwhile\b/i, instead: "in the meantime, during …; or name the time" },
  { pattern: /\bso (many|much) (?!that\b|as\b)/i, instead: "a number of, a limit of N" },
  { pattern: /\bst(and|ands|ood) in (?!for\b)/i, instead: "is in, is listed in" },
  { pattern: /\bwho asks\b/i, instead: "the caller" },
  { pattern: /\b(asked|asking) for\b/i, instead: "requested, selected" },
  { pattern: /\bgive(s|n)? up\b|\bgave up\b/i, instead: "stops, drops, fails after N attempts" },
  { pattern: /\bhand(s|ed)? over\b/i, instead: "passes, transfers" },
  { pattern: /\b(says|tells|said (that|what|so|nothing))\b/i, instead: "reports, returns, states" },
  { pattern: /\btell(s|ing)? (\w+ )?apart\b|\btold apart\b/i, instead: "distinguish" },
  { pattern: /\b(ha(s|ve|d)) to be\b/i, instead: "must be" },
  { pattern: /\blook(s|ed|ing)? at\b/i, instead: "reads, inspects, checks" },
  { pattern: /\b(asks|believes|wants)\b/i, instead: "requests, sends, assumes, needs" },
  { pattern: /\bin place of\b/i, instead: "instead of" },
  { pattern: /\bt(ake|akes|aken|ook) over\b/i, instead: "adopts, applies, acquires" },
  { pattern: /\bonce more\b/i, instead: "again" },
  { pattern: /\bfor ever\b/i, instead: "indefinitely" },
  { pattern: /^Nothing\b/, kinds: ["docstring"], instead: "Returns nothing if …" },
  { pattern: /\bthat there (is|are|was|were)\b(?! no\b)/i, instead: "existing, available" },
  { pattern: /\bgo(es)? by (what|the|its|it)\b/i, instead: "depends on, uses" },
  { pattern: /\bthe one that\b/i, instead: "the noun: the table that …, the caller that …" },
  { pattern: /\bst(and|ands|ood) in for\b/i, instead: "represents, is used instead of, replaces" },
  { pattern: /\bst(and|ands|ood) still\b/i, instead: "is suspended" },
];

const files = execFileSync(
  "git",
  ["ls-files", "compiler", "runtime", "test", "docs", "fixtures", "generated", ".ci", "*.md"],
  { cwd: root },
)
  .toString()
  .split("\n")
  .filter((file) => existsSync(join(root, file)) && !file.startsWith("test/architecture/words"))
  .filter((file) => !/^test\/(golden|conformance)\/.*\//.test(file) && file !== "docs/internals/terms.md");

export const texts = files.flatMap((file) => {
  if (/\.(tsx?|mjs)$/.test(file)) return textsOfCode(file);
  return file.endsWith(".md") ? textsOfPage(file) : [];
});
