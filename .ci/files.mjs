/**
 * `npm run --silent files -- [word…]`: lists the source files of compiler and runtime with the first sentence of their
 * description, or the whole description of files that words select. Words select the files whose path, description or
 * exported names contain all of them, followed by the ten files whose text has the words most often.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/**
 * Returns all source files. The description of a file is its first docstring.
 * @returns {{ path: string, description: string, exports: string, text: string }[]}
 */
function describedFiles() {
  const listed = execFileSync("git", ["ls-files", "compiler", "runtime"], { cwd: root, encoding: "utf8" });
  return listed
    .split("\n")
    .filter((path) => /\.(tsx?|css)$/.test(path))
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const [, comment = ""] = /^\/\*\*?([\s\S]*?)\*\//m.exec(text) ?? [];
      const exports = [...text.matchAll(/^export .*?(?:function\*?|class|const|interface|type) (\w+)/gm)];
      return {
        path,
        description: comment
          .replace(/\n\s*\* ?/g, " ")
          .replace(/\s+/g, " ")
          .trim(),
        exports: exports.map(([, name]) => name).join(" "),
        text,
      };
    });
}

/** @param {string} description */
const firstSentence = (description) => /^.*?\.(?= |$)/.exec(description)?.[0] ?? description;

/**
 * Returns the number of occurrences of the rarest word.
 * @param {string} text
 * @param {readonly string[]} words in lower case
 */
function occurrences(text, words) {
  const lower = text.toLowerCase();
  return Math.min(...words.map((word) => lower.split(word).length - 1));
}

/** Names of operations have a prefix for each kind of database. */
const words = process.argv.slice(2).map((word) => word.toLowerCase().replace(/^(pg|mssql)_/, ""));
const files = describedFiles();
const described = files.filter(({ path, description, exports }) => {
  return words.length === 0 || occurrences(`${path} ${description} ${exports}`, words) > 0;
});
const counted = files.map((file) => ({ ...file, count: occurrences(file.text, words) }));
const mentioning = counted.filter(({ count, path }) => count > 0 && !described.some((file) => file.path === path));
const found = [...described, ...mentioning.sort((a, b) => b.count - a.count).slice(0, 10)];
for (const { path, description } of found) {
  console.log(`${path}: ${words.length > 0 ? description : firstSentence(description)}`);
}
if (found.length === 0) {
  console.error(`no file contains: ${words.join(", ")}`);
  process.exitCode = 1;
}
