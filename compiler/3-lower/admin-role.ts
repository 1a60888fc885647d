/** The role that may do everything; no permission names it. */
export const adminRole = "admin";
