/** The pages, in the order of the navigation: each is loaded when it is first shown. */
import type { ComponentType } from "preact";
import type { IconName } from "../parts/icon.tsx";

export interface PageProps {
  /** What follows the name of the page in the address, decoded. */
  readonly path: readonly string[];
}

export interface Page {
  /** The first segment of its address. */
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

export const pages: readonly Page[] = [
  { name: "api", title: "API", icon: "api", load: () => import("../pages/api/index.tsx") },
  { name: "data", title: "Data", icon: "data", load: () => import("../pages/data/index.tsx") },
  {
    name: "permissions",
    title: "Permissions",
    icon: "permissions",
    load: () => import("../pages/permissions/index.tsx"),
  },
  { name: "code", title: "Code", icon: "code", load: () => import("../pages/code/index.tsx") },
  {
    name: "automation",
    title: "Automation",
    icon: "automation",
    load: () => import("../pages/automation/index.tsx"),
  },
  { name: "health", title: "Health", icon: "health", load: () => import("../pages/health/index.tsx") },
];
