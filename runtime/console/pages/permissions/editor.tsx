/** What one role may do with one table: a tab for each kind of access. */
import { useState } from "preact/hooks";
import { describeTable } from "../../http/data-api.ts";
import type { Source, Table } from "../../http/metadata-types.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Icon } from "../../parts/icon.tsx";
import { shownName } from "../../parts/table-name.ts";
import { Tabs } from "../../parts/tabs.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { ActionEditor } from "./action-editor.tsx";
import { CodeLink } from "./code-link.tsx";
import { type Action, actions, permissionOf } from "./draft.ts";

interface EditorProps {
  readonly source: Source;
  readonly table: Table;
  readonly role: string;
}

const titles: Readonly<Record<Action, string>> = {
  select: "Select",
  insert: "Insert",
  update: "Update",
  delete: "Delete",
};

export function Editor({ source, table, role }: EditorProps) {
  const [action, setAction] = useState<Action>("select");
  const place = { source: source.name, kind: source.kind, table: table.table };
  const { value: info, error, isLoading } = useLoaded(() => describeTable(place), JSON.stringify(place));
  return (
    <div class="with-head">
      <div class="toolbar">
        <Link to={["permissions", source.name]} class="back-link" title="All permissions">
          <Icon name="left" />
          <span>Permissions</span>
        </Link>
        <h1>
          <bdi>{role}</bdi> <span class="muted">on</span> <bdi>{shownName(source.kind, table.table)}</bdi>
        </h1>
        <span class="grow" />
        <CodeLink of={{ source: source.name, table: table.table, role }} action={action} />
      </div>
      <Tabs<Action>
        label="Kinds of access"
        tabs={actions.map((each) => ({
          name: each,
          label: (
            <>
              {titles[each]}
              <span class={permissionOf(table, each, role) ? "tab-dot on" : "tab-dot"} />
              <span class="visually-hidden">{permissionOf(table, each, role) ? " allowed" : " not allowed"}</span>
            </>
          ),
        }))}
        current={action}
        onChange={setAction}
      >
        {error !== null && <ErrorBox error={error} />}
        {!info && isLoading && <Loading what="the columns" />}
        {!info && !isLoading && error === null && <Empty title="The database has no such table any more." />}
        {info && (
          <ActionEditor
            key={action}
            place={{ source, table: table.table, action, role }}
            before={permissionOf(table, action, role)}
            columns={info.columns}
          />
        )}
      </Tabs>
    </div>
  );
}
