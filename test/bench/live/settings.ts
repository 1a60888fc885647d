/** The command line of `npm run bench:live`. */
import { optionValue } from "../../support/shared-checks.ts";

export const args = process.argv.slice(2);
const setting = (name: string, otherwise: number): number => Number(optionValue(args, `--${name}`) ?? otherwise);
export const subscriptions = setting("subscriptions", 10_000);
/** Limited by the open files of a process, since each connection is one. */
export const perConnection = setting("per-connection", 1);
export const rooms = setting("rooms", 100);
export const changesPerSecond = setting("changes", 200);
export const seconds = setting("seconds", 20);
export const port = setting("port", 8899);
export const only = optionValue(args, "--only");
export const profileFile = optionValue(args, "--profile");
export const rowsPerRoom = 10;
export const vanishing = 1000;
