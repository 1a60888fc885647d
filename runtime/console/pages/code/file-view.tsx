/** One generated file: its text, and what it imports as links. */
import { generatedFile } from "../../http/code-api.ts";
import { CodeView } from "../../parts/code-view.tsx";
import type { Language } from "../../parts/editor-setup.ts";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { importsOf, sqlFilesOf } from "./paths.ts";

interface FileViewProps {
  readonly path: string;
  /** Of all files. */
  readonly paths: readonly string[];
  readonly version: number;
  /** To mark; `null`: none. */
  readonly line: number | null;
  /** Lines that hold this text are marked; `null`: none. */
  readonly find: string | null;
}

export function FileView({ path, paths, version, line, find }: FileViewProps) {
  const { value: text, error } = useLoaded(() => generatedFile(path), `${version} ${path}`);
  if (error !== null) return <ErrorBox error={error} />;
  if (text === null) return <Loading what="the file" />;
  const imports = importsOf(path, text);
  const sql = sqlFilesOf(paths, path);
  const marked = line === null ? linesWith(text, find) : [line];
  return (
    <div class="code-file">
      <div class="code-head">
        <h2>
          <bdi>{path}</bdi>
        </h2>
        <OtherFiles summary={`Imports ${counted(imports.length)}`} paths={imports} />
        <OtherFiles summary={`SQL of roles: ${counted(sql.length)}`} paths={sql} />
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
