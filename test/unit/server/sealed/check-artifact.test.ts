/** An artifact requires the runtime and the values of plan-relevant options for which it was built. */
import { expect, it } from "vitest";
import { contractVersion } from "../../../../runtime/model/support/contract.ts";
import { noConfig } from "../../../../runtime/server/config-module/host-config.ts";
import type { SealedSettings } from "../../../../runtime/server/sealed/artifact.ts";
import { checkContract, optionsFor } from "../../../../runtime/server/sealed/check-artifact.ts";

const planning = { stringifyNumbers: false, nullCollapse: false };

function serve(settings: Partial<SealedSettings>, environment: Readonly<Record<string, string>>) {
  return () => optionsFor({ settings: { planning, ...settings } as SealedSettings }, environment, noConfig);
}

const skips = { ENGINE_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS: "true" };

it("An artifact is served if the options that its plans depend on are the same", () => {
  expect(serve({}, {})).not.toThrow();
  expect(serve({ remoteSchemas: [], planning: { ...planning, skipRemoteNulls: true } }, skips)).not.toThrow();
  // Plans do not depend on this option.
  expect(serve({}, skips)).not.toThrow();
});

it.each([
  [{}, { ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES: "true" }, "STRINGIFY_NUMERIC_TYPES=false"],
  [{}, { ENGINE_GRAPHQL_V1_BOOLEAN_NULL_COLLAPSE: "true" }, "V1_BOOLEAN_NULL_COLLAPSE=false"],
  [{ remoteSchemas: [] }, skips, "REMOTE_SCHEMA_SKIP_NULLS=false"],
  [{ remoteSchemas: [], planning: { ...planning, skipRemoteNulls: true } }, {}, "REMOTE_SCHEMA_SKIP_NULLS=true"],
])("An artifact is refused if its options differ: %j with %j", (settings, environment, built) => {
  expect(serve(settings, environment)).toThrow(`ENGINE_GRAPHQL_${built}`);
  expect(serve(settings, environment)).toThrow(
    /^the artifact was built with .* and .*; start it with the same values, or rebuild/,
  );
});

it("An artifact refuses to forward operations to another server", () => {
  expect(serve({}, { ENGINE_GRAPHQL_FALLBACK: "https://old.example.com" })).toThrow(
    "ENGINE_GRAPHQL_FALLBACK: an artifact does not forward operations (--fallback): unset ENGINE_GRAPHQL_FALLBACK",
  );
});

it("An artifact with generated modules of another contract version is refused", () => {
  const check = (contract: number) => () => checkContract({ settings: { contract } as SealedSettings });
  expect(check(contractVersion)).not.toThrow();
  for (const other of [contractVersion - 1, contractVersion + 1]) {
    expect(check(other)).toThrow(/^the artifact was generated for contract version \d+, but .*; rebuild it$/);
  }
});
