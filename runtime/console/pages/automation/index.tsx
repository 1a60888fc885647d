/** The automation page: a list of event triggers, schedules, actions and remote schemas, and the selected one. */
import { useEffect, useState } from "preact/hooks";
import { cronTriggers } from "../../http/automation-api.ts";
import { inconsistentMetadata } from "../../http/metadata-api.ts";
import type { JsonObject, Metadata } from "../../http/metadata-types.ts";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { type SideItem, SideList } from "../../parts/side-list.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { loadMetadata, metadata, metadataError } from "../../state/metadata.ts";
import { Content } from "./content.tsx";

const loadDefinitions = async () => {
  const [triggers, inconsistent] = await Promise.all([cronTriggers(), inconsistentMetadata()]);
  return { triggers, inconsistent };
};

export default function AutomationPage({ path }: { readonly path: readonly string[] }) {
  useEffect(() => void loadMetadata(), []);
  const [reloadCount, setReloadCount] = useState(0);
  const { value, error, reload } = useLoaded(loadDefinitions, "");
  useEffect(() => {
    if (reloadCount > 0) reload();
  }, [reloadCount]);
  const failed = metadata.value === null ? metadataError.value : null;
  if (failed !== null || error !== null) return <ErrorBox error={failed ?? error} />;
  if (!metadata.value || !value) return <Loading item="metadata" />;
  return (
    <div class="with-side">
      <SideList
        label="Automation"
        items={itemsOf(metadata.value, value.triggers, path.join("/"))}
        empty="No automation yet"
      />
      <Content
        path={path}
        cronTriggers={value.triggers}
        inconsistent={value.inconsistent}
        onSaved={() => setReloadCount((before) => before + 1)}
      />
    </div>
  );
}

function itemsOf(all: Metadata, triggers: readonly JsonObject[], current: string): readonly SideItem[] {
  const item = (text: string, rest: readonly string[], more: Partial<SideItem> = {}): SideItem => ({
    key: `link ${rest.join("\u0000")}`,
    text,
    to: ["automation", ...rest],
    isCurrent: rest.join("/") === current,
    ...more,
  });
  const heading = (text: string): SideItem => ({ key: `heading ${text}`, text, to: null });
  const events = all.sources.flatMap(({ name: source, tables }) =>
    tables.flatMap(({ table, event_triggers = [] }) =>
      event_triggers.map(({ name }) => item(name, ["event", source, name], { note: table.name })),
    ),
  );
  return [
    item("Overview", []),
    item("Test transform", ["transform"]),
    item("Dead letters", ["dead-letters"]),
    heading("Event triggers"),
    ...events,
    item("New event trigger", ["new", "event"], { isMuted: true }),
    heading("Schedules"),
    item("One-off events", ["one-off"]),
    ...triggers.map(({ name, schedule }) => item(String(name), ["cron", String(name)], { note: String(schedule) })),
    item("New cron trigger", ["new", "cron"], { isMuted: true }),
    heading("Actions"),
    ...(all.actions ?? []).map(({ name }) => item(name, ["action", name])),
    item("Custom types", ["custom-types"]),
    item("New action", ["new", "action"], { isMuted: true }),
    heading("Remote schemas"),
    ...(all.remote_schemas ?? []).map(({ name }) => item(name, ["remote-schema", name])),
    item("New remote schema", ["new", "remote-schema"], { isMuted: true }),
  ];
}
