/** Links of the documentation lead to files and headings of this repository. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

const pages = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], { cwd: root })
  .toString()
  .split("\n")
  .filter((page) => page !== "" && existsSync(join(root, page)) && !page.startsWith("fixtures/templates/"));

/** Removes code blocks and inline code, which may contain text in the form of a link or heading. */
const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, "");

/** Returns the anchors of the headings, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCode(readFileSync(join(root, page), "utf8")).matchAll(/^#+ (.*)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const base = text.replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    let anchor = base;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${base}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

function brokenLinksOf(page: string): readonly string[] {
  const text = withoutCode(readFileSync(join(root, page), "utf8")).replace(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : normalize(join(dirname(page), path));
      if (!existsSync(join(root, file))) return true;
      if (anchor === undefined || statSync(join(root, file)).isDirectory() || !file.endsWith(".md")) return false;
      return !anchorsOf(file).has(anchor);
    });
}

describe("Links of pages", () => {
  it.each(pages)("The links of %s lead to files and headings that exist", (page) => {
    expect(brokenLinksOf(page)).toEqual([]);
  });
});
