/** The settings of a list: its files and their format, what rows fill beside texts, and how texts are fitted. */
import { NumberField, SegmentedControl, Switch } from '@markwright/controls';
import type { Composition } from '@markwright/scene';
import { FIT_MINIMUM, type FitOptions } from '@markwright/scene/rows';
import { SelectField } from '../../../ui/SelectField.tsx';
import { ColorFields } from './ColorFields.tsx';
import type { LayoutKind } from './layouts.ts';
import type { Binding, NameList } from './list.ts';
import { PictureFields } from './PictureFields.tsx';
import { keysInUse } from './pieceAssets.ts';
import { Setting } from './Setting.tsx';
import type { useFormat } from './useFormat.ts';
import type { useLayout } from './useLayout.ts';
import type { ListPictures } from './usePictures.ts';
import type { usePieces } from './usePieces.ts';

interface ListSettingsProps {
  readonly composition: Composition;
  readonly list: NameList;
  readonly pictures: ListPictures;
  readonly pieces: ReturnType<typeof usePieces>;
  readonly sheets: Pick<ReturnType<typeof useLayout>, 'kind' | 'setKind'>;
  readonly format: ReturnType<typeof useFormat>;
}

export function ListSettings({ composition, list, pictures, pieces, sheets, format }: ListSettingsProps) {
  const { binding, picks, setPicks, fit, setFit, widthMm, textId } = pieces;
  const { columns } = list.table;
  return (
    <div className="grid content-start gap-2">
      <SegmentedControl label="Files" value={sheets.kind} options={LAYOUTS} onChange={(kind) => sheets.setKind(kind)} />
      <SelectField label="Format" {...format.select} selectClassName="w-full" />
      <PictureFields
        {...{ composition, columns, pictures }}
        picks={picks.pictures}
        unused={findUnused(binding, list, pictures)}
        onChange={(next) => setPicks({ ...picks, pictures: next })}
      />
      <ColorFields
        {...{ composition, columns }}
        colors={picks.colors}
        onChange={(next) => setPicks({ ...picks, colors: next })}
      />
      <FitSettings fit={fit} widthMm={widthMm} elementId={textId} onChange={setFit} />
    </div>
  );
}

/** Returns the names of the pictures that no row names. */
function findUnused(binding: Binding, list: NameList, { pictures }: ListPictures): string[] {
  const keys = keysInUse(binding, list);
  return [...pictures].flatMap(([key, { filename }]) => (keys.has(key) ? [] : [filename]));
}

interface FitSettingsProps {
  readonly fit: FitOptions;
  /** Of the box of the only text, if there is one. */
  readonly widthMm: number | undefined;
  readonly elementId: string | undefined;
  onChange(fit: FitOptions): void;
}

function FitSettings({ fit, widthMm, elementId, onChange }: FitSettingsProps) {
  return (
    <>
      {widthMm !== undefined && elementId !== undefined && (
        <Setting label="Longest width">
          <NumberField
            label="Longest width of a name"
            value={widthMm}
            min={1}
            max={2_000}
            step={1}
            decimals={1}
            unit="mm"
            onCommit={(value) => onChange({ ...fit, widthsMm: { [elementId]: value } })}
            className="w-24"
          />
        </Setting>
      )}
      <Setting label="Shrink down to">
        <NumberField
          label="Least size of a name, in percent"
          value={fit.minimumPercent ?? FIT_MINIMUM.initial}
          {...FIT_MINIMUM}
          step={5}
          unit="%"
          onCommit={(minimumPercent) => onChange({ ...fit, minimumPercent })}
          className="w-24"
        />
      </Setting>
      <Setting label="Two lines if too long">
        <Switch
          label="Two lines if too long"
          checked={fit.overflow === 'break'}
          onChange={(isOn) => onChange({ ...fit, overflow: isOn ? 'break' : 'ask' })}
        />
      </Setting>
    </>
  );
}

const LAYOUTS: readonly { readonly value: LayoutKind; readonly label: string }[] = [
  { value: 'pieces', label: 'One file per piece' },
  { value: 'jig', label: 'On a jig' },
  { value: 'gang', label: 'Gang sheet' },
];
