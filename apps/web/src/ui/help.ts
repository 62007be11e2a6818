/** Behind the studio's address, it asks for the tutorial: `/studio#help`. */
export const HELP_HASH = 'help';
