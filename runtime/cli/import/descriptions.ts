/** States whether an imported project relied on comments of the database as descriptions in the GraphQL schema. */
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import type { Finding } from "./findings.ts";
import type { PeerFile, PeerProject, PeerVersion } from "./peer-project.ts";

/** The first version without descriptions from comments of the database. */
const firstWithout = [2, 51, 1];

const setting = "ENGINE_GRAPHQL_INFER_DESCRIPTIONS=false";
const codemod = "`engine metadata codemod postgres-comments` copies them into the metadata";

/** @param root the folder of the project */
export async function descriptionFindings(
  { version, migrations }: Pick<PeerProject, "version" | "migrations">,
  root: string,
): Promise<readonly Finding[]> {
  if (version !== undefined && !infersDescriptions(version)) {
    const message = `${version.text} shows no comments of the database as descriptions, but this engine does: start the server with ${setting}`;
    return [{ kind: "todo", place: version.place, message }];
  }
  const place = await firstComment(migrations, root);
  if (place === undefined) return [];
  if (version !== undefined) {
    const message = `comments of the database are descriptions, as in ${version.text}; ${codemod}`;
    return [{ kind: "changed", place, message }];
  }
  const message = `comments of the database are descriptions, as in the original engine before 2.51.1; ${codemod}. For the descriptions of 2.51.1, start the server with ${setting}`;
  return [{ kind: "todo", place, message }];
}

function infersDescriptions({ text }: PeerVersion): boolean {
  const parts = text.slice(1).split(".").map(Number);
  const different = firstWithout.findIndex((part, index) => part !== parts[index]);
  return different >= 0 && (parts[different] ?? 0) < (firstWithout[different] ?? 0);
}

const comment = /\bcomment\s+on\s+(?:table|(?:materialized\s+)?view|foreign\s+table|column|function)\b/i;

/** Returns file and line of the first comment on a table, column or function that migrations set. */
async function firstComment(migrations: readonly PeerFile[], root: string): Promise<string | undefined> {
  for (const { path, target } of migrations) {
    if (!/(?<!\bdown)\.(?:sql|yaml)$/.test(target)) continue;
    const lines = (await readFile(path, "utf8")).split("\n");
    const index = lines.findIndex((line) => comment.test(line.replace(/--.*$/, "")));
    if (index >= 0) return `${relative(root, path)}:${index + 1}`;
  }
  return undefined;
}
