import { expect } from "vitest";
import type { TestServer } from "./server.ts";

/** Replaces the metadata of a server, and expects all of it to be consistent. */
export async function replaceConsistently(server: TestServer, metadata: object): Promise<void> {
  const args = { metadata, allow_inconsistent_metadata: true };
  const { is_consistent, inconsistent_objects } = (await server.metadata("replace_metadata", args)) as {
    readonly is_consistent: boolean;
    readonly inconsistent_objects: unknown;
  };
  expect({ is_consistent, inconsistent_objects }).toEqual({ is_consistent: true, inconsistent_objects: [] });
}
