/** New texts of files by path; `undefined` deletes a file. */
export type FileChanges = ReadonlyMap<string, string | undefined>;
