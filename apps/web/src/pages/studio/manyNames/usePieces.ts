/** What a list becomes: the elements that its rows fill, and how texts are fitted. */
import { useEditorState } from '@markwright/editor';
import { type Composition, findElement, isText } from '@markwright/scene';
import { FIT_MINIMUM, type FitOptions, placeholders, sampleWidths } from '@markwright/scene/rows';
import { useMemo, useState } from 'react';
import {
  type Binding,
  bindList,
  firstColors,
  firstPick,
  firstPictures,
  keepColumns,
  type NameList,
  type Picks,
  toTemplate,
} from './list.ts';
import { withPictures } from './pieceAssets.ts';
import type { ListPictures } from './usePictures.ts';

/** Puts the list into the elements, and says how texts are fitted. */
export function usePieces(composition: Composition, { table }: NameList, { pictures }: ListPictures) {
  const stageAssets = useEditorState((state) => state.assets);
  const selection = useEditorState((state) => state.selection);
  const [ownPick, setPick] = useState(() => firstPick(composition, selection, table));
  const hasPlaceholders = placeholders(composition).length > 0;
  const { elementId } = ownPick;
  // A header that is switched gives the columns other names.
  const column = table.columns.includes(ownPick.column) ? ownPick.column : table.columns[0]!;
  const [ownPicks, setPicks] = useState(
    (): Picks => ({ colors: firstColors(composition, ownPick, table), pictures: firstPictures(composition, table) }),
  );
  const picks = useMemo(
    (): Picks => ({
      colors: keepColumns(ownPicks.colors, table.columns),
      pictures: keepColumns(ownPicks.pictures, table.columns),
    }),
    [ownPicks, table.columns],
  );
  // The same object while cells are edited, so that no other row is fitted again.
  const template = useMemo(
    () => toTemplate(composition, { elementId, column }, picks),
    [composition, elementId, column, picks],
  );
  const assets = useMemo(() => withPictures(stageAssets, template, pictures), [stageAssets, template, pictures]);
  const binding = useMemo(() => bindList(template, table), [template, table]);
  const sample = useMemo(() => {
    const ids = placeholders(template).map((entry) => entry.elementId);
    return sampleWidths(composition, assets, ids);
  }, [composition, template, assets]);
  const [ownFit, setFit] = useState<FitOptions>({ minimumPercent: FIT_MINIMUM.initial, overflow: 'ask' });
  const fit = useMemo(() => ({ ...ownFit, widthsMm: { ...sample, ...ownFit.widthsMm } }), [ownFit, sample]);
  const only = onlyText(binding);
  return {
    ...{ assets, binding, fit, setPick, picks, setPicks },
    /** The id of the only text, if there is one alone. */
    textId: only,
    setFit,
    pick: hasPlaceholders ? undefined : { elementId, column },
    /** Of the box of the only text. */
    widthMm: only === undefined ? undefined : fit.widthsMm[only],
  };
}

/** Returns the id of the element with placeholders, if there is one alone, in a box and not on a circle. */
function onlyText({ composition }: Binding): string | undefined {
  const [only, ...others] = placeholders(composition);
  const element = only && others.length === 0 ? findElement(composition, only.elementId) : undefined;
  return element && isText(element) && element.circle ? undefined : element && only?.elementId;
}
