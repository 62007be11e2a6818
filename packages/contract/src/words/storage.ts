/** From this share of a limit on, the administrator is warned. */
export const NEARLY_FULL = 0.8;
