import fs, { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Json } from "../../../compiler/catalog/model.ts";
import { readMetadataDirectory } from "../../../runtime/cli/metadata-directory/read.ts";
import { writeMetadataDirectory } from "../../../runtime/cli/metadata-directory/write.ts";
import { filesBelow, temporaryDirectory } from "./temporary-directory.ts";

/** Paths of moves and new files that fail, in all importing modules. */
function refuse(refused: { move?: (from: string, to: string) => boolean; file?: (file: string) => boolean }): void {
  const { rename, writeFile } = fs;
  vi.spyOn(fs, "rename").mockImplementation((from, to) =>
    refused.move?.(String(from), String(to)) ? Promise.reject(new Error(`cannot move to ${to}`)) : rename(from, to),
  );
  vi.spyOn(fs, "writeFile").mockImplementation((file, ...rest) =>
    refused.file?.(String(file)) ? Promise.reject(new Error(`cannot write ${file}`)) : writeFile(file, ...rest),
  );
  syncBuiltinESMExports();
}

const metadata = (table: string): Json => ({
  version: 3,
  network: { tls_allowlist: [{ host: table }] },
  sources: [
    {
      name: "default",
      kind: "postgres",
      tables: [{ table: { name: table, schema: "public" } }],
      configuration: { connection_info: { database_url: "x" } },
    },
  ],
});

/** Returns a directory with the table `a`, and its contents. */
async function written(): Promise<{ readonly directory: string; readonly files: readonly string[] }> {
  const directory = await temporaryDirectory();
  await writeMetadataDirectory(directory, metadata("a"));
  return { directory, files: await filesBelow(directory) };
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe("Changes of files while metadata is written", () => {
  it("A file that was changed since it was read is not overwritten, and no other file is", async () => {
    const { directory } = await written();
    const files = await readMetadataDirectory(directory);
    await writeFile(join(directory, "network.yaml"), "# mine\n");
    const before = await filesBelow(directory);
    await expect(writeMetadataDirectory(directory, metadata("b"), files)).rejects.toThrow(
      /network\.yaml was changed while/,
    );
    expect(await filesBelow(directory)).toEqual(before);
    expect(await readFile(join(directory, "network.yaml"), "utf8")).toBe("# mine\n");
    expect(await readFile(join(directory, "databases/default/tables/public_a.yaml"), "utf8")).toContain("name: a");
  });

  it("A file that appeared since the files were read is not overwritten", async () => {
    const { directory } = await written();
    const files = await readMetadataDirectory(directory);
    const taken = join(directory, "databases/default/tables/public_b.yaml");
    await writeFile(taken, "mine");
    await writeMetadataDirectory(directory, metadata("b"), files);
    expect(await readFile(taken, "utf8")).toBe("mine");
    expect((await readMetadataDirectory(directory)).metadata).toEqual(metadata("b"));
  });

  it("Files keep their rights", async () => {
    const { directory } = await written();
    await chmod(join(directory, "network.yaml"), 0o640);
    await writeMetadataDirectory(directory, metadata("b"));
    expect((await stat(join(directory, "network.yaml"))).mode & 0o777).toBe(0o640);
  });
});

describe("Failures while writing metadata directories", () => {
  it("A metadata directory is unchanged if the new files cannot be written", async () => {
    const { directory, files } = await written();
    refuse({ file: (file) => file.endsWith("/network.yaml") });
    await expect(writeMetadataDirectory(directory, metadata("b"))).rejects.toThrow("cannot write");
    expect(await filesBelow(directory)).toEqual(files);
    expect((await readMetadataDirectory(directory)).metadata).toEqual(metadata("a"));
  });

  it("A metadata directory is restored if its replacement fails half-way", async () => {
    const { directory, files } = await written();
    refuse({ move: (from) => from.endsWith("/next/network.yaml") });
    await expect(writeMetadataDirectory(directory, metadata("b"))).rejects.toThrow("cannot move to");
    expect(await filesBelow(directory)).toEqual(files);
    expect((await readMetadataDirectory(directory)).metadata).toEqual(metadata("a"));
  });

  it("The error names the location of the old files if restoring fails too", async () => {
    const { directory } = await written();
    refuse({ move: (from, to) => to === join(directory, "network.yaml") || from.includes("/previous/") });
    const failure = await writeMetadataDirectory(directory, metadata("b")).catch((error: Error) => error.message);
    const previous = /cannot restore its old files: they are in (.*)$/.exec(String(failure))?.[1] ?? "";
    expect(await readFile(join(previous, "databases/default/tables/tables.yaml"), "utf8")).toContain("public_a.yaml");
  });
});
