/** The icon of the library: two books and one that leans, as path data on the 20 px grid. */
export const LIBRARY_ICON = 'M3.5 3.5h3.25v13H3.5zM6.75 6h3.25v10.5H6.75zM11.5 6.5l3-.75 2.5 10-3 .75z';
