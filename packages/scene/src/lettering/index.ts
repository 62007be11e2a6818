export { bundledFaces, type Face, indexLetters, LETTERS, type LetterIndex } from './faces.ts';
export { type ArtworkLettering, findLettering, type LetteringSources } from './findLettering.ts';
export { readIndex, writeIndex } from './indexFile.ts';
export { type Lettering, recognizeLettering } from './recognize.ts';
