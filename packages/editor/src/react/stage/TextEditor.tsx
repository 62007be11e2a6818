/**
 * Edits a text in place: a field over the element, in its own face, size and angle. A straight text shows through the
 * field as it is engraved, and the field draws the caret and the selection. A bent text is edited straight, on a plate
 * as wide as its arc.
 */
import { findFont, fontFiles } from '@markwright/fonts';
import {
  MAX_TEXT_LENGTH,
  MM_PER_INCH,
  type Point,
  placedBox,
  type SceneGroup,
  type TextElement,
} from '@markwright/scene';
import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react';
import { findText } from '../../core/document/editor.ts';
import { type StageView, screenCorners } from '../../core/pointer/stageView.ts';
import { useEditor, useEditorState, usePorts } from '../EditorProvider.tsx';

/** `onEnd` is called once, and says whether the stage is to take the focus. */
export function TextEditor({ id, view, onEnd }: { id: string; view: StageView; onEnd(hasKeptFocus: boolean): void }) {
  const editor = useEditor();
  const text = useEditorState(({ composition }) => findText(composition, `text:${id}`));
  const drawnGroup = useEditorState(({ scene }) => scene.groups.find(({ elementId }) => elementId === `text:${id}`));
  // Words that no font has draw nothing, such as the first part of what an input method composes: the field stays then.
  const [lastGroup, setLastGroup] = useState(drawnGroup);
  if (drawnGroup && drawnGroup !== lastGroup) setLastGroup(drawnGroup);
  const group = drawnGroup ?? lastGroup;
  const [raw, setRaw] = useState(text?.text ?? '');
  const field = useRef<HTMLTextAreaElement>(null);
  const family = useFace(text);
  const isRunning = useRef(false);
  const hasEnded = useRef(false);

  const end = (hasKeptFocus: boolean) => {
    if (hasEnded.current) return;
    hasEnded.current = true;
    if (isRunning.current && editor.getState().isGesturing) {
      if (field.current?.value.trim() === '') editor.cancelGesture();
      else editor.commitGesture();
    }
    onEnd(hasKeptFocus);
  };
  const change = (value: string) => {
    setRaw(value);
    // A text never becomes blank: the last words stay until there are others.
    if (value.trim() === '') return;
    if (!isRunning.current || !editor.getState().isGesturing) editor.beginGesture();
    isRunning.current = true;
    editor.updateGesture({ type: 'updateText', id, changes: { text: value.trim() } });
  };
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, []);
  const isGone = !text || !group || text.isLocked;
  const endGone = useEffectEvent(() => end(false));
  useEffect(() => {
    if (isGone) endGone();
  }, [isGone]);
  if (isGone) return null;
  const isBent = text.circle !== undefined || text.bend !== 0;
  const isSeenThrough = drawnGroup !== undefined && !isBent && raw.trim() !== '';

  return (
    <textarea
      ref={field}
      aria-label="Text on the product"
      value={raw}
      maxLength={MAX_TEXT_LENGTH}
      rows={raw.split('\n').length}
      wrap="off"
      spellCheck={false}
      onChange={(event) => change(event.target.value)}
      onBlur={() => end(false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        // During composition these keys belong to the input method.
        if (event.nativeEvent.isComposing) return;
        const isEnd = event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
        if (!isEnd) return;
        event.preventDefault();
        end(true);
      }}
      className={`pointer-events-auto absolute top-0 left-0 origin-top-left resize-none overflow-hidden border-0 p-0 text-ink caret-accent outline-none selection:bg-accent/25 ${
        isBent ? 'rounded-control bg-paper/90' : 'bg-transparent'
      } ${isSeenThrough ? '[-webkit-text-fill-color:transparent]' : ''}`}
      style={{
        ...fieldStyle(text, group, view, { raw, family }),
        WebkitTextStroke: !isSeenThrough && findFont(text.fontFamily).isSingleLine ? '0.03em' : undefined,
      }}
    />
  );
}

/** Below this size in px a browser may zoom the page towards a field with the focus. */
const MIN_FONT_PX = 16;
/** The room, in ems, for what is typed until the block has grown with it. */
const SLACK_EMS = 2;
/** The line height, in ems, of a text that is not drawn yet. */
const LINE_EMS = 1.36;

function fieldStyle(
  text: TextElement,
  group: SceneGroup,
  view: StageView,
  { raw, family }: { raw: string; family: string },
): CSSProperties {
  const emMm = text.heightInches * MM_PER_INCH * arcWidth(text.circle ? text.circle.sweepDeg / 3.6 : text.bend);
  const emPx = emMm * view.pxPerMm;
  const fontPx = Math.max(MIN_FONT_PX, emPx);
  const lines = raw.split('\n').length;
  const spacing = text.lineSpacing / 100;
  // The last line of a block is as high as the face; the others are spaced.
  const drawnLines = text.text.trim().split('\n').length;
  const box = placedBox(group);
  const blockEms = box.sizeMm.height / emMm;
  const faceEms = text.bend === 0 && !text.circle ? blockEms / (1 + (drawnLines - 1) * spacing) : LINE_EMS;
  const height = faceEms * (1 + (lines - 1) * spacing);
  const width = box.sizeMm.width / emMm + SLACK_EMS;
  const [topLeft, topRight, bottomRight, bottomLeft] = screenCorners(view, box);
  // The field of a text on a circle stands where its words are, over the top or the bottom of the circle.
  const [a, c] = !text.circle
    ? [topLeft!, bottomRight!]
    : text.circle.side === 'top'
      ? [topLeft!, topRight!]
      : [bottomLeft!, bottomRight!];
  const center = { x: (a.x + c.x) / 2, y: (a.y + c.y) / 2 };
  const angleDeg = (Math.atan2(topRight!.y - topLeft!.y, topRight!.x - topLeft!.x) * 180) / Math.PI;
  // On a round blank the field is as wide and as high as the box shows there.
  const shareOf = (a: Point, b: Point, mm: number) =>
    mm > 0 ? Math.hypot(b.x - a.x, b.y - a.y) / (mm * view.pxPerMm) : 1;
  const wide = shareOf(topLeft!, topRight!, box.sizeMm.width);
  const high = shareOf(topRight!, bottomRight!, box.sizeMm.height);
  // The slack lies where the lines have room to grow.
  const slackBefore = { left: 0, center: SLACK_EMS / 2, right: SLACK_EMS }[text.textAlign];
  // A line of the field is centered in its height; the spacing reaches half above the first line.
  const halfLeading = (faceEms * (spacing - 1)) / 2;
  return {
    width: width * fontPx,
    height: (height + Math.max(0, halfLeading * 2)) * fontPx,
    fontFamily: family,
    fontSize: fontPx,
    fontWeight: 400,
    lineHeight: faceEms * spacing,
    letterSpacing: `${text.letterSpacing / 100}em`,
    textAlign: text.textAlign,
    whiteSpace: 'pre',
    transform: [
      `translate(${center.x}px, ${center.y}px)`,
      `rotate(${angleDeg}deg)`,
      `scale(${(text.isFlipped ? -1 : 1) * wide * (emPx / fontPx)}, ${high * (emPx / fontPx)})`,
      `translate(${(-(width - SLACK_EMS) / 2 - slackBefore) * fontPx}px, ${(-height / 2 - halfLeading) * fontPx}px)`,
    ].join(' '),
  };
}

/** Returns the width of an arc as a share of its length. `bend` is in percent of a circle. */
function arcWidth(bend: number): number {
  const angle = (Math.abs(bend) / 100) * 2 * Math.PI;
  return angle === 0 ? 1 : (2 * Math.sin(Math.min(angle, Math.PI) / 2)) / angle;
}

/** Loads the faces of a text for the field. Returns the families in order of preference. */
function useFace(text: TextElement | undefined): string {
  const { fontUrl } = usePorts();
  const files = text
    ? fontFiles({
        text: text.text,
        fontFamily: text.fontFamily,
        isBold: text.fontWeight === 'bold',
        isItalic: text.fontStyle === 'italic',
      }).map(({ name }) => name)
    : [];
  const key = files.join(' ');
  useEffect(() => {
    for (const name of key.split(' ').filter(Boolean)) {
      const family = faceName(name);
      if ([...document.fonts].some((face) => face.family.replaceAll('"', '') === family)) continue;
      const face = new FontFace(family, `url(${fontUrl(name)})`);
      document.fonts.add(face);
      face.load().catch(() => document.fonts.delete(face));
    }
  }, [key, fontUrl]);
  return [...files.map((name) => `'${faceName(name)}'`), 'sans-serif'].join(', ');
}

const faceName = (file: string) => `on stage ${file.replace(/\.\w+$/, '')}`;
