/** The hash of the studio's address that starts the tutorial: `/studio#help`. */
export const HELP_HASH = 'help';
