/** Data folders of the embedded PostgreSQL that `engine start` and `engine dev` use without `--data-dir`. */
import { optionTable } from "../../config/option-table.ts";

export const defaultDataDirectory: string = optionTable.dataDirectory.default;
/** The folder of `engine dev`, below the project. */
export const developmentDataDirectory = ".data";
/** A separate folder, so that the sample never touches the user's data. */
export const demoDataDirectory = ".data/demo";
