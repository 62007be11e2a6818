/** The measures of a code or a shape: what makes it what it is, besides its place. */
import { Field, NumberField, Row, SegmentedControl, Select, Slider, Switch, TextArea } from '@markwright/controls';
import {
  ARC_SWEEP,
  CODE_SIZE_MM,
  type CodeChanges,
  type CodeElement,
  ERROR_LEVELS,
  type FigureElement,
  findCodeFault,
  findElement,
  isCode,
  isFigure,
  isFrameForm,
  leastModuleMm,
  MAX_CODE_LENGTH,
  POLYGON_SIDES,
  regularAspect,
  SHAPE_CORNER_MM,
  SHAPE_SIZE_MM,
  SHAPE_STROKE_MM,
  type ShapeChanges,
  type ShapeElement,
  STAR_INNER,
  STAR_POINTS,
  SYMBOLOGIES,
  symbologyNames,
} from '@markwright/scene';
import { type RefObject, useEffect, useRef } from 'react';
import type { ElementId } from '../../core/document/editor.ts';
import { toUnit } from '../../core/document/measure.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { LengthField } from './LengthField.tsx';
import { takeNewCode } from './newCodeFocus.ts';
import { TextColors } from './TextColors.tsx';

/** Renders nothing for an element of another kind. */
export function FigureFields({ elementId }: { elementId: ElementId }) {
  const figure = useEditorState(({ composition }) => findElement(composition, elementId), hasSameMeasures);
  if (!figure || !isFigure(figure)) return null;
  return (
    <div inert={figure.isLocked} className={`flex flex-col gap-2 low:gap-1 ${figure.isLocked ? 'opacity-45' : ''}`}>
      {isCode(figure) ? <CodeFields code={figure} /> : <ShapeFields shape={figure} />}
    </div>
  );
}

/** True for the same figure wherever it lies, so that a drag does not render its fields. */
function hasSameMeasures(a: ReturnType<typeof findElement>, b: ReturnType<typeof findElement>): boolean {
  const measures = (element: FigureElement) => ({ ...element, x: 0, y: 0, angleDeg: 0 });
  if (!a || !b || !isFigure(a) || !isFigure(b)) return a === b;
  return JSON.stringify(measures(a)) === JSON.stringify(measures(b));
}

const isSquare = ({ symbology }: CodeElement) => symbology === 'qr' || symbology === 'dataMatrix';

/** The share of a QR code that may be lost, in percent (ISO/IEC 18004). */
const losses = { L: 7, M: 15, Q: 25, H: 30 } as const;

function CodeFields({ code }: { code: CodeElement }) {
  const editor = useEditor();
  const set = (changes: CodeChanges) => editor.dispatch({ type: 'updateCode', id: code.id, changes });
  return (
    <>
      <DataField code={code} />
      <Row label="Kind">
        <Select
          label="Kind of code"
          value={code.symbology}
          options={SYMBOLOGIES.map((value) => ({ value, label: symbologyNames[value] }))}
          onChange={(symbology) => set({ symbology, ...sizeFor(code, symbology) })}
          className="w-full"
        />
      </Row>
      {code.symbology === 'qr' && (
        <Row label="Level">
          <SegmentedControl
            label="Error correction"
            value={code.errorLevel}
            options={ERROR_LEVELS.map((value) => ({ value, label: value }))}
            onChange={(errorLevel) => set({ errorLevel })}
            className="flex-1"
          />
        </Row>
      )}
      {!isSquare(code) && (
        <Row label="Bars">
          <LengthField
            label="Height of the bars"
            prefix="H"
            valueMm={code.heightMm}
            minMm={CODE_SIZE_MM.min}
            maxMm={CODE_SIZE_MM.max}
            onCommit={(heightMm) => set({ heightMm })}
          />
          <SwitchField label="Letters" isOn={code.hasText} onChange={(hasText) => set({ hasText })} />
        </Row>
      )}
      <Row label="Invert">
        <Switch label="Invert" checked={code.isInverted} onChange={(isInverted) => set({ isInverted })} />
        <span className="truncate text-graphite text-xs">For marks that are light</span>
      </Row>
      <TextColors legend="Color of the code" color={code.color} onChange={(color) => set({ color })} />
      <ModuleNote code={code} />
    </>
  );
}

/** A square that becomes bars is wider than high, and bars that become a square are smaller. */
function sizeFor(code: CodeElement, symbology: CodeElement['symbology']): CodeChanges {
  const isSame = isSquare(code) === isSquare({ ...code, symbology });
  if (isSame) return {};
  if (isSquare(code)) return { widthMm: code.widthMm * 2, heightMm: code.widthMm * 0.75 };
  return { widthMm: code.widthMm / 2, heightMm: code.widthMm / 2 };
}

/** Names the width of a module, and the least that the machine makes well. */
function ModuleNote({ code }: { code: CodeElement }) {
  const machine = useEditorState((state) => state.composition.machine);
  const unit = useEditorState((state) => state.unit);
  const moduleMm = useEditorState(
    ({ scene }) => scene.groups.find(({ elementId }) => elementId === `code:${code.id}`)?.code?.moduleMm,
  );
  if (moduleMm === undefined) return null;
  const leastMm = leastModuleMm(machine, code.symbology);
  const length = (mm: number) => `${toUnit(mm, unit).toFixed(unit === 'in' ? 3 : 2)} ${unit}`;
  const isSmall = moduleMm < leastMm - 0.001;
  return (
    <p className={`text-xs ${isSmall ? 'text-danger' : 'text-graphite'}`}>
      {code.symbology === 'qr' && `Reads with ${losses[code.errorLevel]} % of it lost. `}
      Module {length(moduleMm)}, at least {length(leastMm)}.
    </p>
  );
}

/** What the code says. It shows while it is typed, and leaves one undo step. */
function DataField({ code }: { code: CodeElement }) {
  const editor = useEditor();
  const field = useRef<HTMLTextAreaElement>(null);
  useFocusOfNew(field, code.id);
  const fault = useEditorState(({ assets }) => findCodeFault(code, assets)?.sentence);
  return (
    <Field
      label={code.symbology === 'ean13' ? 'Number' : 'Data'}
      error={fault}
      hint={code.data === '' ? 'An address, a number, a name: what a scanner reads.' : undefined}
    >
      {(control) => (
        <TextArea
          {...control}
          ref={field}
          rows={code.symbology === 'ean13' ? 1 : 2}
          maxLength={MAX_CODE_LENGTH}
          spellCheck={false}
          value={code.data}
          onChange={(event) => {
            if (!editor.getState().isGesturing) editor.beginGesture();
            editor.updateGesture({ type: 'updateCode', id: code.id, changes: { data: event.target.value } });
          }}
          onBlur={() => editor.commitGesture()}
          className="field-sizing-content max-h-24 min-h-9 resize-none break-all py-1.5!"
        />
      )}
    </Field>
  );
}

/** Moves the caret into the data of a code that was just added, all of it selected. */
function useFocusOfNew(field: RefObject<HTMLTextAreaElement | null>, id: string): void {
  useEffect(() => {
    if (!takeNewCode(id)) return;
    const frame = requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.select();
    });
    return () => cancelAnimationFrame(frame);
  }, [field, id]);
}

function SwitchField({ label, isOn, onChange }: { label: string; isOn: boolean; onChange(isOn: boolean): void }) {
  return (
    <span className="flex shrink-0 items-center gap-1.5">
      <Switch label={label} checked={isOn} onChange={onChange} />
      <span aria-hidden="true" className="text-graphite text-xs">
        {label}
      </span>
    </span>
  );
}

/** A form without an inside has a line always. */
const isLineForm = ({ form }: ShapeElement) => form === 'line' || form === 'arc';

function ShapeFields({ shape }: { shape: ShapeElement }) {
  const editor = useEditor();
  const { form, strokeMm } = shape;
  const set = (changes: ShapeChanges) => editor.dispatch({ type: 'updateShape', id: shape.id, changes });
  const isOutline = form === 'outline';
  // An icon keeps its proportions.
  const setSide = (side: 'widthMm' | 'heightMm', mm: number) => {
    const other = side === 'widthMm' ? 'heightMm' : 'widthMm';
    set({ [side]: mm, ...(isOutline && { [other]: Number(((shape[other] * mm) / shape[side]).toFixed(3)) }) });
  };
  const isLineAlone = isLineForm(shape) || form === 'arrow' || isFrameForm(form);
  const hasLine = strokeMm !== undefined || isLineAlone;
  return (
    <>
      <Row label={form === 'line' ? 'Length' : 'Size'}>
        <LengthField
          label="Width"
          prefix="W"
          valueMm={shape.widthMm}
          minMm={SHAPE_SIZE_MM.min}
          maxMm={SHAPE_SIZE_MM.max}
          onCommit={(mm) => setSide('widthMm', mm)}
        />
        {form !== 'line' && (
          <LengthField
            label="Height"
            prefix="H"
            valueMm={shape.heightMm}
            minMm={SHAPE_SIZE_MM.min}
            maxMm={SHAPE_SIZE_MM.max}
            onCommit={(mm) => setSide('heightMm', mm)}
          />
        )}
      </Row>
      {!isLineAlone && (
        <Row label="Inside">
          <SegmentedControl
            label="Inside of the shape"
            value={strokeMm === undefined ? 'filled' : 'outline'}
            options={[
              { value: 'filled', label: 'Filled' },
              { value: 'outline', label: 'Outline' },
            ]}
            onChange={(value) => set({ strokeMm: value === 'filled' ? null : SHAPE_STROKE_MM.initial })}
            className="flex-1"
          />
        </Row>
      )}
      {hasLine && (
        <Row label="Line">
          <LengthField
            label="Width of the line"
            valueMm={strokeMm ?? SHAPE_STROKE_MM.initial}
            minMm={SHAPE_STROKE_MM.min}
            maxMm={SHAPE_STROKE_MM.max}
            stepMm={SHAPE_STROKE_MM.step}
            onCommit={(mm) => set({ strokeMm: mm })}
          />
        </Row>
      )}
      <FormFields shape={shape} set={set} />
      <TextColors legend="Color of the shape" color={shape.color} onChange={(color) => set({ color })} />
    </>
  );
}

/** True for a frame along a rectangle. Those of scallops keep their corners. */
const hasCorners = (form: ShapeElement['form']) =>
  isFrameForm(form) && form.endsWith('Frame') && form !== 'scallopFrame';

/** The measures that one form alone has. */
function FormFields({ shape, set }: { shape: ShapeElement; set(changes: ShapeChanges): void }) {
  const { form } = shape;
  /** Returns the changes, with the height of a shape that is regular before, so that it is after. */
  const keepRegular = (changes: Partial<Pick<ShapeElement, 'sides' | 'points' | 'innerPercent'>>) => {
    const isRegular = Math.abs(shape.widthMm / shape.heightMm / regularAspect(shape) - 1) < 0.002;
    return {
      ...changes,
      ...(isRegular && { heightMm: Number((shape.widthMm / regularAspect({ ...shape, ...changes })).toFixed(3)) }),
    };
  };
  const measure = <N extends 'sides' | 'points' | 'innerPercent' | 'sweepDeg'>(
    label: string,
    name: N,
    range: { readonly min: number; readonly max: number; readonly step: number },
    unit = '',
  ) => (
    <MeasureRow
      {...{ label, range, unit }}
      shape={shape}
      value={shape[name]}
      changesOf={(value) => (name === 'sweepDeg' ? { sweepDeg: value } : keepRegular({ [name]: value }))}
    />
  );
  if (form === 'rectangle' || hasCorners(form)) {
    return (
      <Row label="Corners">
        <LengthField
          label="Radius of the corners"
          prefix="R"
          valueMm={shape.cornerMm}
          minMm={SHAPE_CORNER_MM.min}
          maxMm={Math.min(shape.widthMm, shape.heightMm) / 2}
          stepMm={SHAPE_CORNER_MM.step}
          onCommit={(cornerMm) => set({ cornerMm })}
        />
      </Row>
    );
  }
  if (form === 'polygon') return measure('Sides', 'sides', POLYGON_SIDES);
  if (form === 'arc') return measure('Sweep', 'sweepDeg', ARC_SWEEP, '°');
  if (form !== 'star') return null;
  return (
    <>
      {measure('Points', 'points', STAR_POINTS)}
      {measure('Inner', 'innerPercent', STAR_INNER, '%')}
    </>
  );
}

function MeasureRow({
  shape,
  label,
  value,
  range,
  unit,
  changesOf,
}: {
  shape: ShapeElement;
  label: string;
  value: number;
  range: { readonly min: number; readonly max: number; readonly step: number };
  unit: string;
  changesOf(value: number): ShapeChanges;
}) {
  const editor = useEditor();
  const command = (next: number) => ({ type: 'updateShape', id: shape.id, changes: changesOf(next) }) as const;
  return (
    <Row label={label}>
      <Slider
        label={label}
        value={value}
        {...range}
        valueText={`${value}${unit === '%' ? ' %' : unit}`}
        onChange={(next) => {
          if (!editor.getState().isGesturing) editor.beginGesture();
          editor.updateGesture(command(next));
        }}
        onCommit={() => editor.commitGesture()}
      />
      <NumberField
        label={names[label] ?? label}
        value={value}
        {...range}
        unit={unit || undefined}
        onCommit={(next) => editor.dispatch(command(next))}
        className="w-[68px]"
      />
    </Row>
  );
}

/** The names of fields beside sliders of the short name. */
const names: Readonly<Record<string, string>> = {
  Sides: 'Number of sides',
  Points: 'Number of points',
  Inner: 'Inner radius in percent of the outer one',
  Sweep: 'Sweep in degrees',
};
