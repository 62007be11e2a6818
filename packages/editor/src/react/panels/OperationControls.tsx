/** Chooses what the machine does with one element, and with single colors of it. Loaded with the first element. */
import { Icon, Row, Select } from '@markwright/controls';
import {
  findElement,
  hasWhiteInk,
  isArtwork,
  isEngraved,
  type Operation,
  type OperationChoice,
  operationsOf,
} from '@markwright/scene';
import { useState } from 'react';
import type { ElementId } from '../../core/document/editor.ts';
import { type ElementColor, elementColors } from '../../core/document/elementColors.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { ToneOrder } from './ToneOrder.tsx';

const names: Readonly<Record<Operation, string>> = {
  engrave: 'Engrave',
  score: 'Score',
  cut: 'Cut',
  guide: 'Guide',
  print: 'Print',
  white: 'White ink',
  gloss: 'Gloss',
};

const sentences: Readonly<Partial<Record<Operation, string>>> = {
  score: 'The laser follows its outlines at low power.',
  cut: 'The laser cuts through along its outlines.',
  guide: 'Shown to the person at the machine, and not made.',
  white: 'Printed in white ink alone, whatever its colors are.',
  gloss: 'Printed in clear varnish alone, over the colors.',
};

const whiteOptions = [
  { value: 'underColor', label: 'Under its colors' },
  { value: 'box', label: 'Under its whole box' },
  { value: 'none', label: 'None: the blank shows through' },
] as const;

/** Value of a list for "no choice of its own". */
const AS_DRAWN = 'drawn';

/** Nothing for a machine that does one thing alone. A single color has no row of its own. */
export function OperationControls({ elementId }: { elementId: ElementId }) {
  const editor = useEditor();
  const machine = useEditorState((state) => state.composition.machine);
  const element = useEditorState((state) => findElement(state.composition, elementId));
  const artworks = useEditorState((state) => state.assets.artworks);
  const options = operationsOf(machine);
  const [isUnfolded, setUnfolded] = useState<boolean>();
  if (!element || options.length < 2) return null;
  // A picture that is engraved itself has no paint that says another operation.
  if (isArtwork(element) && isEngraved(element, machine)) return null;

  const colors = !isArtwork(element) ? [] : elementColors(artworks.get(element.id), machine);
  const toChoice = (operation: Operation | undefined) =>
    operation && options.includes(operation) ? operation : undefined;
  const whole = toChoice(element.operation);
  const choose = (value: Operation | typeof AS_DRAWN, color?: string) => {
    const operation = value === AS_DRAWN ? undefined : value;
    editor.dispatch({ type: 'setOperation', elementId, operation, ...(color !== undefined && { color }) });
  };
  const choices = (first: string) => [
    { value: AS_DRAWN, label: first } as const,
    ...options.map((value) => ({ value, label: names[value] })),
  ];
  const ofColor = (color: string) => toChoice(element.operations?.find((entry) => entry.color === color)?.operation);
  // Open from the start where a color is made otherwise than the rest.
  const hasOwn = colors.some(({ color }) => ofColor(color) !== undefined);
  const isOpen = isUnfolded ?? hasOwn;
  return (
    <div inert={element.isLocked} className={`flex flex-col gap-1 ${element.isLocked ? 'opacity-45' : ''}`}>
      <Row label="Operation" isLong={colors.length > 1}>
        <Select
          label="Operation"
          value={whole ?? AS_DRAWN}
          options={choices('As drawn')}
          onChange={(value) => choose(value)}
          className="min-w-0 flex-1"
        />
        {colors.length > 1 && <ColorFold count={colors.length} isOpen={isOpen} onToggle={() => setUnfolded(!isOpen)} />}
      </Row>
      {isOpen &&
        colors.length > 1 &&
        colors.map(({ color, name }) => (
          <Row key={color} isLong label={<Swatch color={color} name={name} />}>
            <Select
              label={`Operation of ${name}`}
              value={ofColor(color) ?? AS_DRAWN}
              options={choices(whole ? `As the rest: ${names[whole]}` : 'As drawn')}
              onChange={(value) => choose(value, color)}
              className="w-full"
            />
          </Row>
        ))}
      {machine === 'laser' && isArtwork(element) && (
        <ToneOrder element={element} colors={colors.filter(({ color }) => engraves(element, color))} />
      )}
      {hasWhiteInk(machine) && whole !== 'white' && whole !== 'gloss' && (
        <Row label="White">
          <Select
            label="White ink below"
            value={element.white ?? 'underColor'}
            options={whiteOptions}
            onChange={(value) =>
              editor.dispatch({ type: 'setWhite', elementId, white: value === 'underColor' ? undefined : value })
            }
            className="w-full"
          />
        </Row>
      )}
      {whole && sentences[whole] && <p className="text-graphite text-xs">{sentences[whole]}</p>}
    </div>
  );
}

/** Unfolds the rows of single colors, which a drawing can have dozens of: most are made like the rest. */
function ColorFold({ count, isOpen, onToggle }: { count: number; isOpen: boolean; onToggle(): void }) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={`Operation of each of the ${count} colors`}
      onClick={onToggle}
      className="flex min-h-6 shrink-0 items-center rounded-control text-xs focus-visible:outline-2 focus-visible:outline-accent pointer-coarse:min-h-9"
    >
      {`${count} colors`}
      <Icon name="chevronDown" className={`size-4 text-graphite ${isOpen ? 'rotate-180' : ''}`} />
    </button>
  );
}

/** True for a color that is burnt as a tone, and not followed as a line. */
function engraves({ operation, operations }: OperationChoice, color: string): boolean {
  const own = operations?.find((entry) => entry.color === color)?.operation ?? operation;
  return own === undefined || own === 'engrave';
}

function Swatch({ color, name }: ElementColor) {
  return (
    <span className="flex items-center gap-1.5">
      <span className="size-3.5 shrink-0 rounded-full ring-1 ring-line" style={{ background: color }} />
      <span className="tabular-nums">{name}</span>
    </span>
  );
}
