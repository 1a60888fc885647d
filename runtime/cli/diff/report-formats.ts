/** Forms of a report; apart from what makes them, which is loaded when the command runs. */
export const reportFormats = ["markdown", "json"] as const;

export type ReportFormat = (typeof reportFormats)[number];
