/** The editor's engraver, whose code is fetched with its first use. */
import type { Engraver } from '@markwright/editor';

export function loadEngraver(): Engraver {
  let engraver: Promise<Engraver> | undefined;
  const load = () => {
    engraver ??= import('./engraver.ts').then((part) => part.createEngraver());
    engraver.catch(() => {
      engraver = undefined; // asked for again with the next picture
    });
    return engraver;
  };
  return {
    engrave: async (...input) => (await load()).engrave(...input),
    suggestWay: async (...input) => (await load()).suggestWay(...input),
  };
}
