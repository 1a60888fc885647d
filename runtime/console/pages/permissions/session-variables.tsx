/** Session variables that the metadata uses, as suggestions of fields. */
import { computed } from "@preact/signals";
import { metadata } from "../../state/metadata.ts";

/** Id of the `datalist` with the suggestions. */
export const sessionVariableList = "session-variables";

/** Maximum number of suggestions. */
const maxSuggestions = 100;

const names = computed<readonly string[]>(() => {
  const found = new Map([["x-engine-user-id", "X-Engine-User-Id"]]);
  for (const source of metadata.value?.sources ?? []) {
    for (const [name] of JSON.stringify(source.tables).matchAll(/(?<=")x-engine-[a-z0-9-]+(?=")/gi)) {
      if (found.size < maxSuggestions) found.set(name.toLowerCase(), found.get(name.toLowerCase()) ?? name);
    }
  }
  return [...found.values()].sort();
});

export function SessionVariableList() {
  return (
    <datalist id={sessionVariableList}>
      {names.value.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
