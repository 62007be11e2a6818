/** The part of Papa Parse that we call. Its published types bring those of Node into every page. */
declare module 'papaparse' {
  interface ParseError {
    readonly code: string;
    /** The character of the text that it is about. */
    readonly index?: number;
  }
  interface ParseResult {
    readonly data: string[][];
    readonly errors: readonly ParseError[];
  }
  interface Papa {
    parse(text: string, options: { readonly delimiter: string; readonly newline: '\n' }): ParseResult;
    unparse(
      table: { readonly fields: string[]; readonly data: string[][] },
      options: { readonly escapeFormulae: boolean },
    ): string;
  }
  const Papa: Papa;
  export default Papa;
}
