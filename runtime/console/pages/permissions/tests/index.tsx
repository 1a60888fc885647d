/** Permission tests of a project: their results, and what differs. */
import { useState } from "preact/hooks";
import type { Source } from "../../../http/metadata-types.ts";
import { type ListedCase, listTests, type TestList } from "../../../http/test-api.ts";
import { Button } from "../../../parts/button.tsx";
import { type Column, DataTable } from "../../../parts/data-table.tsx";
import { Empty, Loading } from "../../../parts/empty.tsx";
import { ErrorBox } from "../../../parts/error-box.tsx";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { useLoaded } from "../../../parts/use-loaded.ts";
import { addressOf, navigate, parameters } from "../../../routing/router.ts";
import { isProjectConsole } from "../../../state/change-database.ts";
import { metadata, resourceVersion } from "../../../state/metadata.ts";
import { parentsOf } from "../inheritance.ts";
import { CaseDialog } from "./case-dialog.tsx";
import { OutcomeBadge } from "./outcome.tsx";
import { caseKey, concerning, isRunning, results, runCases, type TestFilter } from "./results.ts";

export function Tests({ source }: { readonly source: Source }) {
  if (isProjectConsole) return <ProjectTests source={source} />;
  return (
    <Empty title="Tests belong to a project">
      <p class="empty-text">
        Permission tests run on databases of their own, and never on a database of this server. The console of a project
        runs them: start it with <code>engine console</code> or <code>engine dev</code>.
      </p>
    </Empty>
  );
}

function ProjectTests({ source }: { readonly source: Source }) {
  const { value, error, isLoading, reload } = useLoaded(listTests, String(resourceVersion.value));
  if (error !== null) return <ErrorBox error={error} />;
  if (!value) return <Loading item="tests" />;
  return <LoadedTests source={source} list={value} isLoading={isLoading} reload={reload} />;
}

interface LoadedTestsProps {
  readonly source: Source;
  readonly list: TestList;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

function LoadedTests({ source, list, isLoading, reload }: LoadedTestsProps) {
  const [text, setText] = useState("");
  const [opened, setOpened] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const filter: TestFilter = {
    text,
    role: parameters.value.get("role") ?? "",
    table: parameters.value.get("table"),
  };
  const shown = concerning(list.cases, filter, source.name, parentsOf(metadata.value?.inherited_roles ?? []));
  const isAll = shown.length === list.cases.length;
  const run = async (cases: readonly ListedCase[]): Promise<void> => {
    setError(null);
    setProblems([]);
    try {
      setProblems(await runCases(cases, resourceVersion.value));
    } catch (thrown) {
      setError(thrown);
    }
  };
  const found = list.cases.find((each) => caseKey(each) === opened);
  return (
    <div class="with-head">
      <div class="toolbar">
        <TextField
          label="Filter tests"
          isBare
          type="search"
          placeholder="Filter tests…"
          value={text}
          onInput={setText}
        />
        <Choices source={source} list={list} filter={filter} />
        <span class="muted" role="status">
          {countText(shown)}
        </span>
        <span class="grow" />
        <Button icon="refresh" busy={isLoading} onClick={reload}>
          Refresh
        </Button>
        <Button
          kind="primary"
          icon="run"
          busy={isRunning.value}
          unavailable={shown.length === 0 && "No tests to run."}
          onClick={() => void run(shown)}
        >
          {isAll ? "Run all" : `Run ${shown.length.toLocaleString()}`}
        </Button>
      </div>
      {error !== null && <ErrorBox error={error} />}
      <Problems lines={[...list.problems, ...problems]} />
      <DataTable
        label="Permission tests"
        columns={columns}
        rows={shown}
        opener={{ label: "View test", open: (each) => setOpened(caseKey(each)) }}
        empty={<NoTests list={list} />}
      />
      {found && <CaseDialog test={found} run={() => run([found])} onClose={() => setOpened(null)} />}
    </div>
  );
}

const columns: readonly Column<ListedCase>[] = [
  { key: "outcome", title: "Result", width: 110, cell: (each) => <OutcomeBadge test={each} /> },
  { key: "name", title: "Test", cell: ({ name }) => <bdi title={name}>{name}</bdi> },
  { key: "role", title: "Role", width: 130, cell: ({ role }) => <bdi>{role}</bdi> },
  {
    key: "tables",
    title: "Tables",
    width: 180,
    cell: ({ tables }) => <bdi>{tables?.map(({ name }) => name).join(", ")}</bdi>,
  },
  { key: "file", title: "File", width: 200, cell: ({ file, at }) => <bdi>{`${file}:${at.split(":")[0]}`}</bdi> },
];

function Choices({
  source,
  list,
  filter,
}: Pick<LoadedTestsProps, "source" | "list"> & { readonly filter: TestFilter }) {
  const roles = [
    ...new Set([...list.cases.map(({ role }) => role), ...(filter.role === "" ? [] : [filter.role])]),
  ].sort();
  const names = list.cases.flatMap(({ tables }) =>
    (tables ?? []).filter((table) => table.source === source.name).map(({ name }) => name),
  );
  const tables = [...new Set([...names, ...(filter.table === null ? [] : [filter.table])])].sort();
  const show = ({ role, table }: Pick<TestFilter, "role" | "table">): void => {
    const query = { view: "tests", ...(role !== "" && { role }), ...(table !== null && { table }) };
    navigate(addressOf(["permissions", source.name], query), "replace");
  };
  return (
    <>
      <SelectField
        label="Role"
        isBare
        value={filter.role}
        choices={[{ value: "", label: "All roles" }, ...roles.map((role) => ({ value: role, label: role }))]}
        onChange={(role) => show({ ...filter, role })}
      />
      <SelectField
        label="Table"
        isBare
        value={filter.table ?? ""}
        choices={[{ value: "", label: "All tables" }, ...tables.map((table) => ({ value: table, label: table }))]}
        onChange={(table) => show({ ...filter, table: table === "" ? null : table })}
      />
    </>
  );
}

function Problems({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul class="test-problems" role="alert">
      {lines.map((line) => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  );
}

function NoTests({ list }: { readonly list: TestList }) {
  if (list.cases.length > 0) return <Empty title="No tests match the filter" />;
  return (
    <Empty title="No tests">
      <p class="empty-text">
        A test states rows, a session and an operation, and the response that the role must get. Write tests as YAML
        files in <code>{list.folder}</code>, or let <code>engine test --generate</code> write tests of all permissions.
      </p>
    </Empty>
  );
}

function countText(shown: readonly ListedCase[]): string {
  const kinds = shown.map((each) => results.value.get(caseKey(each))?.outcome);
  const passed = kinds.filter((kind) => kind === "passed").length;
  const failed = kinds.filter((kind) => kind !== undefined).length - passed;
  if (passed + failed === 0) return shown.length === 1 ? "1 test" : `${shown.length.toLocaleString()} tests`;
  return `${passed.toLocaleString()} passed, ${failed.toLocaleString()} failed`;
}
