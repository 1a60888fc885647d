/** The metadata as a document: export, copy, import, reload and clear. */
import { useState } from "preact/hooks";
import { jsonText } from "../../http/json.ts";
import { exportMetadata } from "../../http/metadata-api.ts";
import type { Metadata } from "../../http/metadata-types.ts";
import { Button } from "../../parts/button.tsx";
import { CodeView } from "../../parts/code-view.tsx";
import { download } from "../../parts/download.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { type Choice, SelectField } from "../../parts/field.tsx";
import { notify } from "../../parts/toast.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { ClearButton } from "./clear-button.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { ReloadDialog } from "./reload-dialog.tsx";

/** Maximum length of a document that the page shows, in characters. */
const maxShown = 1_000_000;

type Format = "json" | "yaml";

const formats: readonly Choice<Format>[] = [
  { value: "json", label: "JSON" },
  { value: "yaml", label: "YAML" },
];

async function textOf(metadata: Metadata, format: Format): Promise<string> {
  if (format === "json") return `${jsonText(metadata)}\n`;
  const { yamlOf } = await import("./yaml.ts");
  return yamlOf(metadata);
}

interface MetadataDocumentProps {
  readonly value: Metadata;
  readonly version: number;
}

export function MetadataDocument({ value, version }: MetadataDocumentProps) {
  const [isImporting, setImporting] = useState(false);
  const [isReloading, setReloading] = useState(false);
  const [format, setFormat] = useState<Format>("json");
  const [failure, setFailure] = useState<unknown>(null);
  const { value: text, error } = useLoaded(() => textOf(value, format), `${format} ${version}`);
  /** Runs an action with the text of the server's current metadata. */
  const withCurrent = async (use: (current: string, version: number) => unknown): Promise<void> => {
    setFailure(null);
    try {
      const { metadata, resource_version } = await exportMetadata();
      await use(await textOf(metadata, format), resource_version);
    } catch (thrown) {
      setFailure(thrown);
    }
  };
  const save = (current: string, of: number): void =>
    download(new Blob([current], { type: `application/${format}` }), `metadata-${of}.${format}`);
  const copy = async (current: string): Promise<void> => {
    await navigator.clipboard.writeText(current);
    notify("Copied the metadata");
  };
  return (
    <div class="with-head">
      <div class="toolbar">
        <h1>Metadata</h1>
        <p class="muted">{`Version ${version}`}</p>
        <span class="grow" />
        <Button icon="refresh" onClick={() => setReloading(true)}>
          Reload
        </Button>
        <ClearButton value={value} version={version} />
        <SelectField label="Format" isBare value={format} choices={formats} onChange={setFormat} />
        <Button icon="copy" onClick={() => void withCurrent(copy)}>
          Copy
        </Button>
        <Button icon="download" onClick={() => void withCurrent(save)}>
          Download
        </Button>
        <Button kind="primary" icon="add" onClick={() => setImporting(true)}>
          Import
        </Button>
      </div>
      {failure !== null && <ErrorBox error={failure} />}
      {error !== null && <ErrorBox error={error} />}
      <div class="metadata-document">
        {text === null ? (
          error === null && <Loading item="metadata" />
        ) : text.length <= maxShown ? (
          <CodeView text={text} language={format === "json" ? "json" : "text"} label="Metadata" hasLineNumbers />
        ) : (
          <Empty title={`${text.length.toLocaleString()} characters`}>
            <p>The metadata is too long to show here. Download it.</p>
          </Empty>
        )}
      </div>
      {isReloading && <ReloadDialog value={value} onClose={() => setReloading(false)} />}
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </div>
  );
}
