/** Deploys a project's databases, migrations and metadata to a server. */
import type { Json } from "../../../compiler/catalog/model.ts";
import type { Environment } from "../../config/options.ts";
import { isObject } from "../../values/is-object.ts";
import { replaceMetadata, warningsOf, warnOfInconsistencies } from "../metadata/apply-metadata.ts";
import { type InconsistencyList, inconsistenciesOfServer } from "../metadata/inconsistency.ts";
import { readMetadataDirectory } from "../metadata-directory/read.ts";
import type { EnsureAlone } from "../migrations/tool-lock.ts";
import type { CallMetadata } from "../project/client.ts";
import type { Output } from "../project/output.ts";
import { addMissingSources, applyPending } from "./databases.ts";
import { locatedInconsistencies } from "./located-inconsistencies.ts";

export interface DeployedFolders {
  /** If `undefined`, the server's metadata is kept. */
  readonly metadataPath: string | undefined;
  /** If `undefined`, no migrations run. */
  readonly migrationsPath: string | undefined;
}

export interface DeployProjectOptions {
  readonly allowInconsistent: boolean;
  /** Variables for references in the metadata. */
  readonly environment: Environment;
  readonly ensureAlone: EnsureAlone;
  readonly output: Output;
}

/**
 * Deploys a project. The server keeps serving its old metadata while migrations run. Migrations are not checked against
 * it, and requests for dropped columns fail until the project's metadata replaces it.
 * @throws InvalidFiles, EngineError; migrations applied before the failure remain applied
 */
export async function deployProject(
  call: CallMetadata,
  { metadataPath, migrationsPath }: DeployedFolders,
  { allowInconsistent, ensureAlone, output, environment }: DeployProjectOptions,
): Promise<void> {
  const describe = (list: InconsistencyList) => locatedInconsistencies(call, { metadataPath, environment }, list);
  const files = metadataPath === undefined ? undefined : await readMetadataDirectory(metadataPath);
  if (files !== undefined) await addMissingSources(call, files.metadata, output);
  if (migrationsPath !== undefined) await applyPending(call, migrationsPath, { ensureAlone, output });
  ensureAlone();
  if (files === undefined) {
    await call({ type: "reload_metadata", args: {} });
  } else {
    output.problems(warningsOf(await replaceMetadata(call, files, { allowInconsistent, output, describe })));
    if (isObject<Json>(files.metadata) && files.metadata.remote_schemas !== undefined) {
      await call({ type: "reload_metadata", args: { reload_sources: false, reload_remote_schemas: true } });
    }
    output.result("applied the metadata\n");
  }
  output.remark("deployed");
  warnOfInconsistencies(await describe(await inconsistenciesOfServer(call)), output);
}
