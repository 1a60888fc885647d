import fs, { readFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Json } from "../../../compiler/catalog/model.ts";
import { readMetadataDirectory } from "../../../runtime/cli/metadata-directory/read.ts";
import { writeMetadataDirectory } from "../../../runtime/cli/metadata-directory/write.ts";
import { filesBelow, temporaryDirectory } from "./temporary-directory.ts";

/** Moves and new files that the disk refuses from now on, to whatever imports them. */
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
  sources: [
    {
      name: "default",
      kind: "postgres",
      tables: [{ table: { name: table, schema: "public" } }],
      configuration: { connection_info: { database_url: "x" } },
    },
  ],
});

/** A directory with the table `a`, and what it contains. */
async function written(): Promise<{ readonly directory: string; readonly files: readonly string[] }> {
  const directory = await temporaryDirectory();
  await writeMetadataDirectory(directory, metadata("a"));
  return { directory, files: await filesBelow(directory) };
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe("a metadata directory that cannot be written", () => {
  it("stays as it was when the new files cannot be made", async () => {
    const { directory, files } = await written();
    refuse({ file: (file) => file.endsWith("/network.yaml") });
    await expect(writeMetadataDirectory(directory, metadata("b"))).rejects.toThrow("cannot write");
    expect(await filesBelow(directory)).toEqual(files);
    expect((await readMetadataDirectory(directory)).metadata).toEqual(metadata("a"));
  });

  it("is put back when the replacement fails half-way", async () => {
    const { directory, files } = await written();
    refuse({ move: (from) => from.endsWith("/next/network.yaml") });
    await expect(writeMetadataDirectory(directory, metadata("b"))).rejects.toThrow("cannot move to");
    expect(await filesBelow(directory)).toEqual(files);
    expect((await readMetadataDirectory(directory)).metadata).toEqual(metadata("a"));
  });

  it("says where the old files are when even that fails", async () => {
    const { directory } = await written();
    refuse({ move: (_, to) => to === join(directory, "network.yaml") });
    const failure = await writeMetadataDirectory(directory, metadata("b")).catch((error: Error) => error.message);
    const previous = /putting the old files back: they are in (.*)$/.exec(String(failure))?.[1] ?? "";
    expect(await readFile(join(previous, "network.yaml"), "utf8")).toBe("{}\n");
  });
});
