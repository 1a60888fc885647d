/**
 * How the tests run. `pure` tests need nothing but the code; all others get a PostgreSQL, which is started once per
 * run and only when one of them is among the files to run.
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));
const pure = ["test/{architecture,conformance,golden,unit}/**/*.test.ts", "test/laws/code/**/*.test.ts"];
/** They compare what a database answers. */
const goldenAnswers = ["test/golden/{query,mutation}.test.ts"];

export default defineConfig({
  root,
  resolve: {
    alias: {
      "engine/support": fileURLToPath(new URL("../runtime/support/index.ts", import.meta.url)),
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
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: pure,
          exclude: goldenAnswers,
          maxWorkers: "100%",
          // Half of the time would go into loading the same modules for each file: no module keeps a state.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "database",
          include: ["test/{integration,laws,security}/**/*.test.ts", ...goldenAnswers],
          exclude: pure.filter((files) => files.startsWith("test/laws/")),
          globalSetup: ["test/support/global-setup.ts"],
          // One file at a time: their clocks and databases are not shared with others.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
