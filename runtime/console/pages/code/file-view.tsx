/** One generated file: its text, and what it imports as links. */
import { generatedFile } from "../../http/code-api.ts";
import { CodeView } from "../../parts/code-view.tsx";
import type { Language } from "../../parts/editor-setup.ts";
import { Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { Link } from "../../routing/link.tsx";
import { importsOf } from "./paths.ts";

interface FileViewProps {
  readonly path: string;
  readonly version: number;
  /** To mark; `null`: none. */
  readonly line: number | null;
  /** Lines that hold this text are marked; `null`: none. */
  readonly find: string | null;
}

export function FileView({ path, version, line, find }: FileViewProps) {
  const { value: text, error } = useLoaded(() => generatedFile(path), `${version} ${path}`);
  if (error !== null) return <ErrorBox error={error} />;
  if (text === null) return <Loading what="the file" />;
  const imports = importsOf(path, text);
  const marked = line === null ? linesWith(text, find) : [line];
  return (
    <div class="code-file">
      <div class="code-head">
        <h2>
          <bdi>{path}</bdi>
        </h2>
        {imports.length > 0 && (
          <details class="code-imports">
            <summary>{`Imports ${imports.length} ${imports.length === 1 ? "file" : "files"}`}</summary>
            <ul>
              {imports.map((each) => (
                <li key={each}>
                  <Link to={["code", ...each.split("/")]}>
                    <bdi>{each}</bdi>
                  </Link>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <CodeView text={text} language={languageOfFile(path)} label={`Text of ${path}`} marked={marked} hasLineNumbers />
    </div>
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
