/** Options that plans depend on: an artifact is served with those that it was built with. */
import { expect, it } from "vitest";
import { noConfig } from "../../../../runtime/server/config-module/host-config.ts";
import type { SealedSettings } from "../../../../runtime/server/sealed/artifact.ts";
import { optionsFor } from "../../../../runtime/server/sealed/check-artifact.ts";

const planning = { stringifyNumbers: false, nullCollapse: false };

function serve(settings: Partial<SealedSettings>, environment: Readonly<Record<string, string>>) {
  return () => optionsFor({ settings: { planning, ...settings } as SealedSettings }, environment, noConfig);
}

const skips = { ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS: "true" };

it("serves with the same options", () => {
  expect(serve({}, {})).not.toThrow();
  expect(serve({ remoteSchemas: [], planning: { ...planning, skipRemoteNulls: true } }, skips)).not.toThrow();
  // No plan depends on it.
  expect(serve({}, skips)).not.toThrow();
});

it.each([
  [{}, { ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES: "true" }, "STRINGIFY_NUMERIC_TYPES=false"],
  [{}, { ENGINE_GRAPHQL_V1_BOOLEAN_NULL_COLLAPSE: "true" }, "V1_BOOLEAN_NULL_COLLAPSE=false"],
  [{ remoteSchemas: [] }, skips, "REMOTE_SCHEMA_SKIP_NULLS=false"],
  [{ remoteSchemas: [], planning: { ...planning, skipRemoteNulls: true } }, {}, "REMOTE_SCHEMA_SKIP_NULLS=true"],
])("refuses others: %j with %j", (settings, environment, built) => {
  expect(serve(settings, environment)).toThrow(`ENGINE_GRAPHQL_${built}`);
  expect(serve(settings, environment)).toThrow(
    /^the artifact was built with .* and .*: serve it with the same, or build/,
  );
});
