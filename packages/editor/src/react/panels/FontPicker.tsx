import { Select } from '@markwright/controls';
import { findFont, fontCategories, fontFiles } from '@markwright/fonts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { usePorts } from '../EditorProvider.tsx';

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

/** Loads the face when the name comes into view; until then, and if it fails, the name stands in the page's own. */
function FontName({ family, name }: { family: string; name: string }) {
  const { fontUrl } = usePorts();
  const element = useRef<HTMLSpanElement>(null);
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      const [file] = fontFiles({ text: name, fontFamily: family, isBold: false, isItalic: false });
      if (!file) return;
      loadFace(family, fontUrl(file.name)).then(
        () => setIsLoaded(true),
        () => undefined,
      );
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [family, name, fontUrl]);
  return (
    <span
      ref={element}
      className="text-lg leading-7 transition-opacity"
      style={{ fontFamily: isLoaded ? `'${faceName(family)}', sans-serif` : undefined, opacity: isLoaded ? 1 : 0.7 }}
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
  const face = new FontFace(name, `url(${url})`);
  await face.load();
  document.fonts.add(face);
}
