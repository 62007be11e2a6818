/** Tones in which a laser burns an artwork's colors: three grays, or a layer for each color in an order of its own. */
import { marksLight } from '@markwright/contract/engraving';
import { Icon, IconButton, Row, Select } from '@markwright/controls';
import { type ArtworkElement, toneLayer } from '@markwright/scene';
import { type PointerEvent, useRef, useState } from 'react';
import type { ElementColor } from '../../core/document/elementColors.ts';
import { byLightness, moveMember, tonesOf } from '../../core/document/toneOrder.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';

const GRIP = 'M7.5 5.5v.01M7.5 10v.01M7.5 14.5v.01M12.5 5.5v.01M12.5 10v.01M12.5 14.5v.01';
const UP = 'M5.5 11.5 10 7l4.5 4.5';
const DOWN = 'M5.5 8.5 10 13l4.5-4.5';
const REVERSE = 'M6.5 16V4.5M3 8l3.5-3.5L10 8M13.5 4v11.5M10 12l3.5 3.5L17 12';

const options = [
  { value: 'grays', label: 'Three grays' },
  { value: 'own', label: 'Layer for each color' },
] as const;

/** Nothing for an artwork that is engraved in a single color. */
export function ToneOrder({ element, colors }: { element: ArtworkElement; colors: readonly ElementColor[] }) {
  const editor = useEditor();
  const tones = tonesOf(element, colors);
  const finish = useEditorState(({ assets }) => assets.product?.finish);
  // On a material that marks light, the lightest color is burnt most: the drawing looks as it was drawn.
  const isLight = marksLight('auto', { material: finish?.material, markColor: finish?.markColor });
  const start = isLight ? byLightness(colors).reverse() : byLightness(colors);
  const set = (next: readonly string[] | undefined) =>
    editor.dispatch({ type: 'setTones', id: element.id, tones: next });
  if (start.length < 2) return null;
  return (
    <>
      <Row label="Tones" isLong>
        <Select
          label="Tones"
          value={tones ? 'own' : 'grays'}
          options={options}
          onChange={(value) => set(value === 'own' ? start : undefined)}
          className="min-w-0 flex-1"
        />
        {tones && (
          <IconButton
            size="sm"
            icon={REVERSE}
            label="Reverse the order of tones"
            onClick={() => set(tones.toReversed())}
          />
        )}
      </Row>
      {tones && <ToneList tones={tones} colors={colors} onChange={set} />}
    </>
  );
}

interface ToneListProps {
  readonly tones: readonly string[];
  readonly colors: readonly ElementColor[];
  onChange(tones: readonly string[]): void;
}

function ToneList({ tones, colors, onChange }: ToneListProps) {
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<{ readonly pointerId: number; readonly from: number; readonly to: number }>();
  const rows = drag ? moveMember(tones, drag.from, drag.to) : tones;
  const nameOf = (color: string) => colors.find((each) => each.color === color)?.name ?? color.toUpperCase();

  const placeAt = (y: number): number => {
    const tops = [...list.current!.children].map((row) => row.getBoundingClientRect());
    const next = tops.findIndex(({ top, bottom }) => y < (top + bottom) / 2);
    return next < 0 ? tones.length - 1 : next;
  };
  const handlers = (index: number) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ pointerId: event.pointerId, from: index, to: index });
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (drag?.pointerId === event.pointerId) setDrag({ ...drag, to: placeAt(event.clientY) });
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (drag?.pointerId !== event.pointerId) return;
      onChange(moveMember(tones, drag.from, drag.to));
      setDrag(undefined);
    },
    onPointerCancel: () => setDrag(undefined),
  });
  return (
    <ol ref={list} aria-label="Tones, the most burnt first" className="flex flex-col">
      {rows.map((color, place) => {
        const index = tones.indexOf(color);
        const name = nameOf(color);
        const share = 1 - place / rows.length;
        return (
          <li key={color} className="flex min-h-8 items-center gap-1.5 text-sm">
            <span {...handlers(index)} className="-ml-1 flex size-6 cursor-grab touch-none items-center justify-center">
              <Icon name={GRIP} className="size-4 text-graphite" />
            </span>
            <span className="size-3.5 shrink-0 rounded-full ring-1 ring-line" style={{ background: color }} />
            <span className="min-w-0 flex-1 truncate tabular-nums">{name}</span>
            <span
              aria-hidden="true"
              className="h-3.5 w-7 shrink-0 rounded-sm bg-ink ring-1 ring-line"
              style={{ opacity: share }}
            />
            <span className="w-8 shrink-0 text-graphite text-xs tabular-nums">{layerName(place)}</span>
            <IconButton
              size="sm"
              icon={UP}
              label={`Burn ${name} more`}
              disabled={place === 0}
              onClick={() => onChange(moveMember(tones, place, place - 1))}
            />
            <IconButton
              size="sm"
              icon={DOWN}
              label={`Burn ${name} less`}
              disabled={place === rows.length - 1}
              onClick={() => onChange(moveMember(tones, place, place + 1))}
            />
          </li>
        );
      })}
    </ol>
  );
}

/** `engrave-c09` is `C09`, as the machine's program calls it. */
const layerName = (index: number) => toneLayer(index).id.replace('engrave-', '').toUpperCase();
