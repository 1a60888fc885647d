/**
 * How the tests run. `pure` tests need nothing but the code; each worker of all others has a PostgreSQL, started once
 * per run and only when one of them is among the files to run. Those of `answers` run beside `pure` ones, and before
 * them: Vitest takes projects by their names, and a worker that goes from one to the other begins anew.
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { databaseWorkers, workers } from "./support/test-workers.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pure = ["test/{architecture,conformance,golden,unit}/**/*.test.ts", "test/laws/code/**/*.test.ts"];
/** They compare what a database answers. */
const goldenAnswers = ["test/golden/{query,mutation,subscription}.test.ts"];

export default defineConfig({
  root,
  resolve: {
    alias: {
      "engine/support": fileURLToPath(new URL("../runtime/model/support/index.ts", import.meta.url)),
      // Vite would take the package's ES modules, its dependents get CommonJS: two copies do not know each other's types.
      graphql: fileURLToPath(new URL("../node_modules/graphql/index.js", import.meta.url)),
      // What the bundle has of it, so that the tests of calls are tests of that.
      undici: fileURLToPath(new URL("../.ci/undici-part.mjs", import.meta.url)),
    },
  },
  test: {
    pool: "forks",
    // For two busy cores. A hook that hangs after each of a hundred tests must not use up the hour of `.ci/run`.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 60_000,
    // What is waited for comes when the machine gets to it: a second is not enough where others work beside the test.
    expect: { poll: { timeout: 10_000 } },
    // What was transformed is kept in `node_modules`, by its content.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: pure,
          exclude: goldenAnswers,
          maxWorkers: workers,
          // Short-lived values are most of what tests make: with the usual 16 MiB they are moved over and over.
          execArgv: ["--max-semi-space-size=64"],
          // Half of the time would go into loading the same modules for each file: no module keeps a state.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "answers",
          include: goldenAnswers,
          globalSetup: ["test/support/global-setup.ts"],
          maxWorkers: workers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "database",
          include: ["test/{console,corpus,integration,laws,security}/**/*.test.ts"],
          exclude: pure.filter((files) => files.startsWith("test/laws/")),
          globalSetup: ["test/support/global-setup.ts"],
          maxWorkers: databaseWorkers,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
