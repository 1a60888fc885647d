/** From a permission to its lines in the generated code. */
import { generatedPaths } from "../../http/code-api.ts";
import { Icon } from "../../parts/icon.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { resourceVersion } from "../../state/metadata.ts";
import { fileOfTable } from "../code/paths.ts";
import type { Action } from "./draft.ts";

/** What the comments of generated modules say of each kind of access. */
const words: Readonly<Record<Action, string>> = {
  select: "may read",
  insert: "may insert",
  update: "may change",
  delete: "may delete",
};

interface CodeLinkProps {
  readonly of: Parameters<typeof fileOfTable>[1];
  readonly action: Action;
}

/** Nothing where the role has no module for the table. */
export function CodeLink({ of, action }: CodeLinkProps) {
  const { value } = useLoaded(generatedPaths, String(resourceVersion.value));
  const file = value && fileOfTable(value.paths, of);
  if (!file) return null;
  return (
    <Link to={["code", ...file.split("/")]} query={{ find: words[action] }} class="back-link">
      <Icon name="code" />
      <span>Generated code</span>
    </Link>
  );
}
