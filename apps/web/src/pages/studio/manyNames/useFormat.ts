/** The format of the pieces: that of the last production file of the machine, or another one. */
import { type FormatChoice, findFormat, firstChoice, formatsOf } from '@markwright/editor';
import { artworksOf, type Composition, isEngraved } from '@markwright/scene';
import { useState } from 'react';
import { readFileFormat } from '../fileFormats.ts';

/** A piece is one file. */
type PieceFormat = Exclude<FormatChoice['format'], 'package' | 'sheet' | 'paperTest'>;
interface PieceChoice extends FormatChoice {
  readonly format: PieceFormat;
}

export function useFormat(composition: Composition) {
  const { machine } = composition;
  const hasDots = artworksOf(composition).some((artwork) => isEngraved(artwork, machine));
  const formats = formatsOf(machine, hasDots).filter(({ format, isUnfit }) => isPiece(format) && !isUnfit);
  const [ownChoice, setOwnChoice] = useState<FormatChoice>(() => readFileFormat(machine) ?? firstChoice(machine));
  const isThere = formats.some(({ format }) => format === ownChoice.format);
  const choice = (isThere ? ownChoice : { format: formats[0]!.format, options: {} }) as PieceChoice;
  return {
    choice,
    select: {
      value: findFormat(machine, choice).format as string,
      options: formats.map(({ format, name }) => ({ value: format as string, label: name })),
      onChange: (format: string) => setOwnChoice({ format: format as PieceFormat, options: {} }),
    },
  };
}

const isPiece = (format: FormatChoice['format']): format is PieceFormat =>
  format !== 'package' && format !== 'sheet' && format !== 'paperTest';
