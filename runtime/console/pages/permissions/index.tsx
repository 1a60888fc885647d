/** The permissions page: the matrix, or the permissions of one role on one table. */
import { useEffect, useState } from "preact/hooks";
import { generatedPaths } from "../../http/code-api.ts";
import { describeSource, describeTable } from "../../http/data-api.ts";
import type { ComputedField, Source, Table } from "../../http/metadata-types.ts";
import { AdviceLink } from "../../parts/advice-link.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Icon } from "../../parts/icon.tsx";
import { shownName } from "../../parts/table-name.ts";
import { Tabs } from "../../parts/tabs.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { addressOf, navigate, parameters } from "../../routing/router.ts";
import { isProjectConsole } from "../../state/change-database.ts";
import {
  loadMetadata,
  metadata,
  metadataError,
  resourceVersion,
  sourceNamed,
  sources,
  tableNamed,
} from "../../state/metadata.ts";
import { fileOfTable } from "../code/paths.ts";
import { ActionEditor } from "./action-editor.tsx";
import { CopyDialog } from "./copy-dialog.tsx";
import { type Action, actions, permissionOf } from "./draft.ts";
import { InheritedRoles } from "./inherited-roles.tsx";
import { actionTitles } from "./kind-choice.tsx";
import { Matrix } from "./matrix.tsx";
import { OtherObjects } from "./other-objects.tsx";
import { RoleSettings } from "./role-settings.tsx";
import { Tests } from "./tests/index.tsx";

export default function PermissionsPage({ path }: { readonly path: readonly string[] }) {
  useEffect(() => void loadMetadata(), []);
  const [sourceName, schema, name, role] = path;
  if (!metadata.value) {
    return metadataError.value ? <ErrorBox error={metadataError.value} /> : <Loading item="metadata" />;
  }
  const source = sourceName === undefined ? sources.value[0] : sourceNamed(sourceName);
  if (!source) return <Empty title={sourceName === undefined ? "No databases connected" : "Source not found"} isPage />;
  if (schema === undefined || name === undefined || role === undefined) return <Overview source={source} />;
  const table = tableNamed(source.name, schema, name);
  if (!table) return <Empty title="Table not tracked" isPage />;
  return <Editor key={path.join("/")} source={source} table={table} role={role} />;
}

type View = "tables" | "inherited" | "settings" | "other" | "tests";

const views: readonly { readonly name: View; readonly label: string }[] = [
  { name: "tables", label: "Tables" },
  { name: "inherited", label: "Inherited roles" },
  { name: "settings", label: "Role settings" },
  { name: "other", label: "Functions, actions and remote schemas" },
  { name: "tests", label: "Tests" },
];

/** Matrix of a source, and the settings of roles that belong to no source. */
function Overview({ source }: { readonly source: Source }) {
  const current = views.find(({ name }) => name === parameters.value.get("view"))?.name ?? "tables";
  return (
    <div class="with-head">
      <h1 class="visually-hidden">Permissions</h1>
      <Tabs<View>
        label="Permissions"
        tabs={views}
        current={current}
        onChange={(name) => navigate(addressOf(["permissions", source.name], name === "tables" ? {} : { view: name }))}
      >
        {current === "tables" && <Matrix source={source} />}
        {current === "inherited" && <InheritedRoles source={source} />}
        {current === "settings" && <RoleSettings />}
        {current === "other" && <OtherObjects />}
        {current === "tests" && <Tests source={source} />}
      </Tabs>
    </div>
  );
}

// Permissions of one role on one table, with a tab for each operation.

interface EditorProps {
  readonly source: Source;
  readonly table: Table;
  readonly role: string;
}

function Editor({ source, table, role }: EditorProps) {
  const [action, setAction] = useState<Action>("select");
  const [isCopying, setCopying] = useState(false);
  const location = { source: source.name, kind: source.kind, table: table.table };
  const { value: info, error, isLoading } = useLoaded(() => describeTable(location), JSON.stringify(location));
  const computedFields = useScalarFields(source, table);
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
        <Button icon="copy" onClick={() => setCopying(true)}>
          Copy permissions
        </Button>
        {isCopying && <CopyDialog source={source} role={role} table={table} onClose={() => setCopying(false)} />}
        {isProjectConsole && (
          <Link
            to={["permissions", source.name]}
            query={{ view: "tests", role, table: shownName(source.kind, table.table) }}
            class="back-link"
          >
            <Icon name="check" />
            <span>Tests</span>
          </Link>
        )}
        <AdviceLink source={source.name} table={table.table} />
        <CodeLink of={{ source: source.name, table: table.table, role }} action={action} />
      </div>
      <Tabs<Action>
        label="Operations"
        tabs={actions.map((each) => ({
          name: each,
          label: (
            <>
              {actionTitles[each]}
              <span class={permissionOf(table, each, role) ? "tab-dot on" : "tab-dot"} />
              <span class="visually-hidden">{permissionOf(table, each, role) ? " allowed" : " not allowed"}</span>
            </>
          ),
        }))}
        current={action}
        onChange={setAction}
      >
        {error !== null && <ErrorBox error={error} />}
        {!info && isLoading && <Loading item="columns" />}
        {!info && !isLoading && error === null && <Empty title="Table no longer exists in the database" />}
        {info && (
          <ActionEditor
            key={action}
            location={{ source, table: table.table, action, role }}
            before={permissionOf(table, action, role)}
            info={info}
            computedFields={computedFields}
          />
        )}
      </Tabs>
    </div>
  );
}

/** Returns the names of computed fields with scalar results. Permissions do not list those that return rows. */
function useScalarFields(source: Source, table: Table): readonly string[] {
  const { computed_fields: fields = [] } = table;
  const load = async () => (fields.length === 0 ? [] : (await describeSource(source.name, source.kind)).functions);
  const { value } = useLoaded(load, JSON.stringify([source.name, fields]));
  const isScalar = ({ definition: { function: called } }: ComputedField): boolean =>
    value?.some(({ schema, name, returns }) => schema === called.schema && name === called.name && !returns.set) ??
    false;
  return fields.filter(isScalar).map(({ name }) => name);
}

// Link from a permission to its comment in the generated code.

interface CodeLinkProps {
  readonly of: Parameters<typeof fileOfTable>[1];
  readonly action: Action;
}

/** Renders nothing if the role has no module for the table. */
function CodeLink({ of, action }: CodeLinkProps) {
  const { value } = useLoaded(generatedPaths, String(resourceVersion.value));
  const file = value && fileOfTable(value.paths, of);
  if (!file) return null;
  return (
    <Link
      to={["code", ...file.split("/")]}
      query={{ find: `${actionTitles[action]} permission of role` }}
      class="back-link"
    >
      <Icon name="code" />
      <span>Generated code</span>
    </Link>
  );
}
