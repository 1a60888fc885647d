/** Every line of some files that holds a text. */
import { useEffect, useState } from "preact/hooks";
import { type GeneratedFile, generatedFiles } from "../../http/code-api.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { Link } from "../../routing/link.tsx";

interface FoundLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** More lines than these help nobody. */
const mostLines = 2000;
/** More files take too long to ask for. */
const mostFiles = 3000;

interface SearchProps {
  readonly wanted: string;
  readonly paths: readonly string[];
  readonly version: number;
}

export function Search({ wanted, paths, version }: SearchProps) {
  const [files, setFiles] = useState<readonly GeneratedFile[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const key = `${version} ${paths.length} ${paths[0] ?? ""}`;
  useEffect(() => {
    let isOutdated = false;
    setFiles(null);
    setError(null);
    loadAll(paths.slice(0, mostFiles)).then(
      (loaded) => !isOutdated && setFiles(loaded),
      (thrown: unknown) => !isOutdated && setError(thrown),
    );
    return () => {
      isOutdated = true;
    };
  }, [key]);
  if (error !== null) return <ErrorBox error={error} />;
  if (!files) return <Loading what={`${Math.min(paths.length, mostFiles)} files`} />;
  const lines = findLines(files, wanted);
  const left = paths.length > mostFiles ? ` The first ${mostFiles} files were searched: choose a role for less.` : "";
  return (
    <div class="with-head">
      <p class="code-found muted" role="status">
        {`${lines.length === mostLines ? `The first ${mostLines}` : lines.length} ${lines.length === 1 ? "line" : "lines"}.${left}`}
      </p>
      <DataTable
        label="Lines that were found"
        columns={columns}
        rows={lines}
        keyOf={({ path, line }) => `${path}:${line}`}
        empty={<Empty title="No line has this text." />}
      />
    </div>
  );
}

const columns: readonly Column<FoundLine>[] = [
  {
    key: "place",
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

function findLines(files: readonly GeneratedFile[], wanted: string): readonly FoundLine[] {
  const text = wanted.toLowerCase();
  const found: FoundLine[] = [];
  for (const { path, text: whole } of files) {
    if (!whole.toLowerCase().includes(text)) continue;
    for (const [index, line] of whole.split("\n").entries()) {
      if (!line.toLowerCase().includes(text)) continue;
      found.push({ path, line: index + 1, text: line });
      if (found.length === mostLines) return found;
    }
  }
  return found;
}
