import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LineBuffer } from "../../../../runtime/observe/logs/line-buffer.ts";

let folder: string;
let file: string;
let descriptor: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "line-buffer-"));
  file = join(folder, "out");
  descriptor = openSync(file, "w");
});

afterEach(() => {
  closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

const written = (): string => readFileSync(file, "utf8");
const open = () => new LineBuffer(descriptor, (count) => `${count} dropped\n`);

describe("Buffered log lines", () => {
  it("The line buffer writes lines of any length and alphabet in order", async () => {
    const buffer = open();
    const lines = Array.from({ length: 3000 }, (_, i) => `${i} ${"é漢".repeat(i % 97)}\n`);
    lines.splice(1500, 0, `${"漢".repeat(400_000)}\n`);
    for (const line of lines) {
      buffer.write(line);
      if (line.startsWith("7")) await new Promise(setImmediate);
    }
    await vi.waitFor(() => expect(Buffer.byteLength(written())).toBe(Buffer.byteLength(lines.join(""))), 5000);
    expect(written()).toBe(lines.join(""));
  });

  it("The line buffer writes a single line without waiting for others", async () => {
    open().write("alone\n");
    await vi.waitFor(() => expect(written()).toBe("alone\n"));
  });

  it("The line buffer has written all lines when flush returns", () => {
    const buffer = open();
    buffer.write("one\n");
    buffer.write("two\n");
    buffer.flush();
    expect(written()).toBe("one\ntwo\n");
    buffer.write("three\n");
    buffer.flush();
    expect(written()).toBe("one\ntwo\nthree\n");
  });

  it("The line buffer drops and counts lines that are not read", async () => {
    const buffer = open();
    const line = `${"x".repeat(1024 * 1024 - 1)}\n`;
    // In one turn, so that no write is possible in between.
    for (let i = 0; i < 100; i++) buffer.write(line);
    await vi.waitFor(() => expect(written().endsWith(" dropped\n")).toBe(true), { timeout: 15_000, interval: 500 });
    const dropped = Number(/(\d+) dropped\n$/.exec(written())?.[1]);
    expect(dropped).toBeGreaterThan(50);
    expect(written().match(/\n/g)).toHaveLength(100 - dropped + 1);
  });

  it("The line buffer loses no line when the process exits or dies of an error", async () => {
    const ends = ["process.exit(0)", 'throw new Error("expected")'];
    const outputs = await Promise.all(ends.map((how) => linesOfProcess(how, 5000)));
    expect(outputs.map((lines) => new Set(lines).size)).toEqual([5000, 5000]);
  });

  it("The line buffer writes no line twice if the process waits for it before exiting", async () => {
    const lines = await linesOfProcess("await buffer.drained(); process.exit(0)", 12_000);
    expect(lines).toEqual(Array.from({ length: 12_000 }, (_, i) => `line ${i}`));
  });

  it("The line buffer does not keep the process alive if its lines are not read", async () => {
    const child = runProcess("await buffer.drained(); process.exit(0)", 50_000, 100);
    await expect(once(child, "exit")).resolves.toEqual([0, null]);
    child.stdout.destroy();
  }, 15_000);
});

/** Runs a process that buffers lines, and ends it as specified during a write. */
function runProcess(end: string, count: number, patience?: number) {
  const source = fileURLToPath(new URL("../../../../runtime/observe/logs/line-buffer.ts", import.meta.url));
  const module = join(folder, "line-buffer.mjs");
  writeFileSync(module, transformSync(readFileSync(source, "utf8"), { loader: "ts" }).code);
  const script = `
    import { LineBuffer } from ${JSON.stringify(module)};
    const buffer = new LineBuffer(1, String, ${patience});
    for (let i = 0; i < ${count}; i++) buffer.write("line " + i + "\\n");
    ${end};
  `;
  return spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "ignore"],
  });
}

async function linesOfProcess(end: string, count: number): Promise<readonly string[]> {
  let output = "";
  for await (const chunk of runProcess(end, count).stdout) output += chunk;
  return output.trimEnd().split("\n");
}
