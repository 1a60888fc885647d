/** Data folders of the embedded PostgreSQL that `engine start` uses without `--data-dir`. */
import { optionTable } from "../../config/option-table.ts";

export const defaultDataDirectory: string = optionTable.dataDirectory.default;
/** A separate folder, so that the sample never touches the user's data. */
export const demoDataDirectory = ".data/demo";
