// Refuses `npm publish` unless the commit is a release: run by the script `prepublishOnly`. A dry run is always allowed.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const { version, repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const problems = [];
if (repository === undefined) problems.push("package.json lacks the public `repository`, which provenance requires");
if (!git("tag", "--points-at", "HEAD").split("\n").includes(`v${version}`)) {
  problems.push(`the commit lacks the tag v${version}`);
}
if (git("status", "--porcelain") !== "") problems.push("the work tree has uncommitted changes");
const heading = new RegExp(`^## \\[${version.replaceAll(".", "\\.")}\\] - \\d{4}-\\d{2}-\\d{2}$`, "m");
if (!heading.test(readFileSync(join(root, "CHANGELOG.md"), "utf8"))) {
  problems.push(`CHANGELOG.md has no section of ${version} with a date`);
}

if (problems.length > 0 && process.env.npm_config_dry_run !== "true") {
  for (const problem of problems) console.error(`error: cannot publish: ${problem}`);
  process.exitCode = 1;
}
