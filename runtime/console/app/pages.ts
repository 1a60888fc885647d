/** Pages of the console in navigation order. Each is loaded when it is first shown. */
import type { ComponentType } from "preact";
import type { IconName } from "../parts/icon.tsx";

export interface PageProps {
  /** Decoded segments of the address after the page name. */
  readonly path: readonly string[];
}

export interface Page {
  /** First segment of the page's address. */
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  readonly load: () => Promise<{ readonly default: ComponentType<PageProps> }>;
}

/** Pages that the navigation does not list. */
export const hiddenPages: readonly Page[] = [
  { name: "parts", title: "Parts", icon: "code", load: () => import("../pages/parts/index.tsx") },
];

export const pages: readonly Page[] = [
  { name: "api", title: "API", icon: "api", load: () => import("../pages/api/index.tsx") },
  { name: "rest", title: "REST", icon: "link", load: () => import("../pages/rest/index.tsx") },
  {
    name: "assistants",
    title: "Assistants",
    icon: "assistants",
    load: () => import("../pages/assistants/index.tsx"),
  },
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
  { name: "metadata", title: "Metadata", icon: "metadata", load: () => import("../pages/metadata/index.tsx") },
  { name: "health", title: "Health", icon: "health", load: () => import("../pages/health/index.tsx") },
];
