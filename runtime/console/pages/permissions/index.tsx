/** The permissions page: the matrix, or what one role may do with one table. */
import { useEffect } from "preact/hooks";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { loadMetadata, metadata, metadataError, sourceNamed, sources, tableNamed } from "../../state/metadata.ts";
import { Editor } from "./editor.tsx";
import { Matrix } from "./matrix.tsx";

export default function PermissionsPage({ path }: { readonly path: readonly string[] }) {
  useEffect(() => void loadMetadata(), []);
  const [sourceName, schema, name, role] = path;
  if (!metadata.value) {
    return metadataError.value ? <ErrorBox error={metadataError.value} /> : <Loading what="the metadata" />;
  }
  const source = sourceName === undefined ? sources.value[0] : sourceNamed(sourceName);
  if (!source) return <Empty title="There is no such source of data yet." isPage />;
  if (schema === undefined || name === undefined || role === undefined) return <Matrix source={source} />;
  const table = tableNamed(source.name, schema, name);
  if (!table) return <Empty title="This table is not tracked." isPage />;
  return <Editor key={path.join("/")} source={source} table={table} role={role} />;
}
