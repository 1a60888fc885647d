/** The code page: generated files of each role, with search. */
import "../../styles/code.css";
import { useEffect, useState } from "preact/hooks";
import { type GeneratedFile, generatedFile, generatedFiles, generatedPaths } from "../../http/code-api.ts";
import { CodeView } from "../../parts/code-view.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import type { Language } from "../../parts/editor-setup.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { SideList } from "../../parts/side-list.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { addressOf, navigate, parameters } from "../../routing/router.ts";
import { loadMetadata, resourceVersion, roles } from "../../state/metadata.ts";
import { firstChoice, importsOf, listed, pathsOf, roleFolders, roleOfPath, sqlFilesOf } from "./paths.ts";

/** Choice for the files that all roles share. The space avoids collisions with role names. */
const shared = " shared";

export default function CodePage({ path: segments }: { readonly path: readonly string[] }) {
  useEffect(() => void loadMetadata(), []);
  const [chosen, setChosen] = useState<string | null>(null);
  const [search, setSearch] = useState("");
  const { value: generated, error } = useLoaded(generatedPaths, String(resourceVersion.value));
  if (error !== null) return <ErrorBox error={error} />;
  if (!generated) return <Loading item="files" />;
  const { paths, resource_version: version } = generated;
  const path = segments.join("/");
  const folders = roleFolders(paths);
  const choice = path === "" ? (chosen ?? firstChoice(folders, roles.value) ?? shared) : (roleOfPath(path) ?? shared);
  const role = choice === shared ? null : choice;
  const own = pathsOf(paths, role);
  const line = Number(parameters.value.get("line"));
  const choose = (next: string): void => {
    setChosen(next);
    navigate(addressOf(["code"]));
  };
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Code</h1>
        <SelectField
          label="Role"
          isBare
          value={choice}
          choices={[
            ...folders.map((name) => ({ value: name, label: name })),
            { value: shared, label: "Shared by all roles" },
          ]}
          onChange={choose}
        />
        <TextField
          label="Search these files"
          isBare
          type="search"
          placeholder="Search these files…"
          value={search}
          onInput={setSearch}
        />
        <span class="grow" />
        <p class="muted">{`Metadata version ${version}`}</p>
        <Link
          to={["metadata", "history", String(version)]}
          query={{ show: "effects" }}
          title="Generated code of two versions of the metadata"
        >
          Compare versions
        </Link>
      </div>
      {search.trim().length > 1 ? (
        <Search search={search.trim()} paths={own} version={version} />
      ) : (
        <div class="with-side">
          <SideList label="Generated files" items={listed(own, role, path)} empty="No files" />
          {path === "" ? (
            <Empty title="Select a file">
              <p>One module per role and table serves the requests. Every metadata change regenerates the modules.</p>
            </Empty>
          ) : (
            <FileView
              path={path}
              paths={paths}
              version={version}
              line={line > 0 ? line : null}
              find={parameters.value.get("find")}
            />
          )}
        </div>
      )}
    </div>
  );
}

// One generated file with links to its imports.

interface FileViewProps {
  readonly path: string;
  /** Paths of all files. */
  readonly paths: readonly string[];
  readonly version: number;
  /** Line to mark; `null` for none. */
  readonly line: number | null;
  /** Text whose lines are marked; `null` for none. */
  readonly find: string | null;
}

function FileView({ path, paths, version, line, find }: FileViewProps) {
  const { value: text, error } = useLoaded(() => generatedFile(path), `${version} ${path}`);
  if (error !== null) return <ErrorBox error={error} />;
  if (text === null) return <Loading item="file" />;
  const imports = importsOf(path, text);
  const sql = sqlFilesOf(paths, path);
  const marked = line === null ? linesWith(text, find) : [line];
  return (
    <div class="code-file">
      <div class="code-head">
        <h2>
          <bdi>{path}</bdi>
        </h2>
        <OtherFiles summary={`Imports: ${counted(imports.length)}`} paths={imports} />
        <OtherFiles summary={`SQL by role: ${counted(sql.length)}`} paths={sql} />
      </div>
      <CodeView text={text} language={languageOfFile(path)} label={`Text of ${path}`} marked={marked} hasLineNumbers />
    </div>
  );
}

const counted = (count: number): string => `${count} ${count === 1 ? "file" : "files"}`;

function OtherFiles({ summary, paths }: { readonly summary: string; readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <details class="code-imports">
      <summary>{summary}</summary>
      <ul>
        {paths.map((each) => (
          <li key={each}>
            <Link to={["code", ...each.split("/")]}>
              <bdi>{each}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

function languageOfFile(path: string): Language {
  if (path.endsWith(".ts")) return "typescript";
  return path.endsWith(".json") ? "json" : "text";
}

function linesWith(text: string, find: string | null): readonly number[] {
  if (find === null || find === "") return [];
  return text.split("\n").flatMap((line, index) => (line.includes(find) ? [index + 1] : []));
}

// Full-text search in generated files.

interface FoundLine {
  readonly path: string;
  /** Line number, from 1. */
  readonly line: number;
  readonly text: string;
}

const maxLines = 2000;
/** Maximum number of files to search. Loading more would take too long. */
const maxFiles = 3000;

interface SearchProps {
  readonly search: string;
  readonly paths: readonly string[];
  readonly version: number;
}

function Search({ search, paths, version }: SearchProps) {
  const [files, setFiles] = useState<readonly GeneratedFile[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const key = `${version} ${paths.length} ${paths[0] ?? ""}`;
  useEffect(() => {
    let isOutdated = false;
    setFiles(null);
    setError(null);
    loadAll(paths.slice(0, maxFiles)).then(
      (loaded) => !isOutdated && setFiles(loaded),
      (thrown: unknown) => !isOutdated && setError(thrown),
    );
    return () => {
      isOutdated = true;
    };
  }, [key]);
  if (error !== null) return <ErrorBox error={error} />;
  if (!files) return <Loading item={`${Math.min(paths.length, maxFiles)} files`} />;
  const lines = findLines(files, search);
  const left = paths.length > maxFiles ? ` in the first ${maxFiles} files. Select a role to narrow the search.` : "";
  return (
    <div class="with-head">
      <p class="code-found muted" role="status">
        {`${lines.length === maxLines ? `First ${maxLines}` : lines.length} matching ${lines.length === 1 ? "line" : "lines"}${left}`}
      </p>
      <DataTable
        label="Search results"
        columns={columns}
        rows={lines}
        keyOf={({ path, line }) => `${path}:${line}`}
        empty={<Empty title="No matches" />}
      />
    </div>
  );
}

const columns: readonly Column<FoundLine>[] = [
  {
    key: "location",
    title: "File",
    width: 380,
    cell: ({ path, line }) => (
      <Link to={["code", ...path.split("/")]} query={{ line: String(line) }} title={`${path}, line ${line}`}>
        <bdi>{`${path}:${line}`}</bdi>
      </Link>
    ),
  },
  { key: "text", title: "Line", cell: ({ text }) => <code>{text.trim()}</code> },
];

async function loadAll(paths: readonly string[]): Promise<readonly GeneratedFile[]> {
  const all: GeneratedFile[] = [];
  for await (const files of generatedFiles(paths)) all.push(...files);
  return all;
}

function findLines(files: readonly GeneratedFile[], search: string): readonly FoundLine[] {
  const text = search.toLowerCase();
  const found: FoundLine[] = [];
  for (const { path, text: whole } of files) {
    if (!whole.toLowerCase().includes(text)) continue;
    for (const [index, line] of whole.split("\n").entries()) {
      if (!line.toLowerCase().includes(text)) continue;
      found.push({ path, line: index + 1, text: line });
      if (found.length === maxLines) return found;
    }
  }
  return found;
}
