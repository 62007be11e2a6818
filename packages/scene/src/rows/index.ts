/** Many pieces of one composition: a table of rows, its columns in the texts, each text fitted to its box. */
export * from './fit.ts';
export * from './keys.ts';
export * from './pictures.ts';
export * from './pieces.ts';
export * from './table.ts';
export * from './template.ts';
