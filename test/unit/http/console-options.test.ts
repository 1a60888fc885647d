/** The part of `/v1alpha1/config` about the console. */
import { describe, expect, it } from "vitest";
import { parseOptions } from "../../../runtime/config/options.ts";
import { configHandler } from "../../../runtime/http/config.ts";
import { request, stubServices } from "../../support/stub-services.ts";

async function configOf(environment: Record<string, string>) {
  const variables = Object.entries(environment).map(([name, value]) => [`ENGINE_GRAPHQL_${name}`, value]);
  const settings = { ...parseOptions({}, Object.fromEntries(variables)), version: "1" };
  const { body } = await configHandler(stubServices().services, settings)(request("", { method: "GET" }));
  return JSON.parse(body);
}

describe("Console options", () => {
  const local = { SERVER_HOST: "127.0.0.1" };
  it.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ SERVER_HOST: "*" }, false],
    [{ ADMIN_SECRET: "s" }, false],
    [{ INSECURE_NO_SECRET: "true" }, false],
    [local, true],
    [{ SERVER_HOST: "localhost" }, true],
    [{ SERVER_HOST: "::1" }, true],
    [{ SERVER_HOST: "127.0.0.1.example.org" }, false],
    [{ ...local, ADMIN_SECRET: "s" }, false],
    [{ ...local, ACCESS_KEY: "s" }, false],
    [{ ...local, ADMIN_SECRETS: '["s"]' }, false],
    [{ ...local, ADMIN_SECRET: "" }, true],
    [{ DEV_MODE: "true", ADMIN_SECRET: "s" }, true],
    [{ ...local, ENABLE_CONSOLE: "false" }, false],
    [{ ENABLE_CONSOLE: "true", ADMIN_SECRET: "s" }, true],
  ])("The options %j set the console's enabled flag to: %j", async (environment, isOn) => {
    expect((await configOf(environment)).is_console_enabled).toBe(isOn);
  });

  it("The console's files come from the configured folder", async () => {
    expect((await configOf({})).console_assets_dir).toBeNull();
    expect((await configOf({ CONSOLE_ASSETS_DIR: "/srv/console" })).console_assets_dir).toBe("/srv/console");
  });
});
