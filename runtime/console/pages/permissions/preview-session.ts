/** Session variables of previews. All permissions share them until the browser tab is reloaded. */
import { signal } from "@preact/signals";

/** Values by lower-case name. */
export const previewSession = signal<Readonly<Record<string, string>>>({});

export function setPreviewVariable(name: string, value: string): void {
  previewSession.value = { ...previewSession.value, [name.toLowerCase()]: value };
}
