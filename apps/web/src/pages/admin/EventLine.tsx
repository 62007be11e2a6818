import type { ReactNode } from 'react';
import { Ago } from '../../ui/Ago.tsx';

interface EventLineProps {
  readonly what: ReactNode;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly from: ReactNode;
  readonly createdAt: string;
  /** The class of the columns from 768 px on. */
  readonly columns: string;
}

/** A line of a list of events: what was done, to what, by whom and when. */
export function EventLine({ what, subject, detail, from, createdAt, columns }: EventLineProps) {
  return (
    <li className={`grid gap-x-6 gap-y-0.5 px-5 py-3 ${columns}`}>
      {what}
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="font-medium">{subject}</span>
        {detail && <span className="text-graphite text-sm"> {toSentence(detail)}</span>}
      </span>
      <span className="flex flex-wrap gap-x-3 text-graphite text-sm md:justify-end">
        {from}
        <Ago time={createdAt} className="whitespace-nowrap md:w-28 md:text-right" />
      </span>
    </li>
  );
}

/** Turns `bulkUpload` into `bulk upload`. */
export const toWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/**
 * Turns `{from: 'free', to: 'paid', files: 3}` into `from free to paid, files 3`. Writes objects and lists as JSON.
 */
function toSentence({ from, to, ...rest }: Readonly<Record<string, unknown>>): string {
  const say = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const change = from === undefined || to === undefined ? [] : [`from ${say(from)} to ${say(to)}`];
  return [...change, ...Object.entries(rest).map(([name, value]) => `${toWords(name)} ${say(value)}`)].join(', ');
}
