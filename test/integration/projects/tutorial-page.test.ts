/** The instructions of `docs/tutorial/issue-tracker.md` are carried out, from an empty folder to the sealed artifact. */
import { beforeAll, describe, expect, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { freePort } from "../../support/free-port.ts";
import { missingProgram } from "../../support/missing-program.ts";
import { instructionsOf, projectOfPage } from "../../support/page-instructions.ts";
import { ensureBuilt } from "../../support/shared-checks.ts";
import { createTemplateProject } from "../../support/template-project.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

beforeAll(ensureBuilt, 120_000);

describe.skipIf(missingProgram("script") || missingProgram("openssl") || missingProgram("curl"))("The tutorial", () => {
  it("The commands and files of the tutorial lead to the shown results", { timeout: 420_000 }, async () => {
    const [first, ...steps] = await instructionsOf("docs/tutorial/issue-tracker.md");
    const init = `npx ${packageJson.name} init tracker --template empty\ncd tracker && npm install\n`;
    expect(first?.text).toBe(init);
    expect(steps.filter(({ path }) => path !== undefined).length).toBeGreaterThan(20);
    expect(steps.filter(({ output }) => output !== undefined).length).toBeGreaterThan(12);

    // The packages are linked instead of installed: the test of the start page installs them.
    const { folder, endpoint } = await createTemplateProject(await temporaryDirectory(), "empty", "tracker");
    const sealedPort = String(await freePort());
    const page = projectOfPage(folder, {
      "http://localhost:8080": endpoint,
      "localhost:8081": `127.0.0.1:${sealedPort}`,
      "SERVER_PORT=8081": `SERVER_PORT=${sealedPort}`,
    });
    try {
      for (const step of steps) {
        await page.follow(step).catch((error: unknown) => {
          const message = error instanceof Error ? error.message : error;
          throw new Error(`${step.text}\n${message}\n${page.backgroundOutput()}`, { cause: error });
        });
      }
    } finally {
      await page.end();
    }
  });
});
