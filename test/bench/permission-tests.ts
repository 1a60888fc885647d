/**
 * `node --import tsx test/bench/permission-tests.ts` times `engine test` on a project of the template `multi-tenant`
 * with at least 200 generated cases, on an embedded PostgreSQL that the command starts. Requires `npm run build`.
 * Output: cases and seconds of each of three runs, and their median. Target: 10 s.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const command = join(import.meta.dirname, "../../.build/engine.mjs");
const fewest = 200;
const runs = 3;

const folder = await mkdtemp(join(tmpdir(), "permission-tests-"));
const project = join(folder, "project");

async function engine(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...args], { cwd: folder });
  return stdout;
}

const runTests = async (): Promise<number> => {
  const output = await engine("test", "--project", project);
  const passed = /^(\d+) passed$/m.exec(output)?.[1];
  if (passed === undefined) throw new Error(`not every case passed: ${output}`);
  return Number(passed);
};

try {
  await engine("init", project, "--template", "multi-tenant");
  await engine("test", "--project", project, "--generate");
  const tests = join(project, "tests");
  const files = (await readdir(tests)).filter((name) => name.endsWith(".generated.yaml"));
  for (let copy = 1; (await runTests()) < fewest; copy++) {
    for (const file of files)
      await copyFile(join(tests, file), join(tests, file.replace(".generated", `.copy${copy}`)));
  }
  const seconds: number[] = [];
  for (let run = 0; run < runs; run++) {
    const begin = performance.now();
    const cases = await runTests();
    const time = (performance.now() - begin) / 1000;
    seconds.push(time);
    console.log(`${cases} cases in ${time.toFixed(2)} s`);
  }
  console.log(`median ${seconds.toSorted((a, b) => a - b)[1]?.toFixed(2)} s`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
