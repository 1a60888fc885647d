/** The module `engine/config` for `engine.config.ts`. */
import type { defineConfig as DefineConfig, refuse as Refuse } from "../embedding/config.d.mts";
import { Refusal } from "./host-code.ts";

export const defineConfig: typeof DefineConfig = (config) => config;

export const refuse: typeof Refuse = (message, details = {}) => {
  throw new Refusal(message, details);
};
