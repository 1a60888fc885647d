/** Creates a folder with files for one test, and captures the output of commands. */
import { vi } from "vitest";
import { temporaryDirectory } from "../metadata-directory/temporary-directory.ts";

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const project = temporaryDirectory;

/** Returns standard output and standard error of `command`, without the path of the folder. */
export async function printed(folder: string, command: () => Promise<number>): Promise<Printed> {
  const texts = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      texts[stream] += String(text).replaceAll(`${folder}/`, "");
      return true;
    }),
  );
  try {
    return { code: await command(), ...texts };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
