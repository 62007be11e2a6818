/** The choice of the columns that elements take their colors from, where the machine prints in color. */
import { Select } from '@markwright/controls';
import { type Composition, elementIdOf, isArtwork, toElementName } from '@markwright/scene';
import type { ColumnsById } from '@markwright/scene/rows';
import { Setting } from './Setting.tsx';

interface ColorFieldsProps {
  readonly composition: Composition;
  /** Of the list. */
  readonly columns: readonly string[];
  readonly colors: ColumnsById;
  onChange(colors: ColumnsById): void;
}

const AS_DESIGNED = '';

export function ColorFields({ composition, columns, colors, onChange }: ColorFieldsProps) {
  const elements = composition.elements.filter((element) => !isArtwork(element) && !element.isHidden);
  if (composition.machine === 'laser' || columns.length < 2) return null;
  const options = [
    { value: AS_DESIGNED, label: 'As designed' },
    ...columns.map((name) => ({ value: name, label: `Column “${name}”` })),
  ];
  return elements.map((element) => {
    const id = elementIdOf(element);
    const label = elements.length === 1 ? 'Color' : `Color of ${toElementName(element)}`;
    return (
      <Setting key={id} label={label}>
        <Select
          label={label}
          value={colors[id] ?? AS_DESIGNED}
          options={options}
          onChange={(column) => {
            const { [id]: _, ...others } = colors;
            onChange(column === AS_DESIGNED ? others : { ...others, [id]: column });
          }}
          className="w-36"
        />
      </Setting>
    );
  });
}
