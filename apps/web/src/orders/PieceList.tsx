/** The pieces of an order with different words, and a PDF that shows each. */
import type { OrderedThing } from '@markwright/contract/schemas';
import { Button } from '@markwright/controls';
import { useState } from 'react';
import { messageOf } from '../request.ts';
import { Problem } from '../ui/Problem.tsx';
import { saveUrl } from '../ui/saveBlob.ts';

interface PieceListProps {
  readonly pieces: NonNullable<OrderedThing['pieces']>;
  /** Draws the pieces and returns the address of the PDF. */
  draw(): Promise<{ url: string; filename: string }>;
}

export function PieceList({ pieces, draw }: PieceListProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const columns = [...new Set(pieces.flatMap(({ words }) => Object.keys(words)))];
  async function download() {
    setBusy(true);
    setFailure(undefined);
    try {
      const { url, filename } = await draw();
      saveUrl(url, filename);
    } catch (error) {
      setFailure(messageOf(error));
    }
    setBusy(false);
  }
  return (
    <section aria-label="Words on each piece" className="mt-5 border-line border-t pt-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-base">Words on each piece</h3>
        <Button icon="download" isBusy={isBusy} onClick={() => void download()}>
          See every piece
        </Button>
      </div>
      <Problem className="mt-2">{failure}</Problem>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls by keys, too */}
      <section tabIndex={0} aria-label="List of the pieces" className="mt-2 max-h-80 overflow-auto">
        <table className="w-full text-sm">
          <thead className="text-left text-graphite text-xs">
            <tr>
              <th scope="col" className="w-14 py-1 pr-3 text-right font-medium">
                Pieces
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" className="px-2 py-1 font-medium">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {pieces.map(({ words, quantity }) => (
              <tr key={JSON.stringify(words)} className="border-line border-t">
                <td className="py-1.5 pr-3 text-right text-graphite tabular-nums">{quantity} ×</td>
                {columns.map((column) => (
                  <td key={column} className="whitespace-pre-line px-2 py-1.5 font-medium [overflow-wrap:anywhere]">
                    {words[column] ?? ''}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
