/** Overview of the automation page: counts and links to create definitions. */
import type { Metadata } from "../../http/metadata-types.ts";
import { capitalized } from "../../parts/cell-text.ts";
import { Link } from "../../routing/link.tsx";
import { kinds } from "./kinds.ts";

const descriptions: Readonly<Record<string, string>> = {
  event: "Calls a webhook when rows of a table change",
  cron: "Calls a webhook on a schedule",
  "one-off": "Calls a webhook once, at a given time",
  action: "Adds a field that a webhook resolves",
  "remote-schema": "Adds the fields of another GraphQL server",
};

export function Overview({ metadata, cronCount }: { readonly metadata: Metadata; readonly cronCount: number }) {
  const triggers = metadata.sources.flatMap(({ tables }) =>
    tables.flatMap(({ event_triggers = [] }) => event_triggers),
  );
  const counts: Readonly<Record<string, number>> = {
    event: triggers.length,
    cron: cronCount,
    action: metadata.actions?.length ?? 0,
    "remote-schema": metadata.remote_schemas?.length ?? 0,
  };
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Automation</h1>
      </div>
      <div class="page scroll">
        <ul class="automation-kinds">
          {kinds.map(({ name, title }) => (
            <li key={name} class="card automation-kind">
              <h2>{capitalized(title)}</h2>
              <p class="muted">{descriptions[name]}</p>
              <p class="spread">
                <Link to={["automation", "new", name]}>{`New ${title}`}</Link>
                {counts[name] !== undefined && <span class="badge">{counts[name]}</span>}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
