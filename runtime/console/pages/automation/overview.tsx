/** What there is, and how something new is made. */
import type { Metadata } from "../../http/metadata-types.ts";
import { Link } from "../../routing/link.tsx";
import { kinds } from "./kinds.ts";

const abouts: Readonly<Record<string, string>> = {
  event: "calls a webhook when rows of a table change",
  cron: "calls a webhook at the times of a schedule",
  "one-off": "calls a webhook once, at a time",
  action: "is a field whose answer comes from a webhook",
  "remote-schema": "puts the fields of another GraphQL server beside your own",
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
              <h2>{`${title[0]?.toUpperCase()}${title.slice(1)}`}</h2>
              <p class="muted">{abouts[name]}</p>
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
