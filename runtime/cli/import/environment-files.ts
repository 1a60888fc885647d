/** Files beside a project that start its server: which of the variables in them are called how here. Values are not read. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "./findings.ts";
import { ourVariable } from "./peer-names.ts";

const names = /^(?:\.env.*|.*\.env|(?:docker-)?compose.*\.ya?ml|Dockerfile.*)$/i;

/** Longer ones are something else. */
const longestFile = 1024 * 1024;

export async function environmentFindings(project: string): Promise<readonly Finding[]> {
  const entries = await readdir(project, { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && names.test(entry.name)).map(({ name }) => name);
  const findings: Finding[] = [];
  for (const file of files.sort()) {
    const text = await readFile(join(project, file), "utf8");
    if (text.length > longestFile) continue;
    const seen = new Set<string>();
    for (const [index, line] of text.split("\n").entries()) {
      for (const [variable] of line.replace(/#.*$/, "").matchAll(/\bHASURA_GRAPHQL_\w+/g)) {
        if (seen.has(variable)) continue;
        seen.add(variable);
        findings.push({ kind: "todo", place: `${file}:${index + 1}`, message: advice(variable) });
      }
    }
  }
  return findings;
}

function advice(variable: string): string {
  const ours = ourVariable(variable);
  return ours === undefined ? `${variable}: there is no such setting here` : `${variable} is ${ours} here`;
}
