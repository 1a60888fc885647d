import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Json } from "../../../compiler/catalog/model.ts";
import { readMetadataDirectory } from "../../../runtime/cli/metadata-directory/read.ts";
import { writeMetadataDirectory } from "../../../runtime/cli/metadata-directory/write.ts";
import { filesBelow, temporaryDirectory } from "./temporary-directory.ts";

/** Which file operations fail in a test. */
const disk = vi.hoisted(() => ({
  refusesMove: (_from: string, _to: string): boolean => false,
  refusesFile: (_file: string): boolean => false,
}));

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return {
    ...real,
    rename: async (from: string, to: string) => {
      if (disk.refusesMove(from, to)) throw new Error(`cannot move to ${to}`);
      await real.rename(from, to);
    },
    writeFile: async (file: string, text: string) => {
      if (disk.refusesFile(file)) throw new Error(`cannot write ${file}`);
      await real.writeFile(file, text);
    },
  };
});

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
  disk.refusesMove = () => false;
  disk.refusesFile = () => false;
});

describe("a metadata directory that cannot be written", () => {
  it("stays as it was when the new files cannot be made", async () => {
    const { directory, files } = await written();
    disk.refusesFile = (file) => file.endsWith("/network.yaml");
    await expect(writeMetadataDirectory(directory, metadata("b"))).rejects.toThrow("cannot write");
    expect(await filesBelow(directory)).toEqual(files);
    expect((await readMetadataDirectory(directory)).metadata).toEqual(metadata("a"));
  });

  it("is put back when the replacement fails half-way", async () => {
    const { directory, files } = await written();
    disk.refusesMove = (from) => from.endsWith("/next/network.yaml");
    await expect(writeMetadataDirectory(directory, metadata("b"))).rejects.toThrow("cannot move to");
    expect(await filesBelow(directory)).toEqual(files);
    expect((await readMetadataDirectory(directory)).metadata).toEqual(metadata("a"));
  });

  it("says where the old files are when even that fails", async () => {
    const { directory } = await written();
    disk.refusesMove = (_, to) => to === join(directory, "network.yaml");
    const failure = await writeMetadataDirectory(directory, metadata("b")).catch((error: Error) => error.message);
    const previous = /putting the old files back: they are in (.*)$/.exec(String(failure))?.[1] ?? "";
    expect(await readFile(join(previous, "network.yaml"), "utf8")).toBe("{}\n");
  });
});
