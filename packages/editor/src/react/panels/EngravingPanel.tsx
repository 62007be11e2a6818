/**
 * The settings of an engraving: how its tones become dots or lines, their pitch, the negative and the tones. The stage
 * follows while a slider moves, and what a slide changes is one step to undo. Loaded with the first engraving.
 */
import { marksLight } from '@markwright/contract/engraving';
import { HALFTONE_DEFAULTS } from '@markwright/contract/words';
import { Button, Icon, Row, SegmentedControl, Select, SliderRow } from '@markwright/controls';
import {
  type ArtworkElement,
  ENGRAVING_INTERVAL_MM,
  ENGRAVING_TONE,
  type Engraving,
  elementIdOf,
  HALFTONE_ANGLE,
  isHalftone,
} from '@markwright/scene';
import { activeElement } from '../../core/document/editor.ts';
import { useDesignFlow, useEditor, useEditorState, useStore } from '../EditorProvider.tsx';
import { AWAY_FROM_WAYS_IF_LOW } from './ArtworkSwitch.tsx';
import { type SettingGroup, SettingGroups } from './SettingGroups.tsx';

export function EngravingPanel() {
  const element = useEditorState(activeElement);
  return element?.engraving ? <Settings element={element} engraving={element.engraving} /> : null;
}

interface SettingsProps {
  readonly element: ArtworkElement;
  readonly engraving: Engraving;
}

/** Changes an engraving: at once, or while a slider moves until it is let go. */
interface Changes {
  readonly engraving: Engraving;
  set(changes: Partial<Engraving>): void;
  move(changes: Partial<Engraving>): void;
  keep(): void;
}

function useChanges({ element: { id }, engraving }: SettingsProps): Changes {
  const editor = useEditor();
  const command = (changes: Partial<Engraving>) =>
    ({ type: 'setEngraving', id, engraving: { ...engraving, ...changes } }) as const;
  return {
    engraving,
    set: (changes) => editor.dispatch(command(changes)),
    move(changes) {
      if (!editor.getState().isGesturing) editor.beginGesture();
      editor.updateGesture(command(changes));
    },
    keep: () => editor.commitGesture(),
  };
}

function Settings(props: SettingsProps) {
  const { element, engraving } = props;
  const changes = useChanges(props);
  const isLines = isHalftone(engraving.method);
  const groups: readonly SettingGroup[] = [
    { name: 'Tones', isShown: true, rows: <ToneRows {...changes} /> },
    { name: isLines ? 'Lines' : 'Dots', isShown: true, rows: <PitchRows {...changes} /> },
    { name: 'Negative', isShown: true, rows: <NegativeRows {...changes} /> },
  ];
  return (
    <div className="flex flex-col gap-1">
      <div className={AWAY_FROM_WAYS_IF_LOW}>
        <Row label="Burn as">
          <Select<Engraving['method']>
            label="Method"
            value={engraving.method}
            options={methods}
            disabled={element.isLocked}
            onChange={(method) => changes.set({ method })}
            className="flex-1"
          />
        </Row>
      </div>
      <SettingGroups label="Settings of the engraving" groups={groups} />
      <Figures {...props} />
    </div>
  );
}

const methods = [
  {
    label: 'Photo, in dots',
    options: [
      { value: 'jarvis', label: 'Jarvis: smooth tones' },
      { value: 'floyd-steinberg', label: 'Floyd–Steinberg: fine grain' },
      { value: 'stucki', label: 'Stucki: crisp edges' },
      { value: 'atkinson', label: 'Atkinson: strong contrast' },
      { value: 'blue-noise', label: 'Blue noise: even grain' },
      { value: 'ordered', label: 'Ordered: a regular weave' },
      { value: 'gray', label: 'Gray: power follows the tone' },
    ],
  },
  {
    label: 'Tones, in outlines',
    options: [
      { value: 'halftone_lines', label: 'Lines: thick where it is dark' },
      { value: 'halftone_dots', label: 'Dots: large where it is dark' },
      { value: 'hatch', label: 'Cross-hatch: like a banknote' },
      { value: 'stipple', label: 'Stipple: dots by hand' },
    ],
  },
] as const;

const toneNames = {
  brightness: 'Brightness',
  contrast: 'Contrast',
  gamma: 'Gamma',
  localContrast: 'Detail',
  sharpen: 'Sharpen',
} as const;
/** The names for a screen reader, where the row has a shorter one. */
const longToneNames: Partial<Record<keyof typeof toneNames, string>> = { localContrast: 'Local contrast' };

type ToneName = keyof typeof toneNames;
const toneEntries = Object.keys(toneNames) as ToneName[];

/** Beyond this, only a number is entered: the slider is for what is used. */
const GAMMA_SLIDER = { min: 0.4, max: 2.5 } as const;

function ToneRows({ engraving: { tone }, set, move, keep }: Changes) {
  const isNeutral = toneEntries.every((name) => tone[name] === ENGRAVING_TONE[name].neutral);
  const neutral = Object.fromEntries(toneEntries.map((name) => [name, ENGRAVING_TONE[name].neutral]));
  return (
    <>
      {toneEntries.map((name) => {
        const { min, max } = name === 'gamma' ? GAMMA_SLIDER : ENGRAVING_TONE[name];
        return (
          <SliderRow
            key={name}
            label={toneNames[name]}
            name={longToneNames[name] ?? toneNames[name]}
            value={tone[name]}
            min={min}
            max={max}
            {...(name === 'gamma' && { step: 0.05, decimals: 2 })}
            onMove={(value) => move({ tone: { ...tone, [name]: value } })}
            onKeep={keep}
          />
        );
      })}
      <Button
        size="sm"
        variant="ghost"
        icon="undo"
        className="self-end"
        disabled={isNeutral}
        onClick={() => set({ tone: neutral as unknown as Engraving['tone'] })}
      >
        Reset the tones
      </Button>
    </>
  );
}

/** The pitches of a slider, mm. */
const PITCH_MM = { min: 0.3, max: 3 } as const;
const GAP_MM = { min: 0, max: 0.5 } as const;

function PitchRows(changes: Changes) {
  const { engraving, set, move, keep } = changes;
  const { method, intervalMm, pitchMm, angleDeg, course, dots, gapMm } = engraving;
  const isLines = isHalftone(method);
  const isStipple = method === 'stipple';
  return (
    <>
      <SliderRow
        label={isLines ? 'Beam' : 'Interval'}
        name={isLines ? 'Beam width' : 'Interval'}
        fieldLabel={isLines ? 'Beam width in millimeters' : 'Interval in millimeters'}
        value={intervalMm}
        {...ENGRAVING_INTERVAL_MM}
        step={0.01}
        decimals={2}
        unit="mm"
        fieldClass="w-22"
        onMove={(value) => move({ intervalMm: value })}
        onKeep={keep}
      >
        {!isLines && <span className="measure w-13 shrink-0 text-right text-graphite">{sayDpi(intervalMm)}</span>}
      </SliderRow>
      {isLines && (
        <SliderRow
          label={isStipple ? 'Dot' : 'Pitch'}
          name={isStipple ? 'Size of a dot' : 'Pitch'}
          fieldLabel={isStipple ? 'Size of a dot in millimeters' : 'Pitch in millimeters'}
          value={pitchMm ?? (isStipple ? HALFTONE_DEFAULTS.stippleMm : HALFTONE_DEFAULTS.pitchMm)}
          {...PITCH_MM}
          step={0.05}
          decimals={2}
          unit="mm"
          fieldClass="w-22"
          onMove={(value) => move({ pitchMm: value })}
          onKeep={keep}
        />
      )}
      {isLines && !isStipple && !(method === 'halftone_lines' && course === 'rings') && (
        <SliderRow
          label="Angle"
          value={angleDeg ?? HALFTONE_DEFAULTS.angleDeg}
          {...HALFTONE_ANGLE}
          step={2.5}
          decimals={1}
          unit="°"
          onMove={(value) => move({ angleDeg: value })}
          onKeep={keep}
        />
      )}
      {method === 'halftone_lines' && (
        <Row label="Shape">
          <SegmentedControl
            label="Shape of the lines"
            value={course ?? 'straight'}
            options={courses}
            onChange={(value) => set({ course: value })}
            className="flex-1"
          />
        </Row>
      )}
      {method === 'halftone_dots' && (
        <Row label="Dots">
          <SegmentedControl
            label="Shape of the dots"
            value={dots ?? 'round'}
            options={dotShapes}
            onChange={(value) => set({ dots: value })}
            className="flex-1"
          />
        </Row>
      )}
      {isLines && !isStipple && (
        <SliderRow
          label="Gap"
          fieldLabel="Smallest gap in millimeters"
          value={gapMm ?? 0}
          {...GAP_MM}
          step={0.01}
          decimals={2}
          unit="mm"
          fieldClass="w-22"
          onMove={(value) => move({ gapMm: value })}
          onKeep={keep}
        />
      )}
    </>
  );
}

const courses = [
  { value: 'straight', label: 'Straight' },
  { value: 'rings', label: 'Rings' },
  { value: 'form', label: 'Form' },
] as const;
const dotShapes = [
  { value: 'round', label: 'Round' },
  { value: 'diamond', label: 'Diamond' },
] as const;

function NegativeRows({ engraving: { invert }, set }: Changes) {
  const product = useEditorState(({ assets }) => assets.product);
  const surface = { material: product?.finish.material, markColor: product?.finish.markColor };
  const isLight = marksLight('auto', surface);
  return (
    <>
      <Row label="Negative">
        <SegmentedControl
          label="Negative"
          value={invert === 'auto' ? 'auto' : invert ? 'on' : 'off'}
          options={negatives}
          onChange={(value) => set({ invert: value === 'auto' ? 'auto' : value === 'on' })}
          className="flex-1"
        />
      </Row>
      <p className="text-graphite text-xs">
        {isLight
          ? 'This material marks light, so Automatic burns what is light in the picture.'
          : 'This material marks dark, so Automatic burns what is dark in the picture.'}
      </p>
    </>
  );
}

const negatives = [
  { value: 'auto', label: 'Automatic' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
] as const;

const sayDpi = (intervalMm: number): string => `${Math.round(25.4 / intervalMm)} dpi`;

/** The true size of the engraving, and how much of it is burnt; or why it is not made. */
function Figures({ element, engraving }: SettingsProps) {
  const designs = useDesignFlow();
  const state = useStore(designs, () => designs.engravings()?.get(element.id));
  const size = useEditorState(
    ({ scene, assets }) => {
      const group = scene.groups.find(({ elementId }) => elementId === elementIdOf(element));
      const artwork = assets.artworks.get(element.id);
      if (!group || !artwork) return undefined;
      const { a, b, c, d } = group.matrix;
      return { width: Math.hypot(a, b) * artwork.width, height: Math.hypot(c, d) * artwork.height };
    },
    (x, y) => x?.width === y?.width && x?.height === y?.height,
  );
  if (state?.status === 'failed') {
    return (
      <p role="alert" className="flex items-start gap-1.5 py-1 text-danger text-xs">
        <Icon name="warning" className="size-4 shrink-0" />
        {state.failure}
      </p>
    );
  }
  const { intervalMm } = engraving;
  const px = (mm: number) => Math.round(mm / intervalMm).toLocaleString('en-US');
  const share = state?.meanTone === undefined ? '' : `${Math.round(100 * state.meanTone)} % burnt`;
  const { sketchedMillions } = state ?? {};
  return (
    <>
      <p className={`measure flex justify-between py-1 text-graphite ${AWAY_FROM_WAYS_IF_LOW}`}>
        <span>
          {size && !isHalftone(engraving.method)
            ? `${px(size.width)} × ${px(size.height)} px · ${sayDpi(intervalMm)}`
            : 'Closed outlines'}
        </span>
        <span>{share}</span>
      </p>
      {sketchedMillions !== undefined && (
        <p className="pb-1 text-graphite text-xs">
          The stage shows a sketch: it can show 36 million px, and this engraving has {sketchedMillions} million. The
          file has all of them.
        </p>
      )}
    </>
  );
}
