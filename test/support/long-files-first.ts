/**
 * The order of test files. Vitest starts large files first, because it does not know their durations on a new machine.
 * A small file that runs for minutes would then start last, and the other workers would be idle until it ends.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files that take long, in the order of their start. */
const long: readonly string[] = [
  "test/console/accessibility.test.ts",
  "test/integration/how-to-pages.test.ts",
  "test/integration/projects/templates.test.ts",
];

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = long.findIndex((name) => moduleId.endsWith(`/${name}`));
      return index === -1 ? long.length : index;
    };
    // Files of a project stay together, because Vitest restarts a worker that switches to another project.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => rank(a) - rank(b)),
    );
  }
}
