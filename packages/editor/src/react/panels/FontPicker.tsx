import { Select } from '@markwright/controls';
import { findFont, fontCategories, fontFiles } from '@markwright/fonts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { usePorts } from '../EditorProvider.tsx';

const WEB_FONT_TIMEOUT_MS = 2000;

/** Lists the bundled fonts by category, each name in its own face. */
export function FontPicker({ value, onChange }: { value: string; onChange(family: string): void }) {
  const options = useMemo(
    () =>
      fontCategories.map((category) => ({
        label: category.name,
        options: category.fonts.map(({ family, name }) => ({
          value: family,
          label: name,
          content: <FontName family={family} name={name} />,
        })),
      })),
    [],
  );
  return (
    <Select label="Font" value={findFont(value).family} options={options} onChange={onChange} className="h-9 w-full" />
  );
}

/**
 * Loads the face when the name comes into view. Until then the name stands in the page's own, pale, and for good when
 * the face fails or takes longer than the limit.
 */
function FontName({ family, name }: { family: string; name: string }) {
  const { fontUrl } = usePorts();
  const element = useRef<HTMLSpanElement>(null);
  const [status, setStatus] = useState<'loading' | 'loaded' | 'failed'>('loading');
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      const [file] = fontFiles({ text: name, fontFamily: family, isBold: false, isItalic: false });
      if (!file) return;
      loadFace(family, fontUrl(file.name)).then(
        () => setStatus('loaded'),
        () => setStatus('failed'),
      );
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [family, name, fontUrl]);
  return (
    <span
      ref={element}
      className="text-lg leading-7 transition-opacity"
      style={{
        fontFamily: status === 'loaded' ? `'${faceName(family)}', sans-serif` : undefined,
        opacity: status === 'loading' ? 0.7 : 1,
      }}
    >
      {name}
    </span>
  );
}

/** Returns the name of a loaded face. It is not the family's plain name, which the page may use for itself. */
const faceName = (family: string) => `face ${family}`;

async function loadFace(family: string, url: string): Promise<void> {
  const name = faceName(family);
  if ([...document.fonts].some((face) => face.family.replaceAll('"', '') === name && face.status === 'loaded')) return;
  const response = await fetch(url, { signal: AbortSignal.timeout(WEB_FONT_TIMEOUT_MS) });
  if (!response.ok) throw new Error('The font could not be loaded.');
  const face = new FontFace(name, await response.arrayBuffer());
  await face.load();
  document.fonts.add(face);
}
