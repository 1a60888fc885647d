/** The code page: what the metadata is compiled to, for each role, to read and to search. */
import { useEffect, useState } from "preact/hooks";
import { generatedPaths } from "../../http/code-api.ts";
import { Empty, Loading } from "../../parts/empty.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { SideList } from "../../parts/side-list.tsx";
import { useLoaded } from "../../parts/use-loaded.ts";
import { addressOf, navigate, parameters } from "../../routing/router.ts";
import { loadMetadata, resourceVersion } from "../../state/metadata.ts";
import { FileView } from "./file-view.tsx";
import { listed, pathsOf, roleFolders, roleOfPath } from "./paths.ts";
import { Search } from "./search.tsx";

/** Stands for the files that no role has for itself. */
const shared = " shared";

export default function CodePage({ path: segments }: { readonly path: readonly string[] }) {
  useEffect(() => void loadMetadata(), []);
  const [chosen, setChosen] = useState<string | null>(null);
  const [wanted, setWanted] = useState("");
  const { value: generated, error } = useLoaded(generatedPaths, String(resourceVersion.value));
  if (error !== null) return <ErrorBox error={error} />;
  if (!generated) return <Loading what="the list of files" />;
  const { paths, resource_version: version } = generated;
  const path = segments.join("/");
  const folders = roleFolders(paths);
  const choice = path === "" ? (chosen ?? folders[0] ?? shared) : (roleOfPath(path) ?? shared);
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
          label="Files of"
          isBare
          value={choice}
          choices={[...folders.map((name) => ({ value: name, label: name })), { value: shared, label: "All roles" }]}
          onChange={choose}
        />
        <TextField
          label="Search in these files"
          isBare
          type="search"
          placeholder="Search in these files …"
          value={wanted}
          onInput={setWanted}
        />
        <span class="grow" />
        <p class="muted">{`Version ${version} of the metadata`}</p>
      </div>
      {wanted.trim().length > 1 ? (
        <Search wanted={wanted.trim()} paths={own} version={version} />
      ) : (
        <div class="with-side">
          <SideList label="Generated files" items={listed(own, role, path)} empty="There are no such files." />
          {path === "" ? (
            <Empty title="Choose a file.">
              <p>This is what serves requests: one module for each role and table, made anew with every change.</p>
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
