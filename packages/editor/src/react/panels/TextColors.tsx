import { Row } from '@markwright/controls';
import { textColors, toMachineColor } from '@markwright/scene';
import { useId } from 'react';
import { useEditorState } from '../EditorProvider.tsx';

/** The color of a text, a code or a shape: one of the machine's swatches; ink machines take any color besides. */
export function TextColors({
  color,
  legend = 'Text color',
  onChange,
}: {
  color: string;
  legend?: string;
  onChange(color: string): void;
}) {
  const machine = useEditorState((state) => state.composition.machine);
  const { swatches, allowsCustom } = textColors(machine);
  const current = toMachineColor(machine, color).toLowerCase();
  const name = useId();
  const activeSwatch = swatches.find((swatch) => swatch.color.toLowerCase() === current);
  return (
    <fieldset>
      <legend className="sr-only">{legend}</legend>
      <Row label="Color">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
          {swatches.map((swatch) => (
            <label
              key={swatch.color}
              title={swatch.name}
              className="relative grid size-7 cursor-pointer place-items-center rounded-full ring-accent has-checked:ring-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent pointer-coarse:size-9"
            >
              <input
                type="radio"
                name={name}
                aria-label={swatch.name}
                checked={swatch.color.toLowerCase() === current}
                onChange={() => onChange(swatch.color)}
                className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
              />
              <span
                className="pointer-events-none size-5 rounded-full border border-edge/60 pointer-coarse:size-7"
                style={{ background: swatch.color }}
              />
            </label>
          ))}
          {allowsCustom && (
            <label
              title="Custom color"
              className={`relative flex h-7 cursor-pointer items-center gap-1.5 rounded-control border px-2 text-xs transition-colors hover:border-edge has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent pointer-coarse:h-10 ${activeSwatch ? 'border-line' : 'border-accent'}`}
            >
              <input
                type="color"
                aria-label="Custom color"
                value={current}
                onChange={(event) => onChange(event.target.value)}
                className="absolute inset-0 size-full cursor-pointer opacity-0"
              />
              <span
                className="size-4 rounded-full border border-edge/60"
                style={{ background: activeSwatch ? 'transparent' : current }}
              />
              Custom
            </label>
          )}
          {!allowsCustom && (
            <span aria-hidden="true" className="measure ml-auto">
              {activeSwatch?.name}
            </span>
          )}
        </div>
      </Row>
    </fieldset>
  );
}
