/** Keys of the editors of a request, and their commands. */
import type { KeyBinding } from "@codemirror/view";

export async function format(): Promise<void> {
  const { formatRequest } = await import("./format.ts");
  formatRequest();
}

const formatKey: KeyBinding = {
  key: "Shift-Alt-f",
  run: () => {
    void format();
    return true;
  },
  preventDefault: true,
};

export const requestKeys: readonly KeyBinding[] = [formatKey];
