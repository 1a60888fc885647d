/** Page that creates a trigger, event, action or remote schema. */
import type { JsonObject } from "../../http/metadata-types.ts";
import { capitalized } from "../../parts/cell-text.ts";
import { Empty } from "../../parts/empty.tsx";
import { defaultSchemaOf } from "../../parts/table-name.ts";
import { notify } from "../../parts/toast.tsx";
import { Link } from "../../routing/link.tsx";
import { addressOf, navigate } from "../../routing/router.ts";
import { sources } from "../../state/metadata.ts";
import { ActionDefinition } from "./action-definition.tsx";
import { DefinitionEditor } from "./definition-editor.tsx";
import { valueAt } from "./json-paths.ts";
import { type DefinitionKind, kindNamed, kinds } from "./kinds.ts";

export function NewDefinition({ name, onSaved }: { readonly name: string; readonly onSaved: () => void }) {
  const kind = kindNamed(name);
  if (!kind) return <Empty title="Page not found" isPage />;
  const saved = (value: JsonObject): void => {
    notify(`Created the ${kind.title}`);
    onSaved();
    navigate(addressOf(segmentsOf(kind, value)));
  };
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>{`New ${kind.title}`}</h1>
        <span class="grow" />
        {kinds
          .filter((other) => other !== kind)
          .map((other) => (
            <Link key={other.name} to={["automation", "new", other.name]}>
              {capitalized(other.title)}
            </Link>
          ))}
      </div>
      <div class="page full scroll">
        {kind.name === "action" ? (
          <ActionDefinition name={null} onSaved={saved} />
        ) : (
          <DefinitionEditor key={kind.name} kind={kind} initial={initialOf(kind)} isNew onSaved={saved} />
        )}
      </div>
    </div>
  );
}

function initialOf({ initial }: DefinitionKind): JsonObject {
  if ("schedule_at" in initial) return { ...initial, schedule_at: `${new Date().toISOString().slice(0, 16)}:00Z` };
  const [source] = sources.value;
  if (!("source" in initial) || !source) return initial;
  const table = source.tables[0]?.table ?? { schema: defaultSchemaOf(source.kind), name: "" };
  return { ...initial, source: source.name, table: { ...table } };
}

function segmentsOf({ name: kind }: DefinitionKind, value: JsonObject): readonly string[] {
  const text = (key: string): string => String(valueAt(value, [key]) ?? "");
  if (kind === "one-off") return ["automation", "one-off"];
  return ["automation", kind, ...(kind === "event" ? [text("source")] : []), text("name")];
}
