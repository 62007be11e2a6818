export { bundledFaces, type Face, indexLetters, LETTERS, type LetterIndex } from './faces.ts';
export { type Lettering, recognizeLettering } from './recognize.ts';
